/* SPDX-License-Identifier: MIT */
/*
 * signed_unsigned - an unsigned length is compared as a signed one
 *
 *     void *signed_unsigned(void *dst, const void *src, unsigned n);
 */
#include "x86/asm.h"

.macro COPY faulty
        mov     %rdi, %rax
        cmp     $16, %edx
        .if     \faulty
        jl      .Lshort\@
        .else
        jb      .Lshort\@
        .endif
        mov     %edx, %ecx
        rep movsb
        ret
.Lshort\@:
        test    $8, %dl
        jz      .L4\@
        movsq
.L4\@:
        test    $4, %dl
        jz      .L2\@
        movsl
.L2\@:
        test    $2, %dl
        jz      .L1\@
        movsw
.L1\@:
        test    $1, %dl
        jz      .Ldone\@
        movsb
.Ldone\@:
        ret
.endm

FUNC(signed_unsigned)
        COPY    faulty=1
END_FUNC(signed_unsigned)

FUNC(signed_unsigned_ok)
        COPY    faulty=0
END_FUNC(signed_unsigned_ok)
NO_EXEC_STACK
