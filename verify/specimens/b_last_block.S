/* SPDX-License-Identifier: MIT */
/*
 * last_block - the last block is lost when n is a multiple of 64
 *
 *     void *last_block(void *dst, const void *src, size_t n);
 */
#include "x86/asm.h"

.macro COPY faulty
        mov     %rdi, %rax
        test    %rdx, %rdx
        jz      .Ldone\@
        .if     \faulty
        lea     -1(%rdx), %rcx
        .else
        mov     %rdx, %rcx
        .endif
        shr     $6, %rcx
        shl     $3, %rcx
        rep movsq
        mov     %edx, %ecx
        and     $63, %ecx
        rep movsb
.Ldone\@:
        ret
.endm

FUNC(last_block)
        COPY    faulty=1
END_FUNC(last_block)

FUNC(last_block_ok)
        COPY    faulty=0
END_FUNC(last_block_ok)
NO_EXEC_STACK
