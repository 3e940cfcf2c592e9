/* SPDX-License-Identifier: MIT */
/*
 * threshold_gap - n = 33 takes the path of two 16-byte vectors and loses the byte between
 *
 *     void *threshold_gap(void *dst, const void *src, size_t n);
 */
#include "x86/asm.h"

.macro COPY faulty
        mov     %rdi, %rax
        cmp     $16, %rdx
        jb      .Lother\@
        .if     \faulty
        cmp     $33, %rdx
        .else
        cmp     $32, %rdx
        .endif
        ja      .Lother\@
        movups  (%rsi), %xmm0
        movups  -16(%rsi,%rdx), %xmm1
        movups  %xmm0, (%rdi)
        movups  %xmm1, -16(%rdi,%rdx)
        ret
.Lother\@:
        mov     %rdx, %rcx
        rep movsb
        ret
.endm

FUNC(threshold_gap)
        COPY    faulty=1
END_FUNC(threshold_gap)

FUNC(threshold_gap_ok)
        COPY    faulty=0
END_FUNC(threshold_gap_ok)
NO_EXEC_STACK
