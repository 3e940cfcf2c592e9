/* SPDX-License-Identifier: MIT */
/*
 * src_phase - the first byte is repeated when src mod 16 = 11 and n >= 64
 *
 *     void *src_phase(void *dst, const void *src, size_t n);
 */
#include "x86/asm.h"

.macro COPY faulty
        mov     %rdi, %rax
        mov     %esi, %r8d
        mov     %rdx, %rcx
        rep movsb
        .if     \faulty
        cmp     $64, %rdx
        jb      .Ldone\@
        and     $15, %r8d
        cmp     $11, %r8d
        jne     .Ldone\@
        mov     (%rax), %cl
        mov     %cl, 1(%rax)
        .endif
.Ldone\@:
        ret
.endm

FUNC(src_phase)
        COPY    faulty=1
END_FUNC(src_phase)

FUNC(src_phase_ok)
        COPY    faulty=0
END_FUNC(src_phase_ok)
NO_EXEC_STACK
