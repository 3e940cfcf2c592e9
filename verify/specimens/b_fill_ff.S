/* SPDX-License-Identifier: MIT */
/*
 * fill_ff - with fill byte 0xff the first byte becomes 0xfe
 *
 *     void *fill_ff(void *dst, int c, size_t n);
 */
#include "x86/asm.h"

.macro SET faulty
        mov     %rdi, %r8
        mov     %esi, %eax
        mov     %rdx, %rcx
        rep stosb
        .if     \faulty
        cmp     $0xff, %al
        jne     .Ldone\@
        test    %rdx, %rdx
        jz      .Ldone\@
        decb    (%r8)
        .endif
.Ldone\@:
        mov     %r8, %rax
        ret
.endm

FUNC(fill_ff)
        SET     faulty=1
END_FUNC(fill_ff)

FUNC(fill_ff_ok)
        SET     faulty=0
END_FUNC(fill_ff_ok)
NO_EXEC_STACK
