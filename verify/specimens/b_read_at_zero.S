/* SPDX-License-Identifier: MIT */
/*
 * read_at_zero - loads the first byte before it asks whether there is one
 *
 *     void *read_at_zero(void *dst, const void *src, size_t n);
 */
#include "x86/asm.h"

.macro COPY faulty
        mov     %rdi, %rax
        .if     \faulty
        movzbl  (%rsi), %r8d
        .endif
        test    %rdx, %rdx
        jz      .Ldone\@
        .if     \faulty
        .else
        movzbl  (%rsi), %r8d
        .endif
        lea     -1(%rdx), %rcx
        mov     %r8b, (%rdi)
        inc     %rsi
        inc     %rdi
        rep movsb
.Ldone\@:
        ret
.endm

FUNC(read_at_zero)
        COPY    faulty=1
END_FUNC(read_at_zero)

FUNC(read_at_zero_ok)
        COPY    faulty=0
END_FUNC(read_at_zero_ok)
NO_EXEC_STACK
