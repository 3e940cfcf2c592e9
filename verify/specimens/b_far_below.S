/* SPDX-License-Identifier: MIT */
/*
 * far_below - writes one byte 8192 bytes before dst
 *
 *     void *far_below(void *dst, int c, size_t n);
 */
#include "x86/asm.h"

.macro SET faulty
        mov     %rdi, %r8
        mov     %esi, %eax
        mov     %rdx, %rcx
        rep stosb
        .if     \faulty
        movb    $0x5a, -8192(%r8)
        .endif
        mov     %r8, %rax
        ret
.endm

FUNC(far_below)
        SET     faulty=1
END_FUNC(far_below)

FUNC(far_below_ok)
        SET     faulty=0
END_FUNC(far_below_ok)
NO_EXEC_STACK
