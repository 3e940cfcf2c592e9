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
 *   clobbers  eax ecx edx flags
 *   cpu       sse2 (movnti), sse (sfence)
 *
 * Registers
 *   dst   edx  next byte to write; dst + 4096 at the end
 *   n     ecx  blocks left, 128 down to 0
 *   zero  eax
 */
#include "x86/asm.h"

#define dst  edx
#define n    ecx
#define zero eax

#define DST 4(%esp)

#define PAGE  4096
#define BLOCK 32

FUNC(clear_page_movnti)
        mov     DST, %dst
        mov     $PAGE / BLOCK, %n
        xor     %zero, %zero

.Lblock:
        movnti  %zero,   (%dst)
        movnti  %zero,  4(%dst)
        movnti  %zero,  8(%dst)
        movnti  %zero, 12(%dst)
        movnti  %zero, 16(%dst)
        movnti  %zero, 20(%dst)
        movnti  %zero, 24(%dst)
        movnti  %zero, 28(%dst)
        add     $BLOCK, %dst
        dec     %n
        jnz     .Lblock

        sfence
        ret
END_FUNC(clear_page_movnti)
NO_EXEC_STACK
