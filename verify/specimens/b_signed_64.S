/* SPDX-License-Identifier: MIT */
/*
 * signed_64 - the size is compared as a signed 64-bit number: from 2^63 on it is short
 *
 *     void *signed_64(void *dst, const void *src, size_t n);
 */
#include "x86/asm.h"

.macro COPY faulty
        mov     %rdi, %rax
        cmp     $64, %rdx
        .if     \faulty
        jl      .Lshort\@
        .else
        jb      .Lshort\@
        .endif
        mov     %rdx, %rcx
        rep movsb
        ret
.Lshort\@:
        mov     %edx, %ecx
        and     $63, %ecx
        rep movsb
        ret
.endm

FUNC(signed_64)
        COPY    faulty=1
END_FUNC(signed_64)

FUNC(signed_64_ok)
        COPY    faulty=0
END_FUNC(signed_64_ok)
NO_EXEC_STACK
