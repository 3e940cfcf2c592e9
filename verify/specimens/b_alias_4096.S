/* SPDX-License-Identifier: MIT */
/*
 * alias_4096 - the last byte is inverted when dst and src agree modulo 4096
 *
 *     void *alias_4096(void *dst, const void *src, size_t n);
 */
#include "x86/asm.h"

.macro COPY faulty
        mov     %rdi, %rax
        mov     %esi, %r8d
        xor     %edi, %r8d
        mov     %rdx, %rcx
        rep movsb
        .if     \faulty
        test    $4095, %r8d
        jnz     .Ldone\@
        test    %rdx, %rdx
        jz      .Ldone\@
        notb    -1(%rax,%rdx)
        .endif
.Ldone\@:
        ret
.endm

FUNC(alias_4096)
        COPY    faulty=1
END_FUNC(alias_4096)

FUNC(alias_4096_ok)
        COPY    faulty=0
END_FUNC(alias_4096_ok)
NO_EXEC_STACK
