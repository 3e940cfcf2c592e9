/* SPDX-License-Identifier: MIT */
/*
 * one_before - writes the byte before dst when n >= 32
 *
 *     void *one_before(void *dst, int c, size_t n);
 */
#include "x86/asm.h"

.macro SET faulty
        mov     %rdi, %r8
        mov     %esi, %eax
        mov     %rdx, %rcx
        rep stosb
        .if     \faulty
        cmp     $32, %rdx
        jb      .Ldone\@
        mov     %al, -1(%r8)
        .endif
.Ldone\@:
        mov     %r8, %rax
        ret
.endm

FUNC(one_before)
        SET     faulty=1
END_FUNC(one_before)

FUNC(one_before_ok)
        SET     faulty=0
END_FUNC(one_before_ok)
NO_EXEC_STACK
