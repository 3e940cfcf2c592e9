/* SPDX-License-Identifier: MIT */
/*
 * memcpy_avx - copy any number of bytes with 32-byte moves
 *
 *     void *memcpy_avx(void *dst, const void *src, size_t n);
 *
 * Contract (its machine-readable twin is the section in contracts.ini)
 *   reads     src[0, n), nothing else
 *   writes    dst[0, n), nothing else
 *   needs     dst and src must not overlap; any alignment
 *   returns   dst
 *   state     DF, x87/MMX and MXCSR untouched; upper YMM halves clean on every
 *             path that used a YMM register
 *   clobbers  rcx rdx rsi rdi r8 ymm0-ymm3, upper halves of ymm4-ymm15, flags
 *   cpu       avx
 *
 * Registers
 *   result rax        dst as it came in
 *   dst    rdi        in the loop: next block to write, 32-byte aligned
 *   src    rsi        in the loop: the block that goes there
 *   n      rdx        bytes to copy
 *   limit  rcx        dst + n - 128: where the loop stops and the last block stands
 *   t0 t1  rcx r8     the two words of a short copy
 *   v0-v3  ymm0-ymm3  the block in flight
 *   h0 h1  xmm0 xmm1  the two halves of 16 to 31 bytes
 *
 * Every size above 3 is stored from both ends toward the middle; where the two meet,
 * bytes are stored twice.
 */
#include "x86/asm.h"

#define result rax
#define dst    rdi
#define src    rsi
#define n      rdx
#define limit  rcx
#define t0     rcx
#define t1     r8
#define v0     ymm0
#define v1     ymm1
#define v2     ymm2
#define v3     ymm3
#define h0     xmm0
#define h1     xmm1

#define BLOCK 128

FUNC(memcpy_avx)
        mov     %dst, %result
        cmp     $32, %n
        jb      .Lshort
        cmp     $64, %n
        ja      .Lfrom_65
        vmovdqu (%src), %v0
        vmovdqu -32(%src, %n), %v1
        vmovdqu %v0, (%dst)
        vmovdqu %v1, -32(%dst, %n)
        vzeroupper
        ret

.Lfrom_65:
        cmp     $BLOCK, %n
        ja      .Llong
        vmovdqu   (%src), %v0
        vmovdqu 32(%src), %v1
        vmovdqu -64(%src, %n), %v2
        vmovdqu -32(%src, %n), %v3
        vmovdqu %v0,   (%dst)
        vmovdqu %v1, 32(%dst)
        vmovdqu %v2, -64(%dst, %n)
        vmovdqu %v3, -32(%dst, %n)
        vzeroupper
        ret

.Llong:
        vmovdqu (%src), %v0
        vmovdqu %v0, (%dst)
        lea     -BLOCK(%dst, %n), %limit

        /* Round dst up to the next multiple of 32 (at least one byte up) and
         * take src along: src becomes src - dst for a moment. */
        sub     %dst, %src
        add     $32, %dst
        and     $-32, %dst
        add     %dst, %src
        cmp     %limit, %dst
        jae     .Llast

.Lblock:
        vmovdqu   (%src), %v0
        vmovdqu 32(%src), %v1
        vmovdqu 64(%src), %v2
        vmovdqu 96(%src), %v3
        vmovdqa %v0,   (%dst)
        vmovdqa %v1, 32(%dst)
        vmovdqa %v2, 64(%dst)
        vmovdqa %v3, 96(%dst)
        sub     $-BLOCK, %src   /* -128 fits a byte, 128 does not */
        sub     $-BLOCK, %dst
        cmp     %limit, %dst
        jb      .Lblock

        /* The loop left 1 to 128 bytes: the last 128 are all of them. */
.Llast:
        sub     %dst, %src
        vmovdqu   (%src, %limit), %v0
        vmovdqu 32(%src, %limit), %v1
        vmovdqu 64(%src, %limit), %v2
        vmovdqu 96(%src, %limit), %v3
        vmovdqu %v0,   (%limit)
        vmovdqu %v1, 32(%limit)
        vmovdqu %v2, 64(%limit)
        vmovdqu %v3, 96(%limit)
        vzeroupper
        ret

.Lshort:
        cmp     $16, %n
        jae     .Lshort_16
        cmp     $8, %n
        jae     .Lshort_8
        cmp     $4, %n
        jae     .Lshort_4
        test    %n, %n
        jz      .Lnone

        /* 1 to 3 bytes: first, second and last one; the last two may coincide. */
        movzbl  (%src), %ecx
        mov     %cl, (%dst)
        dec     %n
        jz      .Lnone
        movzbl  1(%src), %ecx
        movzbl  (%src, %n), %r8d
        mov     %cl, 1(%dst)
        mov     %r8b, (%dst, %n)
.Lnone:
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

        /* VEX.128 moves zero the upper halves they meet: nothing to clean. */
.Lshort_16:
        vmovdqu (%src), %h0
        vmovdqu -16(%src, %n), %h1
        vmovdqu %h0, (%dst)
        vmovdqu %h1, -16(%dst, %n)
        ret
END_FUNC(memcpy_avx)
NO_EXEC_STACK
