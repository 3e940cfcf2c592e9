/* SPDX-License-Identifier: MIT */
/*
 * clear_page_movnti - zero one 4096-byte page past the cache, without vector state
 *
 *     void clear_page_movnti(void *dst);
 *
 * Contract (its machine-readable twin is the section in contracts.ini)
 *   writes    dst[0, 4096), nothing else; every byte exactly once
 *   needs     nothing; no alignment
 *   order     every store is globally visible before ret
 *   state     x87/MMX, MXCSR and all vector registers untouched
 *   clobbers  rax rcx rdi flags
 *   cpu       sse2 (movnti), sse (sfence)
 *
 * Registers
 *   dst   rdi  next byte to write; dst + 4096 at the end
 *   n     ecx  blocks left, 64 down to 0
 *   zero  rax
 */
#include "x86/asm.h"

#define dst  rdi
#define n    ecx
#define zero rax

#define PAGE  4096
#define BLOCK 64

FUNC(clear_page_movnti)
        mov     $PAGE / BLOCK, %n
        xor     %eax, %eax      /* all of zero: a 32-bit write clears the upper half */

.Lblock:
        movnti  %zero,   (%dst)
        movnti  %zero,  8(%dst)
        movnti  %zero, 16(%dst)
        movnti  %zero, 24(%dst)
        movnti  %zero, 32(%dst)
        movnti  %zero, 40(%dst)
        movnti  %zero, 48(%dst)
        movnti  %zero, 56(%dst)
        add     $BLOCK, %dst
        dec     %n
        jnz     .Lblock

        sfence
        ret
END_FUNC(clear_page_movnti)
NO_EXEC_STACK
