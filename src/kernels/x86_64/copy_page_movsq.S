/* SPDX-License-Identifier: MIT */
/*
 * copy_page_movsq - copy one 4096-byte page with the string unit
 *
 *     void copy_page_movsq(void *dst, const void *src);
 *
 * Contract (its machine-readable twin is the section in contracts.ini)
 *   reads     src[0, 4096), nothing else
 *   writes    dst[0, 4096), nothing else
 *   needs     DF clear, as the ABI promises; the pages must not overlap
 *   state     x87/MMX, MXCSR and all vector registers untouched
 *   clobbers  rcx rsi rdi; flags untouched
 *   cpu       any
 *
 * Registers
 *   dst  rdi  next word to write; dst + 4096 at the end
 *   src  rsi  next word to read;  src + 4096 at the end
 *   n    ecx  words left, 512 down to 0
 */
#include "x86/asm.h"

#define n ecx

#define PAGE 4096
#define WORD 8

FUNC(copy_page_movsq)
        mov     $PAGE / WORD, %n
        rep movsq
        ret
END_FUNC(copy_page_movsq)
NO_EXEC_STACK
