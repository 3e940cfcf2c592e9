/* SPDX-License-Identifier: MIT */
/*
 * wrong_2741 - a byte is inverted when n = 2741, dst mod 64 = 13 and the last 7 bytes
 * of src are the first 7 of dst
 *
 *     void *wrong_2741(void *dst, const void *src, size_t n);
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
        movzbl  -1(%rsi,%rcx), %r9d
        mov     %r9b, -1(%rdi,%rcx)
        dec     %rcx
        jnz     .Lbackward\@
        .if     \faulty
        cmp     $2741, %rdx
        jne     .Ldone\@
        cmp     $2734, %r8
        jne     .Ldone\@
        mov     %eax, %ecx
        and     $63, %ecx
        cmp     $13, %ecx
        jne     .Ldone\@
        notb    1000(%rax)
        .endif
.Ldone\@:
        ret
.endm

FUNC(wrong_2741)
        MOVE    faulty=1
END_FUNC(wrong_2741)

FUNC(wrong_2741_ok)
        MOVE    faulty=0
END_FUNC(wrong_2741_ok)
NO_EXEC_STACK
