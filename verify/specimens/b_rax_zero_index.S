/* SPDX-License-Identifier: MIT */
/*
 * rax_zero_index - the byte index starts at whatever al holds
 *
 *     void *rax_zero_index(void *dst, const void *src, size_t n);
 */
#include "x86/asm.h"

.macro COPY faulty
        xor     %ecx, %ecx
        .if     \faulty
        mov     %al, %cl
        .endif
        mov     %rdi, %rax
.Lbyte\@:
        cmp     %rdx, %rcx
        jae     .Ldone\@
        movzbl  (%rsi,%rcx), %r8d
        mov     %r8b, (%rdi,%rcx)
        inc     %rcx
        jmp     .Lbyte\@
.Ldone\@:
        ret
.endm

FUNC(rax_zero_index)
        COPY    faulty=1
END_FUNC(rax_zero_index)

FUNC(rax_zero_index_ok)
        COPY    faulty=0
END_FUNC(rax_zero_index_ok)
NO_EXEC_STACK
