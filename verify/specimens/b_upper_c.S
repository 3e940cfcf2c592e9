/* SPDX-License-Identifier: MIT */
/*
 * upper_c - multiplies all of rsi where only esi is an argument
 *
 *     void *upper_c(void *dst, int c, size_t n);
 */
#include "x86/asm.h"

.macro SET faulty
        mov     %rdi, %r8
        movabs  $0x0101010101010101, %rax
        .if     \faulty
        .else
        mov     %esi, %esi
        .endif
        imul    %rsi, %rax
        mov     %rdx, %rcx
        shr     $3, %rcx
        rep stosq
        mov     %edx, %ecx
        and     $7, %ecx
        rep stosb
        mov     %r8, %rax
        ret
.endm

FUNC(upper_c)
        SET     faulty=1
END_FUNC(upper_c)

FUNC(upper_c_ok)
        SET     faulty=0
END_FUNC(upper_c_ok)
NO_EXEC_STACK
