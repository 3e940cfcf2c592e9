/* SPDX-License-Identifier: MIT */
/*
 * effect_call.S - run one instruction with a whole machine state, and take the state after
 *
 *     void effect_enter(void);
 *
 * The state stands in struct effect_context at CTX; the instruction at INSN, in a 64-bit
 * or (CTX_GO is effect_go32) a 32-bit segment, whose way out is at EXIT.  A signal
 * handler continues at effect_leave.
 *
 * Registers
 *   all of them are loaded and stored; none is safe
 */
#include "verify/self/effect_layout.h"

        .text
        .globl  effect_enter, effect_go32, effect_leave
effect_enter:
        push    %rbx
        push    %rbp
        push    %r12
        push    %r13
        push    %r14
        push    %r15
        mov     %rsp, CTX_HOST
        mov     $0x2b, %eax             /* Linux's __USER_DS, for 32-bit code */
        mov     %eax, %ds
        mov     %eax, %es
        mov     $XSAVE_PARTS, %eax
        xor     %edx, %edx
        xrstor64 CTX_XIN
        mov     $CTX_TOP, %esp
        pushq   CTX_FLAGS
        popfq
        mov     CTX_IN, %rax
        mov     CTX_IN + 8, %rcx
        mov     CTX_IN + 16, %rdx
        mov     CTX_IN + 24, %rbx
        mov     CTX_IN + 32, %rsp
        mov     CTX_IN + 40, %rbp
        mov     CTX_IN + 48, %rsi
        mov     CTX_IN + 56, %rdi
        mov     CTX_IN + 64, %r8
        mov     CTX_IN + 72, %r9
        mov     CTX_IN + 80, %r10
        mov     CTX_IN + 88, %r11
        mov     CTX_IN + 96, %r12
        mov     CTX_IN + 104, %r13
        mov     CTX_IN + 112, %r14
        mov     CTX_IN + 120, %r15
        jmp     *CTX_GO
effect_go32:
        ljmp    *CTX_FAR

effect_leave:
        mov     %rax, CTX_OUT
        mov     %rcx, CTX_OUT + 8
        mov     %rdx, CTX_OUT + 16
        mov     %rbx, CTX_OUT + 24
        mov     %rsp, CTX_OUT + 32
        mov     %rbp, CTX_OUT + 40
        mov     %rsi, CTX_OUT + 48
        mov     %rdi, CTX_OUT + 56
        mov     %r8, CTX_OUT + 64
        mov     %r9, CTX_OUT + 72
        mov     %r10, CTX_OUT + 80
        mov     %r11, CTX_OUT + 88
        mov     %r12, CTX_OUT + 96
        mov     %r13, CTX_OUT + 104
        mov     %r14, CTX_OUT + 112
        mov     %r15, CTX_OUT + 120
        mov     $CTX_TOP, %esp
        pushfq
        popq    CTX_AFTER
        push    $2
        popfq
        mov     $XSAVE_PARTS, %eax
        xor     %edx, %edx
        xsave64 CTX_XOUT
        xrstor64 CTX_XINIT
        mov     CTX_HOST, %rsp
        pop     %r15
        pop     %r14
        pop     %r13
        pop     %r12
        pop     %rbp
        pop     %rbx
        ret

/* What stands at EXIT and BACK64, copied there. */
        .section .rodata
        .globl  effect_exit64, effect_exit32
effect_exit64:
        jmp     *CTX_LEAVE
        .code32
effect_exit32:
        ljmp    $0x33, $BACK64          /* Linux's __USER_CS */
        .code64

        .section .note.GNU-stack, "", @progbits
