/* SPDX-License-Identifier: MIT */
/*
 * aligned_load - movdqa from a source that need not be aligned
 *
 *     void *aligned_load(void *dst, const void *src, size_t n);
 */
#include "x86/asm.h"

.macro COPY faulty
        mov     %rdi, %rax
.Lblock\@:
        sub     $16, %rdx
        jb      .Ltail\@
        .if     \faulty
        movdqa  (%rsi), %xmm0
        .else
        movdqu  (%rsi), %xmm0
        .endif
        movdqu  %xmm0, (%rdi)
        add     $16, %rsi
        add     $16, %rdi
        jmp     .Lblock\@
.Ltail\@:
        lea     16(%rdx), %rcx
        rep movsb
        ret
.endm

FUNC(aligned_load)
        COPY    faulty=1
END_FUNC(aligned_load)

FUNC(aligned_load_ok)
        COPY    faulty=0
END_FUNC(aligned_load_ok)
NO_EXEC_STACK
