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
 *   clobbers  rcx rdx rsi rdi r8 xmm0-xmm3 flags
 *   cpu       sse2, sse (sfence)
 *
 * Registers
 *   result rax  dst as it came in
 *   dst    rdi  next byte to write
 *   src    rsi  next byte to read
 *   n      rdx  bytes left
 *   t0 t1       rcx and r8, the two words of a short copy
 *   v0-v3       the block in flight, 16 bytes each
 */
#include "x86/asm.h"

#define result rax
#define dst    rdi
#define src    rsi
#define n      rdx
#define t0     rcx
#define t1     r8
#define v0     xmm0
#define v1     xmm1
#define v2     xmm2
#define v3     xmm3

#define BLOCK     64
#define STREAM_AT 131072

FUNC(memcpy_sse2)
        mov     %dst, %result
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
        cmp     $48, %n
        jb      .Lrest_48
        movdqu    (%src), %v0
        movdqu  16(%src), %v1
        movdqu  32(%src), %v2
        movdqu  -16(%src, %n), %v3
        movdqu  %v0,   (%dst)
        movdqu  %v1, 16(%dst)
        movdqu  %v2, 32(%dst)
        movdqu  %v3, -16(%dst, %n)
        ret

.Lrest_48:
        cmp     $16, %n
        jb      .Lrest_16
        movdqu  (%src), %v0
        movdqu  %v0, (%dst)
        cmp     $32, %n
        jb      .Lrest_16
        movdqu  16(%src), %v1
        movdqu  %v1, 16(%dst)
.Lrest_16:
        movdqu  -16(%src, %n), %v0
        movdqu  %v0, -16(%dst, %n)
        ret

        /* Ragged first 16 bytes, then aligned non-temporal blocks.  At least
         * one block remains for .Lrest to look back into. */
.Lstream:
        movdqu  (%src), %v0
        movdqu  %v0, (%dst)
        lea     16(%dst), %t0
        and     $-16, %t0
        sub     %dst, %t0
        add     %t0, %src
        add     %t0, %dst
        sub     %t0, %n
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

        /* 0 to 15 bytes: two words of the largest power of two that fits, from
         * both ends. */
.Lshort:
        cmp     $8, %n
        jae     .Lshort_8
        cmp     $4, %n
        jae     .Lshort_4
        cmp     $2, %n
        jae     .Lshort_2
        test    %n, %n
        jz      .Lnone
        mov     (%src), %cl
        mov     %cl, (%dst)
.Lnone:
        ret

.Lshort_2:
        mov     (%src), %cx
        mov     -2(%src, %n), %r8w
        mov     %cx, (%dst)
        mov     %r8w, -2(%dst, %n)
        ret

.Lshort_4:
        mov     (%src), %ecx
        mov     -4(%src, %n), %r8d
        mov     %ecx, (%dst)
        mov     %r8d, -4(%dst, %n)
        ret

.Lshort_8:
        mov     (%src), %t0
        mov     -8(%src, %n), %t1
        mov     %t0, (%dst)
        mov     %t1, -8(%dst, %n)
        ret
END_FUNC(memcpy_sse2)
NO_EXEC_STACK
