/* SPDX-License-Identifier: MIT */
/*
 * lossy_cvt - goes through double precision and back: denormals vanish under DAZ or FTZ
 *
 *     void *lossy_cvt(void *dst, const void *src, size_t n);
 */
#include "x86/asm.h"

.macro COPY faulty
        mov     %rdi, %rax
.Lword\@:
        sub     $8, %rdx
        jb      .Ltail\@
        .if     \faulty
        cvtps2pd (%rsi), %xmm0
        cvtpd2ps %xmm0, %xmm0
        .else
        movlps  (%rsi), %xmm0
        .endif
        movlps  %xmm0, (%rdi)
        add     $8, %rsi
        add     $8, %rdi
        jmp     .Lword\@
.Ltail\@:
        lea     8(%rdx), %rcx
        rep movsb
        ret
.endm

FUNC(lossy_cvt)
        COPY    faulty=1
END_FUNC(lossy_cvt)

FUNC(lossy_cvt_ok)
        COPY    faulty=0
END_FUNC(lossy_cvt_ok)
NO_EXEC_STACK
