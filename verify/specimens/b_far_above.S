/* SPDX-License-Identifier: MIT */
/*
 * far_above - writes one byte 4096 bytes past the end when n >= 256
 *
 *     void *far_above(void *dst, const void *src, size_t n);
 */
#include "x86/asm.h"

.macro COPY faulty
        mov     %rdi, %rax
        mov     %rdx, %rcx
        rep movsb
        .if     \faulty
        cmp     $256, %rdx
        jb      .Ldone\@
        movb    $0x5a, 4096(%rax,%rdx)
        .endif
.Ldone\@:
        ret
.endm

FUNC(far_above)
        COPY    faulty=1
END_FUNC(far_above)

FUNC(far_above_ok)
        COPY    faulty=0
END_FUNC(far_above_ok)
NO_EXEC_STACK
