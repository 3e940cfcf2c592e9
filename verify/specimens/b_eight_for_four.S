/* SPDX-License-Identifier: MIT */
/*
 * eight_for_four - stores 8 bytes where 4 to 7 are due
 *
 *     void *eight_for_four(void *dst, const void *src, size_t n);
 */
#include "x86/asm.h"

.macro COPY faulty
        mov     %rdi, %rax
        lea     -4(%rdx), %rcx
        cmp     $4, %rcx
        jae     .Lother\@
        mov     (%rsi), %ecx
        mov     -4(%rsi,%rdx), %r8d
        .if     \faulty
        mov     %rcx, (%rdi)
        .else
        mov     %ecx, (%rdi)
        .endif
        mov     %r8d, -4(%rdi,%rdx)
        ret
.Lother\@:
        mov     %rdx, %rcx
        rep movsb
        ret
.endm

FUNC(eight_for_four)
        COPY    faulty=1
END_FUNC(eight_for_four)

FUNC(eight_for_four_ok)
        COPY    faulty=0
END_FUNC(eight_for_four_ok)
NO_EXEC_STACK
