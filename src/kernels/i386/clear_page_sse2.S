/* SPDX-License-Identifier: MIT */
/*
 * clear_page_sse2 - zero one 4096-byte page with aligned 16-byte stores
 *
 *     void clear_page_sse2(void *dst);
 *
 * Contract (its machine-readable twin is the section in contracts.ini)
 *   writes    dst[0, 4096), nothing else; every byte exactly once
 *   needs     dst 16-byte aligned
 *   state     x87/MMX and MXCSR untouched
 *   clobbers  eax ecx xmm0 flags
 *   cpu       sse2
 *
 * Registers
 *   dst   eax   next byte to write; dst + 4096 at the end
 *   end   ecx   dst + 4096
 *   zero  xmm0
 */
#include "x86/asm.h"

#define dst  eax
#define end  ecx
#define zero xmm0

#define DST 4(%esp)

#define PAGE  4096
#define BLOCK 64

FUNC(clear_page_sse2)
        mov     DST, %dst
        lea     PAGE(%dst), %end
        pxor    %zero, %zero

.Lblock:
        movdqa  %zero,   (%dst)
        movdqa  %zero, 16(%dst)
        movdqa  %zero, 32(%dst)
        movdqa  %zero, 48(%dst)
        add     $BLOCK, %dst

        /* Equality, not order: a page may end at 2 GiB or wrap to 0, and dst meets
         * end exactly. */
        cmp     %end, %dst
        jne     .Lblock
        ret
END_FUNC(clear_page_sse2)
NO_EXEC_STACK
