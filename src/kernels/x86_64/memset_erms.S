/* SPDX-License-Identifier: MIT */
/*
 * memset_erms - set any number of bytes with one string instruction
 *
 *     void *memset_erms(void *dst, int c, size_t n);
 *
 * Contract (its machine-readable twin is the section in contracts.ini)
 *   writes    dst[0, n), nothing else, with the low byte of c
 *   needs     DF clear, as the ABI promises
 *   returns   dst
 *   state     x87/MMX, MXCSR and all vector registers untouched
 *   clobbers  rax rcx rdi r8; flags untouched
 *   cpu       any; fast only with erms
 *
 * Registers
 *   dst  rdi  next byte to write; dst + n at the end
 *   c    esi  only its low byte counts
 *   n    rdx  bytes to set, kept
 *   rcx       bytes left
 *   r8        the result while al holds the byte
 */
#include "x86/asm.h"

#define dst rdi
#define c   esi
#define n   rdx

FUNC(memset_erms)
        mov     %dst, %r8
        mov     %c, %eax        /* stosb stores al: the bits above need no mask */
        mov     %n, %rcx
        rep stosb
        mov     %r8, %rax
        ret
END_FUNC(memset_erms)
NO_EXEC_STACK
