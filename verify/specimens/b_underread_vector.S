/* SPDX-License-Identifier: MIT */
/*
 * underread_vector - loads the last 16 bytes also when there are only 8 to 15
 *
 *     void *underread_vector(void *dst, const void *src, size_t n);
 */
#include "x86/asm.h"

.macro COPY faulty
        mov     %rdi, %rax
        cmp     $8, %rdx
        jb      .Lbytes\@
        cmp     $16, %rdx
        jae     .Lbytes\@
        .if     \faulty
        movups  -16(%rsi,%rdx), %xmm0
        movhps  %xmm0, -8(%rdi,%rdx)
        .else
        movq    -8(%rsi,%rdx), %xmm0
        movq    %xmm0, -8(%rdi,%rdx)
        .endif
        sub     $8, %rdx
.Lbytes\@:
        mov     %rdx, %rcx
        rep movsb
        ret
.endm

FUNC(underread_vector)
        COPY    faulty=1
END_FUNC(underread_vector)

FUNC(underread_vector_ok)
        COPY    faulty=0
END_FUNC(underread_vector_ok)
NO_EXEC_STACK
