/* SPDX-License-Identifier: MIT */
/*
 * rax_upper - only al is loaded before eax is multiplied
 *
 *     void *rax_upper(void *dst, int c, size_t n);
 */
#include "x86/asm.h"

.macro SET faulty
        mov     %rdi, %r8
        .if     \faulty
        mov     %sil, %al
        .else
        movzbl  %sil, %eax
        .endif
        imul    $0x01010101, %eax, %eax
        mov     %rdx, %rcx
        shr     $2, %rcx
        rep stosl
        mov     %edx, %ecx
        and     $3, %ecx
        rep stosb
        mov     %r8, %rax
        ret
.endm

FUNC(rax_upper)
        SET     faulty=1
END_FUNC(rax_upper)

FUNC(rax_upper_ok)
        SET     faulty=0
END_FUNC(rax_upper_ok)
NO_EXEC_STACK
