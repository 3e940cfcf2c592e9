/* SPDX-License-Identifier: MIT */
/*
 * returns_before_tail - returns the end of its words, not of its bytes
 *
 *     void *returns_before_tail(void *dst, const void *src, size_t n);
 *
 * Contract  dst[0, n) = src[0, n), no overlap, returns dst + n
 * Fault     bad-return: rax lacks n mod 8
 * Twin      returns_before_tail_ok takes rax after the tail
 *
 * Registers
 *   dst  rdi  next byte to write
 *   src  rsi  next byte to read
 *   n    rdx  bytes to copy; rcx counts them down
 */
#include "x86/asm.h"

FUNC(returns_before_tail)
        mov     %rdx, %rcx
        shr     $3, %rcx
        rep movsq
        mov     %rdi, %rax
        mov     %edx, %ecx
        and     $7, %ecx
        rep movsb
        ret
END_FUNC(returns_before_tail)

FUNC(returns_before_tail_ok)
        mov     %rdx, %rcx
        shr     $3, %rcx
        rep movsq
        mov     %edx, %ecx
        and     $7, %ecx
        rep movsb
        mov     %rdi, %rax
        ret
END_FUNC(returns_before_tail_ok)
NO_EXEC_STACK
