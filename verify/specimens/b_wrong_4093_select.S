/* SPDX-License-Identifier: MIT */
/*
 * wrong_4093_select - bit 0 of the middle byte flips when n = 4093 and dst mod 64 = 13
 * No branch depends on the fault: coverage of blocks and edges cannot see it.
 *
 *     void *wrong_4093_select(void *dst, const void *src, size_t n);
 */
#include "x86/asm.h"

.macro COPY faulty
        mov     %rdi, %rax
        test    %rdx, %rdx
        jz      .Ldone\@
        mov     %rdx, %r8
        shr     $1, %r8
        movzbl  (%rsi,%r8), %r9d        /* the middle byte */
        mov     %rdx, %rcx
        rep movsb
        xor     $4093, %rdx
        mov     %eax, %ecx
        and     $63, %ecx
        xor     $13, %ecx
        or      %rcx, %rdx
        sete    %cl
        .if     \faulty
        xor     %ecx, %r9d
        .endif
        mov     %r9b, (%rax,%r8)
.Ldone\@:
        ret
.endm

FUNC(wrong_4093_select)
        COPY    faulty=1
END_FUNC(wrong_4093_select)

FUNC(wrong_4093_select_ok)
        COPY    faulty=0
END_FUNC(wrong_4093_select_ok)
NO_EXEC_STACK
