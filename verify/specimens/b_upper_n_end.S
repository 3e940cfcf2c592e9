/* SPDX-License-Identifier: MIT */
/*
 * upper_n_end - computes the end of dst from all of rdx where only edx is an argument
 *
 *     void *upper_n_end(void *dst, int c, unsigned n);
 */
#include "x86/asm.h"

.macro SET faulty
        mov     %rdi, %rax
        .if     \faulty
        .else
        mov     %edx, %edx
        .endif
        add     %rdi, %rdx
.Lbyte\@:
        cmp     %rdx, %rdi
        je      .Ldone\@
        mov     %sil, (%rdi)
        inc     %rdi
        jmp     .Lbyte\@
.Ldone\@:
        ret
.endm

FUNC(upper_n_end)
        SET     faulty=1
END_FUNC(upper_n_end)

FUNC(upper_n_end_ok)
        SET     faulty=0
END_FUNC(upper_n_end_ok)
NO_EXEC_STACK
