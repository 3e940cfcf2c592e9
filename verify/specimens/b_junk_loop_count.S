/* SPDX-License-Identifier: MIT */
/*
 * junk_loop_count - the loop counts down r11, which was never loaded
 *
 *     void *junk_loop_count(void *dst, const void *src, size_t n);
 */
#include "x86/asm.h"

.macro COPY faulty
        mov     %rdi, %rax
        mov     %rdx, %rcx
        .if     \faulty
        .else
        mov     %rdx, %r11
        .endif
        and     $7, %ecx
        rep movsb
        shr     $3, %r11
        jz      .Ldone\@
.Lword\@:
        mov     (%rsi), %rcx
        mov     %rcx, (%rdi)
        add     $8, %rsi
        add     $8, %rdi
        dec     %r11
        jnz     .Lword\@
.Ldone\@:
        ret
.endm

FUNC(junk_loop_count)
        COPY    faulty=1
END_FUNC(junk_loop_count)

FUNC(junk_loop_count_ok)
        COPY    faulty=0
END_FUNC(junk_loop_count_ok)
NO_EXEC_STACK
