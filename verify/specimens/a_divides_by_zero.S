/* SPDX-License-Identifier: MIT */
/*
 * divides_by_zero - computes rows of no width
 *
 *     void *divides_by_zero(void *dst, const void *src, size_t n);
 *
 * Contract  dst[0, n) = src[0, n), no overlap, returns dst
 * Fault     crash: div by zero
 * Twin      divides_by_zero_ok divides by 8
 *
 * Registers
 *   dst  rdi  next byte to write
 *   src  rsi  next byte to read
 *   n    rdx  bytes to copy; rcx counts them down
 */
#include "x86/asm.h"

FUNC(divides_by_zero)
        mov     %rdi, %rax
        mov     %rdx, %rcx
        rep movsb
        mov     %rax, %r8
        xor     %ecx, %ecx
        xor     %edx, %edx
        div     %rcx
        mov     %r8, %rax
        ret
END_FUNC(divides_by_zero)

FUNC(divides_by_zero_ok)
        mov     %rdi, %rax
        mov     %rdx, %rcx
        rep movsb
        mov     %rax, %r8
        mov     $8, %ecx
        xor     %edx, %edx
        div     %rcx
        mov     %r8, %rax
        ret
END_FUNC(divides_by_zero_ok)
NO_EXEC_STACK
