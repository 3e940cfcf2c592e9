/* SPDX-License-Identifier: MIT */
/*
 * source_toggled - a source byte is inverted and put back
 *
 *     void *source_toggled(void *dst, const void *src, size_t n);
 */
#include "x86/asm.h"

.macro COPY faulty
        mov     %rdi, %rax
        test    %rdx, %rdx
        jz      .Ldone\@
        .if     \faulty
        notb    -1(%rsi,%rdx)
        notb    -1(%rsi,%rdx)
        .endif
        mov     %rdx, %rcx
        rep movsb
.Ldone\@:
        ret
.endm

FUNC(source_toggled)
        COPY    faulty=1
END_FUNC(source_toggled)

FUNC(source_toggled_ok)
        COPY    faulty=0
END_FUNC(source_toggled_ok)
NO_EXEC_STACK
