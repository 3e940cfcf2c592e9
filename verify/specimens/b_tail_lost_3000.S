/* SPDX-License-Identifier: MIT */
/*
 * tail_lost_3000 - from 3000 bytes on the last n mod 8 bytes are not copied
 *
 *     void *tail_lost_3000(void *dst, const void *src, size_t n);
 */
#include "x86/asm.h"

.macro COPY faulty
        mov     %rdi, %rax
        mov     %rdx, %rcx
        cmp     $3000, %rdx
        jb      .Ltail\@
        shr     $3, %rcx
        rep movsq
        .if     \faulty
        ret
        .endif
        mov     %edx, %ecx
        and     $7, %ecx
.Ltail\@:
        rep movsb
        ret
.endm

FUNC(tail_lost_3000)
        COPY    faulty=1
END_FUNC(tail_lost_3000)

FUNC(tail_lost_3000_ok)
        COPY    faulty=0
END_FUNC(tail_lost_3000_ok)
NO_EXEC_STACK
