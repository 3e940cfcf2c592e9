/* SPDX-License-Identifier: MIT */
/*
 * returns_low_half - returns the low 32 bits of dst
 *
 *     void *returns_low_half(void *dst, const void *src, size_t n);
 *
 * Contract  dst[0, n) = src[0, n), no overlap, returns dst
 * Fault     bad-return: mov to eax clears the upper half
 * Twin      returns_low_half_ok mov to rax
 *
 * Registers
 *   dst  rdi  next byte to write
 *   src  rsi  next byte to read
 *   n    rdx  bytes to copy; rcx counts them down
 */
#include "x86/asm.h"

FUNC(returns_low_half)
        mov     %edi, %eax
        mov     %rdx, %rcx
        rep movsb
        ret
END_FUNC(returns_low_half)

FUNC(returns_low_half_ok)
        mov     %rdi, %rax
        mov     %rdx, %rcx
        rep movsb
        ret
END_FUNC(returns_low_half_ok)
NO_EXEC_STACK
