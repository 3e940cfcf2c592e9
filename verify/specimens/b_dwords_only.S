/* SPDX-License-Identifier: MIT */
/*
 * dwords_only - the last n mod 4 bytes are not copied
 *
 *     void *dwords_only(void *dst, const void *src, size_t n);
 */
#include "x86/asm.h"

.macro COPY faulty
        mov     %rdi, %rax
        mov     %rdx, %rcx
        shr     $2, %rcx
        rep movsl
        .if     \faulty
        .else
        mov     %edx, %ecx
        and     $3, %ecx
        rep movsb
        .endif
        ret
.endm

FUNC(dwords_only)
        COPY    faulty=1
END_FUNC(dwords_only)

FUNC(dwords_only_ok)
        COPY    faulty=0
END_FUNC(dwords_only_ok)
NO_EXEC_STACK
