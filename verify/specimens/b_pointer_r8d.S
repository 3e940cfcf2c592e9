/* SPDX-License-Identifier: MIT */
/*
 * pointer_r8d - the address of the last 16 source bytes is computed in 32 bits
 *
 *     void *pointer_r8d(void *dst, const void *src, size_t n);
 */
#include "x86/asm.h"

.macro COPY faulty
        mov     %rdi, %rax
        cmp     $16, %rdx
        jb      .Lshort\@
        .if     \faulty
        lea     -16(%rsi,%rdx), %r8d
        .else
        lea     -16(%rsi,%rdx), %r8
        .endif
        movups  (%r8), %xmm0
        movups  %xmm0, -16(%rdi,%rdx)
        sub     $16, %rdx
.Lshort\@:
        mov     %rdx, %rcx
        rep movsb
        ret
.endm

FUNC(pointer_r8d)
        COPY    faulty=1
END_FUNC(pointer_r8d)

FUNC(pointer_r8d_ok)
        COPY    faulty=0
END_FUNC(pointer_r8d_ok)
NO_EXEC_STACK
