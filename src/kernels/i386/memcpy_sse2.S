/* SPDX-License-Identifier: MIT */
/*
 * memcpy_sse2 - copy any number of bytes, past the cache when there are many
 *
 *     void *memcpy_sse2(void *dst, const void *src, size_t n);
 *
 * Contract (its machine-readable twin is the section in contracts.ini)
 *   reads     src[0, n), nothing else
 *   writes    dst[0, n), nothing else
 *   needs     dst and src must not overlap; any alignment
 *   returns   dst
 *   order     every store is globally visible before ret
 *   state     DF, x87/MMX and MXCSR untouched
 *   clobbers  ecx edx xmm0-xmm3 flags
 *   cpu       sse2, sse (sfence)
 *
 * Registers
 *   dst    eax  next byte to write; read again from the stack to return it
 *   src    edx  next byte to read
 *   n      ecx  bytes left
 *   v0-v3       the block in flight, 16 bytes each
 */
#include "x86/asm.h"

#define dst eax
#define src edx
#define n   ecx
#define v0  xmm0
#define v1  xmm1
#define v2  xmm2
#define v3  xmm3

#define DST 4(%esp)
#define SRC 8(%esp)
#define LEN 12(%esp)

#define BLOCK     64
#define STREAM_AT 131072

FUNC(memcpy_sse2)
        mov     DST, %dst
        mov     SRC, %src
        mov     LEN, %n
        cmp     $16, %n
        jb      .Lshort
        cmp     $STREAM_AT, %n
        jae     .Lstream

        sub     $BLOCK, %n
        jb      .Lrest

.Lblock:
        movdqu    (%src), %v0
        movdqu  16(%src), %v1
        movdqu  32(%src), %v2
        movdqu  48(%src), %v3
        movdqu  %v0,   (%dst)
        movdqu  %v1, 16(%dst)
        movdqu  %v2, 32(%dst)
        movdqu  %v3, 48(%dst)
        add     $BLOCK, %src
        add     $BLOCK, %dst
        sub     $BLOCK, %n
        jae     .Lblock

        /* 0 to 63 bytes left.  Where at least 16 came in, the last 16 may be
         * copied again, so that no byte is moved alone. */
.Lrest:
        add     $BLOCK, %n
        cmp     $16, %n
        jb      .Llast
        movdqu  (%src), %v0
        movdqu  %v0, (%dst)
        cmp     $32, %n
        jb      .Llast
        movdqu  16(%src), %v0
        movdqu  %v0, 16(%dst)
        cmp     $48, %n
        jb      .Llast
        movdqu  32(%src), %v0
        movdqu  %v0, 32(%dst)
.Llast:
        movdqu  -16(%src, %n), %v0
        movdqu  %v0, -16(%dst, %n)
        mov     DST, %eax
        ret

        /* Ragged first 16 bytes, then aligned non-temporal blocks.  While dst is
         * rounded, src is src - dst and n is dst + n.  At least one block remains
         * for .Lrest to look back into. */
.Lstream:
        movdqu  (%src), %v0
        movdqu  %v0, (%dst)
        sub     %dst, %src
        add     %dst, %n
        add     $16, %dst
        and     $-16, %dst
        add     %dst, %src
        sub     %dst, %n
        sub     $BLOCK, %n

.Lstream_block:
        movdqu    (%src), %v0
        movdqu  16(%src), %v1
        movdqu  32(%src), %v2
        movdqu  48(%src), %v3
        movntdq %v0,   (%dst)
        movntdq %v1, 16(%dst)
        movntdq %v2, 32(%dst)
        movntdq %v3, 48(%dst)
        add     $BLOCK, %src
        add     $BLOCK, %dst
        sub     $BLOCK, %n
        jae     .Lstream_block

        sfence
        jmp     .Lrest

        /* 4 to 15 bytes: two words of the largest power of two that fits, from
         * both ends; dst has not moved. */
.Lshort:
        cmp     $8, %n
        jb      .Lshort_4
        movq    (%src), %v0
        movq    -8(%src, %n), %v1
        movq    %v0, (%dst)
        movq    %v1, -8(%dst, %n)
        ret

.Lshort_4:
        cmp     $4, %n
        jb      .Lshort_1
        movd    (%src), %v0
        movd    -4(%src, %n), %v1
        movd    %v0, (%dst)
        movd    %v1, -4(%dst, %n)
        ret

        /* n is known and free as soon as it has been told which it is. */
.Lshort_1:
        cmp     $2, %n
        ja      .Lthree
        je      .Ltwo
        test    %n, %n
        jz      .Lnone
        movzbl  (%src), %ecx
        mov     %cl, (%dst)
.Lnone:
        ret

.Lthree:
        movzwl  (%src), %ecx
        movzbl  2(%src), %edx
        mov     %cx, (%dst)
        mov     %dl, 2(%dst)
        ret

.Ltwo:
        movzwl  (%src), %ecx
        mov     %cx, (%dst)
        ret
END_FUNC(memcpy_sse2)
NO_EXEC_STACK
