/* SPDX-License-Identifier: MIT */
/*
 * forward_always - copies forward also when dst lies inside src
 *
 *     void *forward_always(void *dst, const void *src, size_t n);
 */
#include "x86/asm.h"

.macro MOVE faulty
        mov     %rdi, %rax
        mov     %rdi, %r8
        sub     %rsi, %r8
        mov     %rdx, %rcx
        .if     \faulty
        .else
        cmp     %rdx, %r8
        jb      .Lbackward\@
        .endif
        rep movsb
        ret
.Lbackward\@:
        movzbl  -1(%rsi,%rcx), %r9d
        mov     %r9b, -1(%rdi,%rcx)
        dec     %rcx
        jnz     .Lbackward\@
        ret
.endm

FUNC(forward_always)
        MOVE    faulty=1
END_FUNC(forward_always)

FUNC(forward_always_ok)
        MOVE    faulty=0
END_FUNC(forward_always_ok)
NO_EXEC_STACK
