/* SPDX-License-Identifier: MIT */
/*
 * set_three - three bytes: only two are written
 *
 *     void *set_three(void *dst, int c, size_t n);
 */
#include "x86/asm.h"

.macro SET faulty
        mov     %rdi, %r8
        movzbl  %sil, %eax
        cmp     $4, %rdx
        jae     .Llong\@
        test    %rdx, %rdx
        jz      .Ldone\@
        mov     %al, (%rdi)
        cmp     $2, %rdx
        jb      .Ldone\@
        mov     %al, 1(%rdi)
        .if     \faulty
        .else
        mov     %al, -1(%rdi,%rdx)
        .endif
.Ldone\@:
        mov     %r8, %rax
        ret
.Llong\@:
        mov     %rdx, %rcx
        rep stosb
        mov     %r8, %rax
        ret
.endm

FUNC(set_three)
        SET     faulty=1
END_FUNC(set_three)

FUNC(set_three_ok)
        SET     faulty=0
END_FUNC(set_three_ok)
NO_EXEC_STACK
