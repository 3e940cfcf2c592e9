/* SPDX-License-Identifier: MIT */
/*
 * backward_rest - the backward path loses the first n mod 8 bytes from n = 512 on
 *
 *     void *backward_rest(void *dst, const void *src, size_t n);
 */
#include "x86/asm.h"

.macro MOVE faulty
        mov     %rdi, %rax
        mov     %rdi, %r8
        sub     %rsi, %r8
        mov     %rdx, %rcx
        cmp     %rdx, %r8
        jb      .Lbackward\@
        rep movsb
        ret
.Lbackward\@:
        cmp     $8, %rcx
        jb      .Lrest\@
        mov     -8(%rsi,%rcx), %r9
        mov     %r9, -8(%rdi,%rcx)
        sub     $8, %rcx
        jmp     .Lbackward\@
.Lrest\@:
        .if     \faulty
        cmp     $512, %rdx
        jae     .Ldone\@
        .endif
        test    %rcx, %rcx
        jz      .Ldone\@
.Lbyte\@:
        movzbl  -1(%rsi,%rcx), %r9d
        mov     %r9b, -1(%rdi,%rcx)
        dec     %rcx
        jnz     .Lbyte\@
.Ldone\@:
        ret
.endm

FUNC(backward_rest)
        MOVE    faulty=1
END_FUNC(backward_rest)

FUNC(backward_rest_ok)
        MOVE    faulty=0
END_FUNC(backward_rest_ok)
NO_EXEC_STACK
