/* SPDX-License-Identifier: MIT */
/*
 * returns_end - returns dst + n where dst was promised
 *
 *     void *returns_end(void *dst, const void *src, size_t n);
 *
 * Contract  dst[0, n) = src[0, n), no overlap, returns dst
 * Fault     bad-return: rax is taken after the copy
 * Twin      returns_end_ok before it
 *
 * Registers
 *   dst  rdi  next byte to write
 *   src  rsi  next byte to read
 *   n    rdx  bytes to copy; rcx counts them down
 */
#include "x86/asm.h"

FUNC(returns_end)
        mov     %rdx, %rcx
        rep movsb
        mov     %rdi, %rax
        ret
END_FUNC(returns_end)

FUNC(returns_end_ok)
        mov     %rdi, %rax
        mov     %rdx, %rcx
        rep movsb
        ret
END_FUNC(returns_end_ok)
NO_EXEC_STACK
