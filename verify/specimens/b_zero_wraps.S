/* SPDX-License-Identifier: MIT */
/*
 * zero_wraps - n = 0 counts down from 2^64
 *
 *     void zero_wraps(void *dst, size_t n);
 */
#include "x86/asm.h"

.macro ZERO faulty
        .if     \faulty
        .else
        test    %rsi, %rsi
        jz      .Ldone\@
        .endif
.Lbyte\@:
        movb    $0, (%rdi)
        inc     %rdi
        dec     %rsi
        jnz     .Lbyte\@
.Ldone\@:
        ret
.endm

FUNC(zero_wraps)
        ZERO    faulty=1
END_FUNC(zero_wraps)

FUNC(zero_wraps_ok)
        ZERO    faulty=0
END_FUNC(zero_wraps_ok)
NO_EXEC_STACK
