/* SPDX-License-Identifier: MIT */
/*
 * trampoline64.S - call a kernel with a given machine state and capture
 * what it leaves, before any C code can disturb or trip over it
 *
 *     void fnp_trampoline(void);
 *     void fnp_escape(void);
 *     void fnp_signal_entry(int, siginfo_t *, void *);
 *     void fnp_signal_return(void);
 *
 * Contract
 *   in        fnp_context, see context.h
 *   out       fnp_context.out_*, xsave_out
 *   state     the caller's flags, fs and gs bases, MXCSR, x87 control word come back
 *             as fnp_context.host_* says; x87 empty, upper halves clean
 *   stack     the kernel runs on in_gpr[rsp]; nothing is read through rsp before the
 *             host's own is back
 *
 * Registers
 *   all are the kernel's between fnp_call_point and the stores behind it;
 *   esi holds the MXCSR it left, from there to the end
 */
#include "run/context_offsets.h"
#include "x86/asm.h"

#define C(field) fnp_context + CTX_##field(%rip)
#define IN(i)    fnp_context + CTX_IN_GPR + 8 * i(%rip)
#define OUT(i)   fnp_context + CTX_OUT_GPR + 8 * i(%rip)

/* DF TF NT AC ID: none may be set while C runs. */
#define ODD_FLAGS 0x244500

        /*
         * rsp, flags and general registers of the kernel.  The six status flags without
         * POPFQ, which costs as much as all loads here: 1 + 127 overflows, 0 + 127 does
         * not, and SAHF leaves OF alone.
         */
        .macro LOAD_KERNEL
        mov     IN(4), %rsp
        mov     C(IN_RFLAGS), %ecx
        mov     %ecx, %eax
        shr     $11, %eax
        and     $1, %eax
        mov     %cl, %ah
        add     $127, %al
        sahf
        mov     IN(0), %rax
        mov     IN(1), %rcx
        mov     IN(2), %rdx
        mov     IN(3), %rbx
        mov     IN(5), %rbp
        mov     IN(6), %rsi
        mov     IN(7), %rdi
        mov     IN(8), %r8
        mov     IN(9), %r9
        mov     IN(10), %r10
        mov     IN(11), %r11
        mov     IN(12), %r12
        mov     IN(13), %r13
        mov     IN(14), %r14
        mov     IN(15), %r15
        .endm

        .globl  fnp_trampoline_start, fnp_trampoline_end
        .globl  fnp_call_point, fnp_return_point
        .text
        .balign 4096
fnp_trampoline_start:

FUNC(fnp_trampoline)
        push    %rbx
        push    %rbp
        push    %r12
        push    %r13
        push    %r14
        push    %r15
        mov     %rsp, C(HOST_RSP)

        cmpb    $0, C(FULL)
        je      .Lcheap_start
        mov     C(MASK_LOW), %eax
        mov     C(MASK_HIGH), %edx
        xrstor64 C(XSAVE_IN)
        jmp     .Lload_gprs

.Lcheap_start:
        mov     C(IN_VECTORS), %rax
        movups     (%rax), %xmm0
        movups   16(%rax), %xmm1
        movups   32(%rax), %xmm2
        movups   48(%rax), %xmm3
        movups   64(%rax), %xmm4
        movups   80(%rax), %xmm5
        movups   96(%rax), %xmm6
        movups  112(%rax), %xmm7
        movups  128(%rax), %xmm8
        movups  144(%rax), %xmm9
        movups  160(%rax), %xmm10
        movups  176(%rax), %xmm11
        movups  192(%rax), %xmm12
        movups  208(%rax), %xmm13
        movups  224(%rax), %xmm14
        movups  240(%rax), %xmm15
        /* LDMXCSR and FLDCW cost more than all of these loads; most cases need neither. */
        mov     C(IN_MXCSR), %eax
        cmp     C(HOST_MXCSR), %eax
        je      .Lmxcsr_loaded
        ldmxcsr C(IN_MXCSR)
