/* SPDX-License-Identifier: MIT */
/*
 * copy_page_sse2 - copy one 4096-byte page with aligned 16-byte loads and stores
 *
 *     void copy_page_sse2(void *dst, const void *src);
 *
 * Contract (its machine-readable twin is the section in contracts.ini)
 *   reads     src[0, 4096), nothing else
 *   writes    dst[0, 4096), nothing else; every byte exactly once
 *   needs     dst and src 16-byte aligned; the pages must not overlap
 *   state     x87/MMX and MXCSR untouched
 *   clobbers  eax ecx edx xmm0-xmm3 flags
 *   cpu       sse2
 *
 * Registers
 *   dst    eax  end of the destination page
 *   src    edx  end of the source page
 *   i      ecx  offset from both ends, -4096 up to 0
 *   v0-v3       the block in flight, 16 bytes each
 */
#include "x86/asm.h"

#define dst eax
#define src edx
#define i   ecx
#define v0  xmm0
#define v1  xmm1
#define v2  xmm2
#define v3  xmm3

#define DST 4(%esp)
#define SRC 8(%esp)

#define PAGE  4096
#define BLOCK 64

FUNC(copy_page_sse2)
        mov     DST, %dst
        mov     SRC, %src

        /* Counting up to zero from the ends: one add moves both pointers and
         * sets the flag that ends the loop. */
        add     $PAGE, %src
        add     $PAGE, %dst
        mov     $-PAGE, %i

.Lblock:
        movdqa    (%src, %i), %v0
        movdqa  16(%src, %i), %v1
        movdqa  32(%src, %i), %v2
        movdqa  48(%src, %i), %v3
        movdqa  %v0,   (%dst, %i)
        movdqa  %v1, 16(%dst, %i)
        movdqa  %v2, 32(%dst, %i)
        movdqa  %v3, 48(%dst, %i)
        add     $BLOCK, %i
        jnz     .Lblock
        ret
END_FUNC(copy_page_sse2)
NO_EXEC_STACK
