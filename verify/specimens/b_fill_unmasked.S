/* SPDX-License-Identifier: MIT */
/*
 * fill_unmasked - the fill value is spread without dropping its upper bits
 *
 *     void *fill_unmasked(void *dst, int c, size_t n);
 */
#include "x86/asm.h"

.macro SET faulty
        mov     %rdi, %r8
        .if     \faulty
        .else
        movzbl  %sil, %esi
        .endif
        imul    $0x01010101, %esi, %eax
        mov     %rdx, %rcx
        shr     $2, %rcx
        rep stosl
        mov     %edx, %ecx
        and     $3, %ecx
        rep stosb
        mov     %r8, %rax
        ret
.endm

FUNC(fill_unmasked)
        SET     faulty=1
END_FUNC(fill_unmasked)

FUNC(fill_unmasked_ok)
        SET     faulty=0
END_FUNC(fill_unmasked_ok)
NO_EXEC_STACK
