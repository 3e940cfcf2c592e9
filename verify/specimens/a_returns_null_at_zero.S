/* SPDX-License-Identifier: MIT */
/*
 * returns_null_at_zero - returns NULL when there is nothing to copy
 *
 *     void *returns_null_at_zero(void *dst, const void *src, size_t n);
 *
 * Contract  dst[0, n) = src[0, n), no overlap, returns dst
 * Fault     bad-return: n = 0 leaves before rax is dst
 * Twin      returns_null_at_zero_ok sets rax first
 *
 * Registers
 *   dst  rdi  next byte to write
 *   src  rsi  next byte to read
 *   n    rdx  bytes to copy; rcx counts them down
 */
#include "x86/asm.h"

FUNC(returns_null_at_zero)
        xor     %eax, %eax
        test    %rdx, %rdx
        jz      .Ldone
        mov     %rdi, %rax
        mov     %rdx, %rcx
        rep movsb
.Ldone:
        ret
END_FUNC(returns_null_at_zero)

FUNC(returns_null_at_zero_ok)
        mov     %rdi, %rax
        test    %rdx, %rdx
        jz      .Ldone_ok
        mov     %rdx, %rcx
        rep movsb
.Ldone_ok:
        ret
END_FUNC(returns_null_at_zero_ok)
NO_EXEC_STACK
