/* SPDX-License-Identifier: MIT */
/*
 * pointer_edi - dst loses its upper 32 bits
 *
 *     void pointer_edi(void *dst, size_t n);
 */
#include "x86/asm.h"

.macro ZERO faulty
        .if     \faulty
        mov     %edi, %edi
        .endif
        mov     %rsi, %rcx
        xor     %eax, %eax
        rep stosb
        ret
.endm

FUNC(pointer_edi)
        ZERO    faulty=1
END_FUNC(pointer_edi)

FUNC(pointer_edi_ok)
        ZERO    faulty=0
END_FUNC(pointer_edi_ok)
NO_EXEC_STACK
