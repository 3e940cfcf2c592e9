/* SPDX-License-Identifier: MIT */
/*
 * run_kernels.S - code for run_test: each piece does one thing to the machine
 *
 * Position-independent; run_test copies [run_NAME, run_NAME_end) into an image.
 */
        .section .rodata

#define PIECE(name)  .globl run_##name; run_##name:
#define END(name)    .globl run_##name##_end; run_##name##_end:

PIECE(nothing)
        ret
END(nothing)

PIECE(not_rax) not %rax; ret
END(not_rax)
PIECE(not_rbx) not %rbx; ret
END(not_rbx)
PIECE(not_rbp) not %rbp; ret
END(not_rbp)
PIECE(not_rdi) not %rdi; ret
END(not_rdi)
PIECE(not_r8) not %r8; ret
END(not_r8)
PIECE(not_r15) not %r15; ret
END(not_r15)

PIECE(set_df) std; ret
END(set_df)
PIECE(set_ac)
        pushfq
        orl     $0x40000, (%rsp)
        popfq
        ret
END(set_ac)
PIECE(set_nt)
        pushfq
        orl     $0x4000, (%rsp)
        popfq
        ret
END(set_nt)
PIECE(set_tf)
        pushfq
        orl     $0x100, (%rsp)
        popfq
        ret
END(set_tf)
PIECE(set_df_and_fault)
        std
        pushfq
        orl     $0x40000, (%rsp)
        popfq
        xor     %eax, %eax
        mov     8(%rax), %rax
        ret
END(set_df_and_fault)

PIECE(mxcsr)
        push    $0x9fc0
        ldmxcsr (%rsp)
        pop     %rax
        ret
END(mxcsr)
PIECE(fcw)
        push    $0x027f
        fldcw   (%rsp)
        pop     %rax
        ret
END(fcw)
PIECE(fld1) fld1; ret
END(fld1)
PIECE(movd) movd %eax, %mm3; ret
END(movd)
PIECE(xmm9) pcmpeqd %xmm9, %xmm9; ret
END(xmm9)
PIECE(ymm4)
        vpcmpeqd %xmm4, %xmm4, %xmm4
        vinsertf128 $1, %xmm4, %ymm4, %ymm4
        ret
END(ymm4)
PIECE(fs_base)
        mov     $0x1234, %eax
        wrfsbase %rax
        ret
END(fs_base)
PIECE(fs_base_and_fault)
        mov     $0x1234, %eax
        wrfsbase %rax
        ud2
END(fs_base_and_fault)
PIECE(ret_8) ret $8
END(ret_8)

PIECE(null)
        xor     %eax, %eax
        mov     8(%rax), %rax
        ret
END(null)
PIECE(ud2) ud2
END(ud2)
PIECE(int3) int3; ret
END(int3)
PIECE(hlt) hlt; ret
END(hlt)
PIECE(divide)
        xor     %ecx, %ecx
        div     %rcx
        ret
END(divide)
PIECE(trap_flag)
        pushfq
        orl     $0x100, (%rsp)
        popfq
        nop
        ret
END(trap_flag)
PIECE(spin) jmp run_spin
END(spin)
PIECE(getpid)
        mov     $39, %eax
        syscall
        ret
END(getpid)
PIECE(exit_80)
        mov     $1, %eax
        xor     %ebx, %ebx
        int     $0x80
        ret
END(exit_80)
PIECE(no_stack)
        xor     %esp, %esp
        push    %rax
        ret
END(no_stack)
PIECE(everything_lost)
        std
        mov     $0x6000, %esp
        xor     %eax, %eax
        not     %rax
        mov     %rax, %rbx
        mov     %rax, %rbp
        mov     %rax, %r12
        mov     %rax, %r13
        mov     %rax, %r14
        mov     %rax, %r15
        jmp     *%rax
END(everything_lost)

/* The same in a 32-bit segment. */
        .code32
PIECE(nothing_32)
        ret
END(nothing_32)
PIECE(not_eax) not %eax; ret
END(not_eax)
PIECE(not_ebx) not %ebx; ret
END(not_ebx)
PIECE(not_ebp) not %ebp; ret
END(not_ebp)
PIECE(not_edi) not %edi; ret
END(not_edi)
PIECE(set_df_32) std; ret
END(set_df_32)
PIECE(set_ac_32)
        pushfl
        orl     $0x40000, (%esp)
        popfl
        ret
END(set_ac_32)
PIECE(set_nt_32)
        pushfl
        orl     $0x4000, (%esp)
        popfl
        ret
END(set_nt_32)
PIECE(set_tf_32)
        pushfl
        orl     $0x100, (%esp)
        popfl
        ret
END(set_tf_32)
PIECE(set_df_and_fault_32)
        std
        pushfl
        orl     $0x40000, (%esp)
        popfl
        xor     %eax, %eax
        mov     8(%eax), %eax
        ret
END(set_df_and_fault_32)
PIECE(mxcsr_32)
        push    $0x9fc0
        ldmxcsr (%esp)
        pop     %eax
        ret
END(mxcsr_32)
PIECE(fcw_32)
        push    $0x027e
        fldcw   (%esp)
        pop     %eax
        ret
END(fcw_32)
PIECE(fld1_32) fld1; ret
END(fld1_32)
PIECE(movd_32) movd %esp, %mm3; ret
END(movd_32)
PIECE(xmm7_32) pcmpeqd %xmm7, %xmm7; ret
END(xmm7_32)
PIECE(ymm4_32)
        vcmptrueps %ymm4, %ymm4, %ymm4
        ret
END(ymm4_32)
PIECE(ds_32)
        mov     $0, %eax
        mov     %eax, %ds
        ret
END(ds_32)
PIECE(es_and_fault_32)
        xor     %eax, %eax
        mov     %eax, %es
        stosb
        ret
END(es_and_fault_32)
PIECE(ret_4) ret $4
END(ret_4)
PIECE(null_32)
        xor     %ecx, %ecx
        mov     %ecx, 4(%ecx)
        ret
END(null_32)
PIECE(ud2_32) ud2
END(ud2_32)
PIECE(int3_32) int3; ret
END(int3_32)
PIECE(hlt_32) hlt; ret
END(hlt_32)
PIECE(divide_32)
        xor     %ecx, %ecx
        div     %ecx
        ret
END(divide_32)
PIECE(trap_flag_32)
        pushfl
        orl     $0x100, (%esp)
        popfl
        nop
        nop
        ret
END(trap_flag_32)
PIECE(spin_32) jmp .
END(spin_32)
PIECE(exit_int80)
        mov     $1, %eax
        xor     %ebx, %ebx
        int     $0x80
        ret
END(exit_int80)
PIECE(no_stack_32)
        xor     %esp, %esp
        push    %eax
        ret
END(no_stack_32)
PIECE(everything_lost_32)
        std
        mov     $0x6000, %esp
        xor     %eax, %eax
        mov     %eax, %ds
        mov     %eax, %es
        mov     %eax, %fs
        mov     %eax, %gs
        not     %eax
        mov     %eax, %ebx
        mov     %eax, %ebp
        mov     %eax, %esi
        mov     %eax, %edi
        jmp     *%eax
END(everything_lost_32)
        .code64

        .section .note.GNU-stack, "", @progbits
