/* SPDX-License-Identifier: MIT */
/*
 * fill_negative - a negative fill value stores its absolute value
 *
 *     void *fill_negative(void *dst, int c, size_t n);
 */
#include "x86/asm.h"

.macro SET faulty
        mov     %rdi, %r8
        mov     %rdx, %rcx
        mov     %esi, %eax
        .if     \faulty
        cltd
        xor     %edx, %eax
        sub     %edx, %eax
        .endif
        rep stosb
        mov     %r8, %rax
        ret
.endm

FUNC(fill_negative)
        SET     faulty=1
END_FUNC(fill_negative)

FUNC(fill_negative_ok)
        SET     faulty=0
END_FUNC(fill_negative_ok)
NO_EXEC_STACK
