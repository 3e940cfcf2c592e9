/* SPDX-License-Identifier: MIT */
/*
 * r13_upper_half_lost - saves 32 of the 64 bits of r13
 *
 *     void *r13_upper_half_lost(void *dst, const void *src, size_t n);
 *
 * Contract  dst[0, n) = src[0, n), no overlap, returns dst
 * Fault     register-lost: the upper half of r13 comes back as zeros
 * Twin      r13_upper_half_lost_ok saves all 64
 *
 * Registers
 *   dst  rdi  next byte to write
 *   src  rsi  next byte to read
 *   n    rdx  bytes to copy; rcx counts them down
 *   r8        the caller's r13
 */
#include "x86/asm.h"

FUNC(r13_upper_half_lost)
        mov     %r13d, %r8d
        mov     %rdi, %r13
        mov     %rdx, %rcx
        rep movsb
        mov     %r13, %rax
        mov     %r8d, %r13d
        ret
END_FUNC(r13_upper_half_lost)

FUNC(r13_upper_half_lost_ok)
        mov     %r13, %r8
        mov     %rdi, %r13
        mov     %rdx, %rcx
        rep movsb
        mov     %r13, %rax
        mov     %r8, %r13
        ret
END_FUNC(r13_upper_half_lost_ok)
NO_EXEC_STACK
