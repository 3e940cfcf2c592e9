/* SPDX-License-Identifier: MIT */
/*
 * source_xchg - bytes are exchanged where they should be copied
 *
 *     void *source_xchg(void *dst, const void *src, size_t n);
 */
#include "x86/asm.h"

.macro COPY faulty
        mov     %rdi, %rax
        test    %rdx, %rdx
        jz      .Ldone\@
.Lbyte\@:
        movzbl  -1(%rsi,%rdx), %ecx
        .if     \faulty
        xchg    %cl, -1(%rdi,%rdx)
        mov     %cl, -1(%rsi,%rdx)
        .else
        mov     %cl, -1(%rdi,%rdx)
        .endif
        dec     %rdx
        jnz     .Lbyte\@
.Ldone\@:
        ret
.endm

FUNC(source_xchg)
        COPY    faulty=1
END_FUNC(source_xchg)

FUNC(source_xchg_ok)
        COPY    faulty=0
END_FUNC(source_xchg_ok)
NO_EXEC_STACK
