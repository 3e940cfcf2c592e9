/* SPDX-License-Identifier: MIT */
/*
 * junk_rax_data - al is stored without having been cleared
 *
 *     void junk_rax_data(void *dst, size_t n);
 */
#include "x86/asm.h"

.macro ZERO faulty
        mov     %rsi, %rcx
        .if     \faulty
        .else
        xor     %eax, %eax
        .endif
        rep stosb
        ret
.endm

FUNC(junk_rax_data)
        ZERO    faulty=1
END_FUNC(junk_rax_data)

FUNC(junk_rax_data_ok)
        ZERO    faulty=0
END_FUNC(junk_rax_data_ok)
NO_EXEC_STACK
