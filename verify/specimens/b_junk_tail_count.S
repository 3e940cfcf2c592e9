/* SPDX-License-Identifier: MIT */
/*
 * junk_tail_count - the tail's length is r11 mod 8, and r11 was never loaded
 *
 *     void *junk_tail_count(void *dst, const void *src, size_t n);
 */
#include "x86/asm.h"

.macro COPY faulty
        mov     %rdi, %rax
        mov     %rdx, %rcx
        .if     \faulty
        .else
        mov     %rdx, %r11
        .endif
        shr     $3, %rcx
        rep movsq
        mov     %r11d, %ecx
        and     $7, %ecx
        rep movsb
        ret
.endm

FUNC(junk_tail_count)
        COPY    faulty=1
END_FUNC(junk_tail_count)

FUNC(junk_tail_count_ok)
        COPY    faulty=0
END_FUNC(junk_tail_count_ok)
NO_EXEC_STACK
