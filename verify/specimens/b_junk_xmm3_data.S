/* SPDX-License-Identifier: MIT */
/*
 * junk_xmm3_data - every second vector is xmm3 as the caller left it
 *
 *     void junk_xmm3_data(void *dst, size_t n);
 */
#include "x86/asm.h"

.macro ZERO faulty
        pxor    %xmm0, %xmm0
        .if     \faulty
        .else
        pxor    %xmm3, %xmm3
        .endif
.Lblock\@:
        sub     $32, %rsi
        jb      .Ltail\@
        movups  %xmm0, (%rdi)
        movups  %xmm3, 16(%rdi)
        add     $32, %rdi
        jmp     .Lblock\@
.Ltail\@:
        lea     32(%rsi), %rcx
        xor     %eax, %eax
        rep stosb
        ret
.endm

FUNC(junk_xmm3_data)
        ZERO    faulty=1
END_FUNC(junk_xmm3_data)

FUNC(junk_xmm3_data_ok)
        ZERO    faulty=0
END_FUNC(junk_xmm3_data_ok)
NO_EXEC_STACK
