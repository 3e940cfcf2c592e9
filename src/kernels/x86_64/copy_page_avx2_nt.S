/* SPDX-License-Identifier: MIT */
/*
 * copy_page_avx2_nt - copy one 4096-byte page with non-temporal 32-byte stores
 *
 *     void copy_page_avx2_nt(void *dst, const void *src);
 *
 * Contract (its machine-readable twin is the section in contracts.ini)
 *   reads     src[0, 4096), nothing else
 *   writes    dst[0, 4096), nothing else; every byte exactly once
 *   needs     dst and src 32-byte aligned; the pages must not overlap
 *   order     every store is globally visible before ret
 *   state     x87/MMX and MXCSR untouched; all upper YMM halves clean at ret
 *   clobbers  rcx rsi rdi ymm0-ymm3, upper halves of ymm4-ymm15, flags
 *   cpu       avx: moves alone need no more, whatever the name says; sse (sfence)
 *
 * Registers
 *   dst    rdi  next byte to write; dst + 4096 at the end
 *   src    rsi  next byte to read;  src + 4096 at the end
 *   n      ecx  blocks left, 32 down to 0
 *   v0-v3       the block in flight, 32 bytes each
 */
#include "x86/asm.h"

#define dst rdi
#define src rsi
#define n   ecx
#define v0  ymm0
#define v1  ymm1
#define v2  ymm2
#define v3  ymm3

#define PAGE  4096
#define BLOCK 128

FUNC(copy_page_avx2_nt)
        mov     $PAGE / BLOCK, %n

.Lblock:
        vmovdqa    (%src), %v0
        vmovdqa  32(%src), %v1
        vmovdqa  64(%src), %v2
        vmovdqa  96(%src), %v3
        vmovntdq %v0,   (%dst)
        vmovntdq %v1, 32(%dst)
        vmovntdq %v2, 64(%dst)
        vmovntdq %v3, 96(%dst)
        add     $BLOCK, %src
        add     $BLOCK, %dst
        dec     %n
        jnz     .Lblock

        sfence
        vzeroupper
        ret
END_FUNC(copy_page_avx2_nt)
NO_EXEC_STACK
