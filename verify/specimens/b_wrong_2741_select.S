/* SPDX-License-Identifier: MIT */
/*
 * wrong_2741_select - bit 0 of the middle byte flips when n = 2741, dst mod 64 = 13 and the
 * first 7 bytes of src are the last 7 of dst
 * No branch depends on the fault: coverage of blocks and edges cannot see it.
 *
 *     void *wrong_2741_select(void *dst, const void *src, size_t n);
 */
#include "x86/asm.h"

.macro MOVE faulty
        mov     %rdi, %rax
        mov     %rdi, %r8
        sub     %rsi, %r8
        test    %rdx, %rdx
        jz      .Ldone\@
        mov     %rdx, %r10
        shr     $1, %r10
        movzbl  (%rsi,%r10), %r11d      /* the middle byte, before it is overwritten */
        mov     %rdx, %rcx
        cmp     %rdx, %r8
        jb      .Lbackward\@
        rep movsb
        jmp     .Lmiddle\@
.Lbackward\@:
        movzbl  -1(%rsi,%rcx), %r9d
        mov     %r9b, -1(%rdi,%rcx)
        dec     %rcx
        jnz     .Lbackward\@
.Lmiddle\@:
        lea     -7(%rdx,%r8), %r8       /* 0: dst + n is src + 7 */
        xor     $2741, %rdx
        or      %r8, %rdx
        mov     %eax, %ecx
        and     $63, %ecx
        xor     $13, %ecx
        or      %rcx, %rdx
        sete    %cl
        .if     \faulty
        xor     %ecx, %r11d
        .endif
        mov     %r11b, (%rax,%r10)
.Ldone\@:
        ret
.endm

FUNC(wrong_2741_select)
        MOVE    faulty=1
END_FUNC(wrong_2741_select)

FUNC(wrong_2741_select_ok)
        MOVE    faulty=0
END_FUNC(wrong_2741_select_ok)
NO_EXEC_STACK
