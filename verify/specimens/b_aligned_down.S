/* SPDX-License-Identifier: MIT */
/*
 * aligned_down - starts at the 64-byte line below dst when n >= 64
 *
 *     void aligned_down(void *dst, size_t n);
 */
#include "x86/asm.h"

.macro ZERO faulty
        xor     %eax, %eax
        mov     %rsi, %rcx
        .if     \faulty
        cmp     $64, %rsi
        jb      .Lstore\@
        add     %rdi, %rcx
        dec     %rdi
        and     $-64, %rdi
        sub     %rdi, %rcx
        .endif
.Lstore\@:
        rep stosb
        ret
.endm

FUNC(aligned_down)
        ZERO    faulty=1
END_FUNC(aligned_down)

FUNC(aligned_down_ok)
        ZERO    faulty=0
END_FUNC(aligned_down_ok)
NO_EXEC_STACK
