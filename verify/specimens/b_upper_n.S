/* SPDX-License-Identifier: MIT */
/*
 * upper_n - uses rdx where only edx is an argument
 *
 *     void *upper_n(void *dst, const void *src, unsigned n);
 */
#include "x86/asm.h"

.macro COPY faulty
        mov     %rdi, %rax
        .if     \faulty
        mov     %rdx, %rcx
        .else
        mov     %edx, %ecx
        .endif
        rep movsb
        ret
.endm

FUNC(upper_n)
        COPY    faulty=1
END_FUNC(upper_n)

FUNC(upper_n_ok)
        COPY    faulty=0
END_FUNC(upper_n_ok)
NO_EXEC_STACK
