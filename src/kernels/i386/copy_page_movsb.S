/* SPDX-License-Identifier: MIT */
/*
 * copy_page_movsb - copy one 4096-byte page with the string unit, a byte a step
 *
 *     void copy_page_movsb(void *dst, const void *src);
 *
 * Contract (its machine-readable twin is the section in contracts.ini)
 *   reads     src[0, 4096), nothing else
 *   writes    dst[0, 4096), nothing else
 *   needs     DF clear, as the ABI promises; the pages must not overlap
 *   state     x87/MMX, MXCSR and all vector registers untouched
 *   clobbers  ecx; flags untouched
 *   cpu       any; fast only with erms
 *
 * Registers
 *   dst  edi  next byte to write; dst + 4096 at the end
 *   src  esi  next byte to read;  src + 4096 at the end
 *   n    ecx  bytes left, 4096 down to 0
 */
#include "x86/asm.h"

#define dst edi
#define src esi
#define n   ecx

/* Behind esi and edi and the return address. */
#define DST 12(%esp)
#define SRC 16(%esp)

#define PAGE 4096

FUNC(copy_page_movsb)
        SAVE32(%esi)
        SAVE32(%edi)
        mov     DST, %dst
        mov     SRC, %src
        mov     $PAGE, %n
        rep movsb
        RESTORE32(%edi)
        RESTORE32(%esi)
        ret
END_FUNC(copy_page_movsb)
NO_EXEC_STACK