.Lmxcsr_loaded:
        movzwl  C(IN_FCW), %eax
        cmp     C(HOST_FCW), %ax
        je      .Lload_gprs
        fldcw   C(IN_FCW)

.Lload_gprs:
        movb    $1, C(SELECTOR)
        cmpb    $0, C(IS32)
        jne     .Lenter_gate
        LOAD_KERNEL
        /* A real call: a pushed return address costs a return misprediction each time. */
fnp_call_point:
        call    *C(ENTRY)
        /* The gate comes back here, too, with every register as the kernel left it. */
fnp_return_point:
        mov     %rax, OUT(0)
        mov     %rcx, OUT(1)
        mov     %rdx, OUT(2)
        mov     %rbx, OUT(3)
        mov     %rsp, OUT(4)
        mov     %rbp, OUT(5)
        mov     %rsi, OUT(6)
        mov     %rdi, OUT(7)
        mov     %r8, OUT(8)
        mov     %r9, OUT(9)
        mov     %r10, OUT(10)
        mov     %r11, OUT(11)
        mov     %r12, OUT(12)
        mov     %r13, OUT(13)
        mov     %r14, OUT(14)
        mov     %r15, OUT(15)
        mov     C(HOST_RSP), %rsp
        pushfq
        pop     %rax
        mov     %rax, C(OUT_RFLAGS)
        movb    $0, C(SELECTOR)
        test    $ODD_FLAGS, %eax
        jnz     .Lreset_flags
.Lflags_sane:

        /* C code may use fs at once, so its base is looked at every time. */
        cmpb    $0, C(FSGSBASE)
        je      .Lbases_done
        rdfsbase %rax
        mov     %rax, C(OUT_FS)
        cmp     %rax, C(HOST_FS)
        jne     .Lreset_bases
.Lbases_done:

        /* 32-bit code reaches its data through ds and es; 64-bit code does not care. */
        mov     C(FULL), %al
        or      C(IS32), %al
        jz      .Lcheap_end
        mov     %ds, %eax
        mov     %ax, C(OUT_DS)
        mov     %es, %ecx
        mov     %cx, C(OUT_ES)
        cmp     C(HOST_DS), %ax
        jne     .Lreset_data
        cmp     C(HOST_ES), %cx
        jne     .Lreset_data
.Ldata_done:
        cmpb    $0, C(FULL)
        je      .Lcheap_end
        mov     %gs, %eax
        mov     %ax, C(OUT_GSSEL)
        cmpb    $0, C(FSGSBASE)
        je      .Lsegments_done
        rdgsbase %rax
        mov     %rax, C(OUT_GS)
        cmp     %rax, C(HOST_GS)
        je      .Lsegments_done
        call    fnp_reset_bases
.Lsegments_done:
        mov     C(MASK_LOW), %eax
        mov     C(MASK_HIGH), %edx
        xsave64 C(XSAVE_OUT)
        mov     24 + C(XSAVE_OUT), %esi
        cmpw    $0x037f, C(XSAVE_OUT)
        jne     .Lx87_unknown
        cmpw    $0, 2 + C(XSAVE_OUT)
        jne     .Lx87_unknown
        cmpb    $0, 4 + C(XSAVE_OUT)
        jne     .Lx87_unknown
        jmp     .Lx87_sane

.Lcheap_end:
        /*
         * Reading the control registers takes as long as everything else here (STMXCSR
         * 60 ns on the machine it was measured on): only for code that could change them.
         */
        mov     C(IN_MXCSR), %esi
        mov     %esi, C(OUT_MXCSR)
        cmpb    $0, C(MXCSR)
        je      .Lmxcsr_read
        stmxcsr C(OUT_MXCSR)
        mov     C(OUT_MXCSR), %esi
