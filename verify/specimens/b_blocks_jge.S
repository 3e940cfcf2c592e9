/* SPDX-License-Identifier: MIT */
/*
 * blocks_jge - dec/jge runs the block loop once too often
 *
 *     void blocks_jge(void *dst, size_t n);
 */
#include "x86/asm.h"

.macro ZERO faulty
        xorps   %xmm0, %xmm0
        shr     $6, %rsi
.Lblock\@:
        movups  %xmm0, (%rdi)
        movups  %xmm0, 16(%rdi)
        movups  %xmm0, 32(%rdi)
        movups  %xmm0, 48(%rdi)
        add     $64, %rdi
        dec     %rsi
        .if     \faulty
        jge     .Lblock\@
        .else
        jnz     .Lblock\@
        .endif
        ret
.endm

FUNC(blocks_jge)
        ZERO    faulty=1
END_FUNC(blocks_jge)

FUNC(blocks_jge_ok)
        ZERO    faulty=0
END_FUNC(blocks_jge_ok)
NO_EXEC_STACK
