/* SPDX-License-Identifier: MIT */
/*
 * copy_page_avx2 - copy one 4096-byte page with aligned 32-byte loads and stores
 *
 *     void copy_page_avx2(void *dst, const void *src);
 *
 * Contract (its machine-readable twin is the section in contracts.ini)
 *   reads     src[0, 4096), nothing else
 *   writes    dst[0, 4096), nothing else; every byte exactly once
 *   needs     dst and src 32-byte aligned; the pages must not overlap
 *   state     x87/MMX and MXCSR untouched; all upper YMM halves clean at ret
 *   clobbers  eax ecx edx ymm0-ymm3, upper halves of ymm4-ymm7, flags
 *   cpu       avx: moves alone need no more, whatever the name says
 *
 * Registers
 *   dst    eax  next byte to write; dst + 4096 at the end
 *   src    edx  next byte to read;  src + 4096 at the end
 *   n      ecx  blocks left, 32 down to 0
 *   v0-v3       the block in flight, 32 bytes each
 */
#include "x86/asm.h"

#define dst eax
#define src edx
#define n   ecx
#define v0  ymm0
#define v1  ymm1
#define v2  ymm2
#define v3  ymm3

#define DST 4(%esp)
#define SRC 8(%esp)

#define PAGE  4096
#define BLOCK 128

FUNC(copy_page_avx2)
        mov     DST, %dst
        mov     SRC, %src
        mov     $PAGE / BLOCK, %n

.Lblock:
        vmovdqa   (%src), %v0
        vmovdqa 32(%src), %v1
        vmovdqa 64(%src), %v2
        vmovdqa 96(%src), %v3
        vmovdqa %v0,   (%dst)
        vmovdqa %v1, 32(%dst)
        vmovdqa %v2, 64(%dst)
        vmovdqa %v3, 96(%dst)
        add     $BLOCK, %src
        add     $BLOCK, %dst
        dec     %n
        jnz     .Lblock

        vzeroupper
        ret
END_FUNC(copy_page_avx2)
NO_EXEC_STACK
