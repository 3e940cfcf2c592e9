/* SPDX-License-Identifier: MIT */
/*
 * wrong_4093 - byte 2047 is inverted when n = 4093 and dst mod 64 = 13
 *
 *     void *wrong_4093(void *dst, const void *src, size_t n);
 */
#include "x86/asm.h"

.macro COPY faulty
        mov     %rdi, %rax
        mov     %rdx, %rcx
        rep movsb
        .if     \faulty
        cmp     $4093, %rdx
        jb      .Ldone\@
        cmp     $4093, %rdx
        ja      .Ldone\@
        mov     %eax, %ecx
        and     $63, %ecx
        cmp     $13, %ecx
        jne     .Ldone\@
        notb    2047(%rax)
        .endif
.Ldone\@:
        ret
.endm

FUNC(wrong_4093)
        COPY    faulty=1
END_FUNC(wrong_4093)

FUNC(wrong_4093_ok)
        COPY    faulty=0
END_FUNC(wrong_4093_ok)
NO_EXEC_STACK
