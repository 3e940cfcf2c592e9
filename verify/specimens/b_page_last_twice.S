/* SPDX-License-Identifier: MIT */
/*
 * page_last_twice - the last line is copied twice and the one before it not at all
 *
 *     void page_last_twice(void *dst, const void *src);
 */
#include "x86/asm.h"

.macro COPY faulty
        mov     $62, %ecx
.Lline\@:
        movups  (%rsi), %xmm0
        movups  16(%rsi), %xmm1
        movups  32(%rsi), %xmm2
        movups  48(%rsi), %xmm3
        movups  %xmm0, (%rdi)
        movups  %xmm1, 16(%rdi)
        movups  %xmm2, 32(%rdi)
        movups  %xmm3, 48(%rdi)
        add     $64, %rsi
        add     $64, %rdi
        dec     %ecx
        jnz     .Lline\@
        mov     $2, %r8d
.Llast\@:
        .if     \faulty
        lea     64(%rsi), %rsi
        lea     64(%rdi), %rdi
        .endif
        mov     $8, %ecx
        rep movsq
        .if     \faulty
        sub     $128, %rsi
        sub     $128, %rdi
        .endif
        dec     %r8d
        jnz     .Llast\@
        ret
.endm

FUNC(page_last_twice)
        COPY    faulty=1
END_FUNC(page_last_twice)

FUNC(page_last_twice_ok)
        COPY    faulty=0
END_FUNC(page_last_twice_ok)
NO_EXEC_STACK
