/* SPDX-License-Identifier: MIT */
/*
 * read_ahead - loads the next byte also when there is none
 *
 *     void *read_ahead(void *dst, const void *src, size_t n);
 */
#include "x86/asm.h"

.macro COPY faulty
        mov     %rdi, %rax
        test    %rdx, %rdx
        jz      .Ldone\@
        movzbl  (%rsi), %ecx
.Lbyte\@:
        .if     \faulty
        movzbl  1(%rsi), %r8d
        mov     %cl, (%rdi)
        mov     %r8d, %ecx
        inc     %rsi
        inc     %rdi
        dec     %rdx
        jnz     .Lbyte\@
        .else
        mov     %cl, (%rdi)
        dec     %rdx
        jz      .Ldone\@
        movzbl  1(%rsi), %ecx
        inc     %rsi
        inc     %rdi
        jmp     .Lbyte\@
        .endif
.Ldone\@:
        ret
.endm

FUNC(read_ahead)
        COPY    faulty=1
END_FUNC(read_ahead)

FUNC(read_ahead_ok)
        COPY    faulty=0
END_FUNC(read_ahead_ok)
NO_EXEC_STACK
