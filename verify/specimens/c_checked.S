/* SPDX-License-Identifier: MIT */
/*
 * c_checked - a copy that is told the size of the object at dst and gives up when n
 * exceeds it, as __memcpy_chk does
 *
 *     void *checked(void *dst, const void *src, size_t n, size_t object);
 *
 * The contract passes a constant for `object`: 64 makes longer copies give up, the
 * greatest number ("unknown") none.
 */
#include "x86/asm.h"

FUNC(checked)
        cmp     %rdx, %rcx
        jb      .Ltoo_long
        mov     %rdi, %rax
        mov     %rdx, %rcx
        rep movsb
        ret
.Ltoo_long:
        ud2
END_FUNC(checked)
NO_EXEC_STACK
