/* SPDX-License-Identifier: MIT */
/*
 * near_above - wrong when src is less than 64 bytes above dst
 * The forward loop stores its block's last vector before it has loaded the first.
 *
 *     void *near_above(void *dst, const void *src, size_t n);
 */
#include "x86/asm.h"

.macro MOVE faulty
        mov     %rdi, %rax
        mov     %rdi, %r8
        sub     %rsi, %r8
        mov     %rdx, %rcx
        cmp     %rdx, %r8
        jb      .Lbackward\@
.Lblock\@:
        sub     $64, %rcx
        jb      .Lrest\@
        .if     \faulty
        movups  48(%rsi), %xmm0
        movups  %xmm0, 48(%rdi)
        movups  32(%rsi), %xmm0
        movups  %xmm0, 32(%rdi)
        movups  16(%rsi), %xmm0
        movups  %xmm0, 16(%rdi)
        movups  (%rsi), %xmm0
        movups  %xmm0, (%rdi)
        .else
        movups  (%rsi), %xmm0
        movups  %xmm0, (%rdi)
        movups  16(%rsi), %xmm0
        movups  %xmm0, 16(%rdi)
        movups  32(%rsi), %xmm0
        movups  %xmm0, 32(%rdi)
        movups  48(%rsi), %xmm0
        movups  %xmm0, 48(%rdi)
        .endif
        add     $64, %rsi
        add     $64, %rdi
        jmp     .Lblock\@
.Lrest\@:
        add     $64, %rcx
        rep movsb
        ret
.Lbackward\@:
        movzbl  -1(%rsi,%rcx), %r9d
        mov     %r9b, -1(%rdi,%rcx)
        dec     %rcx
        jnz     .Lbackward\@
        ret
.endm

FUNC(near_above)
        MOVE    faulty=1
END_FUNC(near_above)

FUNC(near_above_ok)
        MOVE    faulty=0
END_FUNC(near_above_ok)
NO_EXEC_STACK
