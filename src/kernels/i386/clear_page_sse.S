/* SPDX-License-Identifier: MIT */
/*
 * clear_page_sse - zero one 4096-byte page with non-temporal SSE stores
 *
 *     void clear_page_sse(void *dst);
 *
 * Contract (its machine-readable twin is the section in contracts.ini)
 *   writes    dst[0, 4096), nothing else; every byte exactly once
 *   needs     dst 16-byte aligned
 *   order     every store is globally visible before ret
 *   state     x87/MMX and MXCSR untouched
 *   clobbers  eax ecx xmm0 flags
 *   cpu       sse
 *
 * Registers
 *   dst   eax   next byte to write; dst + 4096 at the end
 *   n     ecx   blocks left, 32 down to 0
 *   zero  xmm0
 */
#include "x86/asm.h"

#define dst  eax
#define n    ecx
#define zero xmm0

#define DST 4(%esp)

#define PAGE  4096
#define BLOCK 128

FUNC(clear_page_sse)
        mov     DST, %dst
        mov     $PAGE / BLOCK, %n
        xorps   %zero, %zero

.Lblock:
        movntps %zero,    (%dst)
        movntps %zero,  16(%dst)
        movntps %zero,  32(%dst)
        movntps %zero,  48(%dst)
        movntps %zero,  64(%dst)
        movntps %zero,  80(%dst)
        movntps %zero,  96(%dst)
        movntps %zero, 112(%dst)
        add     $BLOCK, %dst
        dec     %n
        jnz     .Lblock

        sfence
        ret
END_FUNC(clear_page_sse)
NO_EXEC_STACK
