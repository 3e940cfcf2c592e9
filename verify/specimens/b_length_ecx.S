/* SPDX-License-Identifier: MIT */
/*
 * length_ecx - the length loses its upper 32 bits: nothing is copied for n = 2^32
 *
 *     void *length_ecx(void *dst, const void *src, size_t n);
 */
#include "x86/asm.h"

.macro COPY faulty
        mov     %rdi, %rax
        .if     \faulty
        mov     %edx, %ecx
        .else
        mov     %rdx, %rcx
        .endif
        rep movsb
        ret
.endm

FUNC(length_ecx)
        COPY    faulty=1
END_FUNC(length_ecx)

FUNC(length_ecx_ok)
        COPY    faulty=0
END_FUNC(length_ecx_ok)
NO_EXEC_STACK
