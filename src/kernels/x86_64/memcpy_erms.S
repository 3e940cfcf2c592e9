/* SPDX-License-Identifier: MIT */
/*
 * memcpy_erms - copy any number of bytes with one string instruction
 *
 *     void *memcpy_erms(void *dst, const void *src, size_t n);
 *
 * Contract (its machine-readable twin is the section in contracts.ini)
 *   reads     src[0, n), nothing else
 *   writes    dst[0, n), nothing else
 *   needs     DF clear, as the ABI promises; dst and src must not overlap
 *   returns   dst
 *   state     x87/MMX, MXCSR and all vector registers untouched
 *   clobbers  rax rcx rsi rdi; flags untouched
 *   cpu       any; fast only with erms
 *
 * Registers
 *   dst  rdi  next byte to write; dst + n at the end
 *   src  rsi  next byte to read;  src + n at the end
 *   n    rdx  bytes to copy, kept
 *   rcx       bytes left
 */
#include "x86/asm.h"

#define dst rdi
#define n   rdx

FUNC(memcpy_erms)
        mov     %dst, %rax
        mov     %n, %rcx
        rep movsb
        ret
END_FUNC(memcpy_erms)
NO_EXEC_STACK
