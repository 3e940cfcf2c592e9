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
 *   clobbers  eax ecx edx xmm0-xmm3 flags
 *   cpu       sse2, sse (prefetchnta, sfence)
 *
 * Registers
 *   dst    eax  next byte to write; dst + 4096 at the end
 *   src    edx  next byte to read;  src + 4096 at the end
 *   n      ecx  blocks left in this stretch
 *   ahead  ebx  bytes from src to the line to fetch; 0 in the last stretch
 *   v0-v3       the block in flight, 16 bytes each
 */
#include "x86/asm.h"

#define dst   eax
#define src   edx
#define n     ecx
#define ahead ebx
#define v0    xmm0
#define v1    xmm1
#define v2    xmm2
#define v3    xmm3

/* Behind ebx and the return address. */
#define DST 8(%esp)
#define SRC 12(%esp)

#define PAGE  4096
#define BLOCK 64
#define AHEAD 320

FUNC(copy_page_sse2_nt)
        SAVE32(%ebx)
        mov     DST, %dst
        mov     SRC, %src
        mov     $AHEAD, %ahead
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
        xor     %ahead, %ahead
        mov     $AHEAD / BLOCK, %n
        jmp     .Lblock

.Ldone:
        sfence
        RESTORE32(%ebx)
        ret
END_FUNC(copy_page_sse2_nt)
NO_EXEC_STACK
