/* SPDX-License-Identifier: MIT */
/*
 * junk_r10_data - the last byte comes from r10, which nobody set
 *
 *     void *junk_r10_data(void *dst, int c, size_t n);
 */
#include "x86/asm.h"

.macro SET faulty
        mov     %rdi, %r8
        movzbl  %sil, %eax
        .if     \faulty
        .else
        mov     %eax, %r10d
        .endif
        test    %rdx, %rdx
        jz      .Ldone\@
        lea     -1(%rdx), %rcx
        rep stosb
        mov     %r10b, (%rdi)
.Ldone\@:
        mov     %r8, %rax
        ret
.endm

FUNC(junk_r10_data)
        SET     faulty=1
END_FUNC(junk_r10_data)

FUNC(junk_r10_data_ok)
        SET     faulty=0
END_FUNC(junk_r10_data_ok)
NO_EXEC_STACK
