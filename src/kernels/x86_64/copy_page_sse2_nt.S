/* SPDX-License-Identifier: MIT */
/*
 * copy_page_sse2_nt - copy one 4096-byte page with non-temporal 16-byte stores
 *
 *     void copy_page_sse2_nt(void *dst, const void *src);
 *
 * Contract (its machine-readable twin is the section in contracts.ini)
 *   reads     src[0, 4096), nothing else; prefetches stay inside the page, too
 *   writes    dst[0, 4096), nothing else; every byte exactly once
 *   needs     dst and src 16-byte aligned; the pages must not overlap
 *   order     every store is globally visible before ret
 *   state     x87/MMX and MXCSR untouched
 *   clobbers  rax rcx rsi rdi xmm0-xmm3 flags
 *   cpu       sse2, sse (prefetchnta, sfence)
 *
 * Registers
 *   dst    rdi  next byte to write; dst + 4096 at the end
 *   src    rsi  next byte to read;  src + 4096 at the end
 *   n      ecx  blocks left in this stretch
 *   ahead  rax  bytes from src to the line to fetch; 0 in the last stretch
 *   v0-v3       the block in flight, 16 bytes each
 */
#include "x86/asm.h"

#define dst   rdi
#define src   rsi
#define n     ecx
#define ahead rax
#define v0    xmm0
#define v1    xmm1
#define v2    xmm2
#define v3    xmm3

#define PAGE  4096
#define BLOCK 64
#define AHEAD 320

FUNC(copy_page_sse2_nt)
        mov     $AHEAD, %eax
        mov     $(PAGE - AHEAD) / BLOCK, %n

.Lblock:
        prefetchnta (%src, %ahead)
        movdqa    (%src), %v0
        movdqa  16(%src), %v1
        movdqa  32(%src), %v2
        movdqa  48(%src), %v3
        movntdq %v0,   (%dst)
        movntdq %v1, 16(%dst)
        movntdq %v2, 32(%dst)
        movntdq %v3, 48(%dst)
        add     $BLOCK, %src
        add     $BLOCK, %dst
        dec     %n
        jnz     .Lblock

        /* The last stretch has nothing left to fetch: go round once more with
         * ahead = 0, then leave. */
        test    %ahead, %ahead
        jz      .Ldone
        xor     %eax, %eax
        mov     $AHEAD / BLOCK, %n
        jmp     .Lblock

.Ldone:
        sfence
        ret
END_FUNC(copy_page_sse2_nt)
NO_EXEC_STACK
