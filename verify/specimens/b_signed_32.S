/* SPDX-License-Identifier: MIT */
/*
 * signed_32 - the size is compared as a signed 32-bit number: from 2^31 on it is short
 *
 *     void *signed_32(void *dst, const void *src, size_t n);
 */
#include "x86/asm.h"

.macro COPY faulty
        mov     %rdi, %rax
        .if     \faulty
        cmp     $64, %edx
        jl      .Lshort\@
        .else
        cmp     $64, %rdx
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

FUNC(signed_32)
        COPY    faulty=1
END_FUNC(signed_32)

FUNC(signed_32_ok)
        COPY    faulty=0
END_FUNC(signed_32_ok)
NO_EXEC_STACK
