/* SPDX-License-Identifier: MIT */
/*
 * junk_zero_flag - the empty case is decided by flags nobody set
 *
 *     void *junk_zero_flag(void *dst, const void *src, size_t n);
 */
#include "x86/asm.h"

.macro COPY faulty
        mov     %rdi, %rax
        mov     %rdx, %rcx
        .if     \faulty
        .else
        test    %rdx, %rdx
        .endif
        jz      .Ldone\@
        rep movsb
.Ldone\@:
        ret
.endm

FUNC(junk_zero_flag)
        COPY    faulty=1
END_FUNC(junk_zero_flag)

FUNC(junk_zero_flag_ok)
        COPY    faulty=0
END_FUNC(junk_zero_flag_ok)
NO_EXEC_STACK
