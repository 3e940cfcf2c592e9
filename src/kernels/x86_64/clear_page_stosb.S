/* SPDX-License-Identifier: MIT */
/*
 * clear_page_stosb - zero one 4096-byte page with the string unit, a byte a step
 *
 *     void clear_page_stosb(void *dst);
 *
 * Contract (its machine-readable twin is the section in contracts.ini)
 *   writes    dst[0, 4096), nothing else
 *   needs     DF clear, as the ABI promises; no alignment
 *   state     x87/MMX, MXCSR and all vector registers untouched
 *   clobbers  rax rcx rdi; flags keep only DF
 *   cpu       any; fast only with erms
 *
 * Registers
 *   dst   rdi  next byte to write; dst + 4096 at the end
 *   n     ecx  bytes left, 4096 down to 0
 *   zero  eax  of which al is stored
 */
#include "x86/asm.h"

#define n    ecx
#define zero eax

#define PAGE 4096

FUNC(clear_page_stosb)
        mov     $PAGE, %n
        xor     %zero, %zero
        rep stosb
        ret
END_FUNC(clear_page_stosb)
NO_EXEC_STACK
