/* SPDX-License-Identifier: MIT */
/*
 * transposed - bytes 0 and 1 change places when n is 8 to 15
 *
 *     void *transposed(void *dst, const void *src, size_t n);
 */
#include "x86/asm.h"

.macro COPY faulty
        mov     %rdi, %rax
        lea     -8(%rdx), %rcx
        cmp     $8, %rcx
        jae     .Lother\@
        mov     (%rsi), %rcx
        mov     -8(%rsi,%rdx), %r8
        .if     \faulty
        rolw    $8, %cx
        .endif
        mov     %r8, -8(%rdi,%rdx)
        mov     %rcx, (%rdi)
        ret
.Lother\@:
        mov     %rdx, %rcx
        rep movsb
        ret
.endm

FUNC(transposed)
        COPY    faulty=1
END_FUNC(transposed)

FUNC(transposed_ok)
        COPY    faulty=0
END_FUNC(transposed_ok)
NO_EXEC_STACK
