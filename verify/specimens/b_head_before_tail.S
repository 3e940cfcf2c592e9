/* SPDX-License-Identifier: MIT */
/*
 * head_before_tail - 16 to 32 bytes: the head is stored before the tail is loaded
 *
 *     void *head_before_tail(void *dst, const void *src, size_t n);
 */
#include "x86/asm.h"

.macro MOVE faulty
        mov     %rdi, %rax
        lea     -16(%rdx), %rcx
        cmp     $16, %rcx
        ja      .Lother\@
        movups  (%rsi), %xmm0
        .if     \faulty
        movups  %xmm0, (%rdi)
        movups  -16(%rsi,%rdx), %xmm1
        .else
        movups  -16(%rsi,%rdx), %xmm1
        movups  %xmm0, (%rdi)
        .endif
        movups  %xmm1, -16(%rdi,%rdx)
        ret
.Lother\@:
        mov     %rdi, %r8
        sub     %rsi, %r8
        mov     %rdx, %rcx
        cmp     %rdx, %r8
        jb      .Lbackward\@
        rep movsb
        ret
.Lbackward\@:
        movzbl  -1(%rsi,%rcx), %r9d
        mov     %r9b, -1(%rdi,%rcx)
        dec     %rcx
        jnz     .Lbackward\@
        ret
.endm

FUNC(head_before_tail)
        MOVE    faulty=1
END_FUNC(head_before_tail)

FUNC(head_before_tail_ok)
        MOVE    faulty=0
END_FUNC(head_before_tail_ok)
NO_EXEC_STACK
