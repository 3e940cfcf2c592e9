/* SPDX-License-Identifier: MIT */
/*
 * lossy_fldl - copies doubles through the x87 stack, which quiets signalling NaNs
 *
 *     void *lossy_fldl(void *dst, const void *src, size_t n);
 */
#include "x86/asm.h"

.macro COPY faulty
        mov     %rdi, %rax
        mov     %rdx, %rcx
        shr     $3, %rcx
        jz      .Ltail\@
.Lword\@:
        .if     \faulty
        fldl    (%rsi)
        fstpl   (%rdi)
        .else
        fildll  (%rsi)
        fistpll (%rdi)
        .endif
        add     $8, %rsi
        add     $8, %rdi
        dec     %rcx
        jnz     .Lword\@
.Ltail\@:
        mov     %edx, %ecx
        and     $7, %ecx
        rep movsb
        ret
.endm

FUNC(lossy_fldl)
        COPY    faulty=1
END_FUNC(lossy_fldl)

FUNC(lossy_fldl_ok)
        COPY    faulty=0
END_FUNC(lossy_fldl_ok)
NO_EXEC_STACK
