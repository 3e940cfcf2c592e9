/* SPDX-License-Identifier: MIT */
/*
 * clear_page_stosq - zero one 4096-byte page with the string unit
 *
 *     void clear_page_stosq(void *dst);
 *
 * Contract (its machine-readable twin is the section in contracts.ini)
 *   writes    dst[0, 4096), nothing else
 *   needs     DF clear, as the ABI promises; no alignment
 *   state     x87/MMX, MXCSR and all vector registers untouched
 *   clobbers  rax rcx rdi; flags keep only DF
 *   cpu       any
 *
 * Registers
 *   dst   rdi  next word to write; dst + 4096 at the end
 *   n     ecx  words left, 512 down to 0
 *   zero  eax
 */
#include "x86/asm.h"

#define n    ecx
#define zero eax

#define PAGE 4096
#define WORD 8

FUNC(clear_page_stosq)
        mov     $PAGE / WORD, %n
        xor     %zero, %zero
        rep stosq
        ret
END_FUNC(clear_page_stosq)
NO_EXEC_STACK
