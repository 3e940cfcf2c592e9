/* SPDX-License-Identifier: MIT */
/*
 * aligned_store - movaps to a destination that is only 8-byte aligned
 *
 *     void aligned_store(void *dst, size_t n);
 */
#include "x86/asm.h"

.macro ZERO faulty
        xorps   %xmm0, %xmm0
.Lblock\@:
        sub     $16, %rsi
        jb      .Ltail\@
        .if     \faulty
        movaps  %xmm0, (%rdi)
        .else
        movups  %xmm0, (%rdi)
        .endif
        add     $16, %rdi
        jmp     .Lblock\@
.Ltail\@:
        lea     16(%rsi), %rcx
        xor     %eax, %eax
        rep stosb
        ret
.endm

FUNC(aligned_store)
        ZERO    faulty=1
END_FUNC(aligned_store)

FUNC(aligned_store_ok)
        ZERO    faulty=0
END_FUNC(aligned_store_ok)
NO_EXEC_STACK
