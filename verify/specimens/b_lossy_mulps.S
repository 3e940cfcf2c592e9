/* SPDX-License-Identifier: MIT */
/*
 * lossy_mulps - multiplies by one: denormals vanish under DAZ, signalling NaNs are quieted
 *
 *     void *lossy_mulps(void *dst, const void *src, size_t n);
 */
#include "x86/asm.h"

.macro COPY faulty
        mov     %rdi, %rax
        pcmpeqd %xmm1, %xmm1
        pslld   $25, %xmm1
        psrld   $2, %xmm1               /* 1.0 four times */
.Lblock\@:
        sub     $16, %rdx
        jb      .Ltail\@
        movups  (%rsi), %xmm0
        .if     \faulty
        mulps   %xmm1, %xmm0
        .endif
        movups  %xmm0, (%rdi)
        add     $16, %rsi
        add     $16, %rdi
        jmp     .Lblock\@
.Ltail\@:
        lea     16(%rdx), %rcx
        rep movsb
        ret
.endm

FUNC(lossy_mulps)
        COPY    faulty=1
END_FUNC(lossy_mulps)

FUNC(lossy_mulps_ok)
        COPY    faulty=0
END_FUNC(lossy_mulps_ok)
NO_EXEC_STACK
