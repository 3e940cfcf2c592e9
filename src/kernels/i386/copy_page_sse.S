/* SPDX-License-Identifier: MIT */
/*
 * copy_page_sse - copy one 4096-byte page with non-temporal SSE stores
 *
 *     void copy_page_sse(void *dst, const void *src);
 *
 * Contract (its machine-readable twin is the section in contracts.ini)
 *   reads     src[0, 4096), nothing else
 *   writes    dst[0, 4096), nothing else; every byte exactly once
 *   needs     dst and src 16-byte aligned; the pages must not overlap
 *   order     every store is globally visible before ret
 *   state     x87/MMX and MXCSR untouched: moves look at no number
 *   clobbers  eax ecx edx xmm0-xmm7 flags
 *   cpu       sse
 *
 * Registers
 *   dst  eax  next byte to write; dst + 4096 at the end
 *   src  edx  next byte to read;  src + 4096 at the end
 *   n    ecx  blocks left, 32 down to 0
 *   xmm0-xmm7 the block in flight, 16 bytes each
 */
#include "x86/asm.h"

#define dst eax
#define src edx
#define n   ecx

#define DST 4(%esp)
#define SRC 8(%esp)

#define PAGE  4096
#define BLOCK 128

FUNC(copy_page_sse)
        mov     DST, %dst
        mov     SRC, %src
        mov     $PAGE / BLOCK, %n

.Lblock:
        movaps     (%src), %xmm0
        movaps   16(%src), %xmm1
        movaps   32(%src), %xmm2
        movaps   48(%src), %xmm3
        movaps   64(%src), %xmm4
        movaps   80(%src), %xmm5
        movaps   96(%src), %xmm6
        movaps  112(%src), %xmm7
        movntps %xmm0,    (%dst)
        movntps %xmm1,  16(%dst)
        movntps %xmm2,  32(%dst)
        movntps %xmm3,  48(%dst)
        movntps %xmm4,  64(%dst)
        movntps %xmm5,  80(%dst)
        movntps %xmm6,  96(%dst)
        movntps %xmm7, 112(%dst)
        add     $BLOCK, %src
        add     $BLOCK, %dst
        dec     %n
        jnz     .Lblock

        sfence
        ret
END_FUNC(copy_page_sse)
NO_EXEC_STACK
