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
 *   clobbers  eax ecx edx; flags untouched
 *   cpu       any; fast only with erms
 *
 * Registers
 *   dst  edi  next byte to write; dst + n at the end
 *   c    eax  only its low byte counts
 *   n    ecx  bytes left
 *   kept edx  edi as the caller had it
 */
#include "x86/asm.h"

#define dst  edi
#define c    eax
#define n    ecx
#define kept edx

#define DST  4(%esp)
#define FILL 8(%esp)
#define LEN  12(%esp)

FUNC(memset_erms)
        mov     %dst, %kept
        .cfi_register %dst, %kept
        mov     DST, %dst
        mov     FILL, %c        /* stosb stores al: the bits above need no mask */
        mov     LEN, %n
        rep stosb
        mov     %kept, %dst
        .cfi_restore %dst
        mov     DST, %eax
        ret
END_FUNC(memset_erms)
NO_EXEC_STACK
