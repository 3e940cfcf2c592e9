/* SPDX-License-Identifier: MIT */
/*
 * junk_carry - the carry flag of the caller is added to the length
 *
 *     void *junk_carry(void *dst, int c, size_t n);
 */
#include "x86/asm.h"

.macro SET faulty
        mov     %rdi, %r8
        mov     %rdx, %rcx
        .if     \faulty
        .else
        clc
        .endif
        adc     $0, %rcx
        mov     %esi, %eax
        rep stosb
        mov     %r8, %rax
        ret
.endm

FUNC(junk_carry)
        SET     faulty=1
END_FUNC(junk_carry)

FUNC(junk_carry_ok)
        SET     faulty=0
END_FUNC(junk_carry_ok)
NO_EXEC_STACK
