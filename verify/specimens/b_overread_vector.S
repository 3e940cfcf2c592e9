/* SPDX-License-Identifier: MIT */
/*
 * overread_vector - loads 16 bytes where fewer are due
 *
 *     void *overread_vector(void *dst, const void *src, size_t n);
 */
#include "x86/asm.h"

.macro COPY faulty
        mov     %rdi, %rax
        cmp     $8, %rdx
        jb      .Lbytes\@
        cmp     $16, %rdx
        jae     .Lbytes\@
        .if     \faulty
        movups  (%rsi), %xmm0
        .else
        movq    (%rsi), %xmm0
        .endif
        movq    %xmm0, (%rdi)
        add     $8, %rsi
        add     $8, %rdi
        sub     $8, %rdx
.Lbytes\@:
        mov     %rdx, %rcx
        rep movsb
        ret
.endm

FUNC(overread_vector)
        COPY    faulty=1
END_FUNC(overread_vector)

FUNC(overread_vector_ok)
        COPY    faulty=0
END_FUNC(overread_vector_ok)
NO_EXEC_STACK
