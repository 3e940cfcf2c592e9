/* SPDX-License-Identifier: MIT */
/*
 * zero_writes_one - n = 0 writes one byte
 *
 *     void *zero_writes_one(void *dst, int c, size_t n);
 */
#include "x86/asm.h"

.macro SET faulty
        mov     %rdi, %rax
        .if     \faulty
        mov     %sil, (%rdi)
        .endif
        test    %rdx, %rdx
        jz      .Ldone\@
.Lbyte\@:
        mov     %sil, -1(%rdi,%rdx)
        dec     %rdx
        jnz     .Lbyte\@
.Ldone\@:
        ret
.endm

FUNC(zero_writes_one)
        SET     faulty=1
END_FUNC(zero_writes_one)

FUNC(zero_writes_one_ok)
        SET     faulty=0
END_FUNC(zero_writes_one_ok)
NO_EXEC_STACK
