/* SPDX-License-Identifier: MIT */
/*
 * length_test_edx - returns early when the lower half of the length is zero
 *
 *     void *length_test_edx(void *dst, int c, size_t n);
 */
#include "x86/asm.h"

.macro SET faulty
        mov     %rdi, %r8
        .if     \faulty
        test    %edx, %edx
        .else
        test    %rdx, %rdx
        .endif
        jz      .Ldone\@
        mov     %esi, %eax
        mov     %rdx, %rcx
        rep stosb
.Ldone\@:
        mov     %r8, %rax
        ret
.endm

FUNC(length_test_edx)
        SET     faulty=1
END_FUNC(length_test_edx)

FUNC(length_test_edx_ok)
        SET     faulty=0
END_FUNC(length_test_edx_ok)
NO_EXEC_STACK
