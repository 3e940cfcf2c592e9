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
 *   clobbers  eax ecx; flags untouched
 *   cpu       any; fast only with erms
 *
 * Registers
 *   dst  edi  next byte to write; dst + n at the end
 *   src  esi  next byte to read;  src + n at the end
 *   n    ecx  bytes left
 */
#include "x86/asm.h"

#define dst edi
#define src esi
#define n   ecx

/* Behind esi and edi and the return address. */
#define DST 12(%esp)
#define SRC 16(%esp)
#define LEN 20(%esp)

FUNC(memcpy_erms)
        SAVE32(%esi)
        SAVE32(%edi)
        mov     DST, %dst
        mov     SRC, %src
        mov     LEN, %n
        mov     %dst, %eax
        rep movsb
        RESTORE32(%edi)
        RESTORE32(%esi)
        ret
END_FUNC(memcpy_erms)
NO_EXEC_STACK