.Lmxcsr_read:
        cmpb    $0, C(ENV)
        je      .Lx87_untouched
        fnstcw  C(OUT_FCW)
        fnstsw  C(OUT_FSW)
        fnstenv C(OUT_ENV)
.Lx87_unknown:
        fninit
.Lx87_reload:
        fldcw   C(HOST_FCW)
.Lx87_sane:
        cmpb    $0, C(INUSE)
        je      .Lno_inuse
        mov     $1, %ecx
        xgetbv
        mov     %eax, C(XINUSE)
        mov     %edx, 4 + C(XINUSE)
.Lno_inuse:

.Lleave:
        cmp     C(HOST_MXCSR), %esi
        je      .Lmxcsr_sane
        ldmxcsr C(HOST_MXCSR)
.Lmxcsr_sane:
        cmpb    $0, C(AVX)
        je      .Lno_avx
        vzeroupper
.Lno_avx:
        pop     %r15
        pop     %r14
        pop     %r13
        pop     %r12
        pop     %rbp
        pop     %rbx
        ret

.Lx87_untouched:
        movzwl  C(IN_FCW), %eax
        cmp     C(HOST_FCW), %ax
        je      .Lx87_sane
        jmp     .Lx87_reload

.Lreset_flags:
        pushq   $0x202
        popfq
        jmp     .Lflags_sane

.Lreset_data:
        call    fnp_reset_data
        jmp     .Ldata_done

.Lenter_gate:
        LOAD_KERNEL
        ljmpl   *C(FAR32)

.Lreset_bases:
        mov     %fs, %ecx
        mov     %cx, C(OUT_FSSEL)
        call    fnp_reset_bases
        jmp     .Lbases_done
END_FUNC(fnp_trampoline)

        /* Loading a selector changes the base, so the selectors come first. */
        .type   fnp_reset_bases, @function
fnp_reset_bases:
        mov     C(HOST_FSSEL), %ax
        mov     %eax, %fs
        mov     C(HOST_GSSEL), %ax
        mov     %eax, %gs
        mov     C(HOST_FS), %rax
        wrfsbase %rax
        mov     C(HOST_GS), %rax
        wrgsbase %rax
        ret
        .size   fnp_reset_bases, . - fnp_reset_bases

        .type   fnp_reset_data, @function
fnp_reset_data:
        mov     C(HOST_DS), %ax
        mov     %eax, %ds
        mov     C(HOST_ES), %ax
        mov     %eax, %es
        ret
        .size   fnp_reset_data, . - fnp_reset_data

/* The kernel has reset x87, MXCSR and DF for the handler we come from. */
FUNC(fnp_escape)
        mov     C(HOST_RSP), %rsp
        movb    $0, C(SELECTOR)
        pushq   $0x202
        popfq
        call    fnp_reset_data
        fninit
        fldcw   C(HOST_FCW)
        ldmxcsr C(HOST_MXCSR)
        mov     C(HOST_MXCSR), %esi
        jmp     .Lleave
END_FUNC(fnp_escape)

/*
 * Signal handlers enter here: fs may be the kernel's doing, and C code may use
 * it, so the host's bases come back first, the found ones are kept.
 */
FUNC(fnp_signal_entry)
        /* The system clears DF and TF for a handler, not AC. */
        pushq   $0x202
        popfq
        cmpb    $0, C(FSGSBASE)
        je      .Lbases_kept
        rdfsbase %rax
        cmp     %rax, C(HOST_FS)
        je      .Lbases_kept
        cmpb    $0, C(ARMED)
        je      .Lbases_kept
        mov     %rax, C(OUT_FS)
        call    fnp_reset_bases
.Lbases_kept:
        jmp     fnp_signal_handle
END_FUNC(fnp_signal_entry)

/* SA_RESTORER of our own: it lies in the range that may always make system calls. */
FUNC(fnp_signal_return)
        mov     $15, %eax
        syscall
END_FUNC(fnp_signal_return)

        .balign 4096
fnp_trampoline_end:

NO_EXEC_STACK
