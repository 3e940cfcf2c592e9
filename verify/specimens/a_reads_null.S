/* SPDX-License-Identifier: MIT */
/*
 * reads_null - looks up its threshold through a null pointer
 *
 *     void *reads_null(void *dst, const void *src, size_t n);
 *
 * Contract  dst[0, n) = src[0, n), no overlap, returns dst
 * Fault     crash: reads at address 0
 * Twin      reads_null_ok has it as a constant
 *
 * Registers
 *   dst  rdi  next byte to write
 *   src  rsi  next byte to read
 *   n    rdx  bytes to copy; rcx counts them down
 */
#include "x86/asm.h"

FUNC(reads_null)
        mov     %rdi, %rax
        mov     %rdx, %rcx
        rep movsb
        xor     %ecx, %ecx
        mov     (%rcx), %r8
        ret
END_FUNC(reads_null)

FUNC(reads_null_ok)
        mov     %rdi, %rax
        mov     %rdx, %rcx
        rep movsb
        mov     $4096, %r8d
        ret
END_FUNC(reads_null_ok)
NO_EXEC_STACK
