/* SPDX-License-Identifier: MIT */
/*
 * old_bytes_or - the fill byte is or-ed onto the old contents
 *
 *     void *old_bytes_or(void *dst, int c, size_t n);
 */
#include "x86/asm.h"

.macro SET faulty
        mov     %rdi, %rax
        test    %rdx, %rdx
        jz      .Ldone\@
.Lbyte\@:
        .if     \faulty
        or      %sil, -1(%rdi,%rdx)
        .else
        mov     %sil, -1(%rdi,%rdx)
        .endif
        dec     %rdx
        jnz     .Lbyte\@
.Ldone\@:
        ret
.endm

FUNC(old_bytes_or)
        SET     faulty=1
END_FUNC(old_bytes_or)

FUNC(old_bytes_or_ok)
        SET     faulty=0
END_FUNC(old_bytes_or_ok)
NO_EXEC_STACK
