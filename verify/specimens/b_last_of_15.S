/* SPDX-License-Identifier: MIT */
/*
 * last_of_15 - the last byte is not copied when n mod 16 is 15
 *
 *     void *last_of_15(void *dst, const void *src, size_t n);
 */
#include "x86/asm.h"

.macro COPY faulty
        mov     %rdi, %rax
.Lblock\@:
        sub     $16, %rdx
        jb      .Ltail\@
        movups  (%rsi), %xmm0
        movups  %xmm0, (%rdi)
        add     $16, %rsi
        add     $16, %rdi
        jmp     .Lblock\@
.Ltail\@:
        lea     16(%rdx), %ecx
        .if     \faulty
        cmp     $15, %ecx
        jne     .Lbytes\@
        dec     %ecx
        .endif
.Lbytes\@:
        rep movsb
        ret
.endm

FUNC(last_of_15)
        COPY    faulty=1
END_FUNC(last_of_15)

FUNC(last_of_15_ok)
        COPY    faulty=0
END_FUNC(last_of_15_ok)
NO_EXEC_STACK
