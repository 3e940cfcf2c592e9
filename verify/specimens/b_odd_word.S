/* SPDX-License-Identifier: MIT */
/*
 * odd_word - rounds an odd length up to whole words
 *
 *     void odd_word(void *dst, size_t n);
 */
#include "x86/asm.h"

.macro ZERO faulty
        xor     %eax, %eax
        mov     %rsi, %rcx
        .if     \faulty
        inc     %rcx
        shr     $1, %rcx
        rep stosw
        .else
        shr     $1, %rcx
        rep stosw
        mov     %esi, %ecx
        and     $1, %ecx
        rep stosb
        .endif
        ret
.endm

FUNC(odd_word)
        ZERO    faulty=1
END_FUNC(odd_word)

FUNC(odd_word_ok)
        ZERO    faulty=0
END_FUNC(odd_word_ok)
NO_EXEC_STACK
