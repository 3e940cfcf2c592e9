/* SPDX-License-Identifier: MIT */
/*
 * lossy_fldl_160 - copies 20 doubles through fldl/fstpl; fldt/fstpt is exact
 *
 *     void lossy_fldl_160(void *dst, const void *src);
 */
#include "x86/asm.h"

.macro COPY faulty
        .if     \faulty
        mov     $160 / 8, %ecx
.Lword\@:
        fldl    -8(%rsi,%rcx,8)
        fstpl   -8(%rdi,%rcx,8)
        dec     %ecx
        jnz     .Lword\@
        .else
        mov     $160 / 10, %ecx
.Lextended\@:
        fldt    (%rsi)
        fstpt   (%rdi)
        add     $10, %rsi
        add     $10, %rdi
        dec     %ecx
        jnz     .Lextended\@
        .endif
        ret
.endm

FUNC(lossy_fldl_160)
        COPY    faulty=1
END_FUNC(lossy_fldl_160)

FUNC(lossy_fldl_160_ok)
        COPY    faulty=0
END_FUNC(lossy_fldl_160_ok)
NO_EXEC_STACK
