/* SPDX-License-Identifier: MIT */
/*
 * signed_distance - dst - src is compared as a signed number: dst below src goes backward
 *
 *     void *signed_distance(void *dst, const void *src, size_t n);
 */
#include "x86/asm.h"

.macro MOVE faulty
        mov     %rdi, %rax
        mov     %rdi, %r8
        sub     %rsi, %r8
        mov     %rdx, %rcx
        test    %rdx, %rdx
        jz      .Ldone\@
        cmp     %rdx, %r8
        .if     \faulty
        jl      .Lbackward\@
        .else
        jb      .Lbackward\@
        .endif
        rep movsb
.Ldone\@:
        ret
.Lbackward\@:
        movzbl  -1(%rsi,%rcx), %r9d
        mov     %r9b, -1(%rdi,%rcx)
        dec     %rcx
        jnz     .Lbackward\@
        ret
.endm

FUNC(signed_distance)
        MOVE    faulty=1
END_FUNC(signed_distance)

FUNC(signed_distance_ok)
        MOVE    faulty=0
END_FUNC(signed_distance_ok)
NO_EXEC_STACK
