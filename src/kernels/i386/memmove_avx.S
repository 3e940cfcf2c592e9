/* SPDX-License-Identifier: MIT */
/*
 * memmove_avx - copy any number of bytes between ranges that may overlap
 *
 *     void *memmove_avx(void *dst, const void *src, size_t n);
 *
 * Contract (its machine-readable twin is the section in contracts.ini)
 *   reads     src[0, n), nothing else
 *   writes    dst[0, n), nothing else
 *   needs     nothing; any alignment, any overlap
 *   returns   dst
 *   state     DF, x87/MMX and MXCSR untouched; upper YMM halves clean on every
 *             path that used a YMM register
 *   clobbers  ecx edx ymm0-ymm4, upper halves of ymm5-ymm7, flags
 *   cpu       avx
 *
 * Registers
 *   dst    eax        in loops: next block to write, 32-byte aligned; then read
 *                     again from the stack to return it
 *   src    edx        in loops: the block that goes there
 *   n      ecx        bytes to move
 *   limit  ecx        where the loop stops
 *   v0 v1  ymm0 ymm1  the block in flight
 *   k0 k1  ymm2 ymm3  the 64 bytes at the far end, loaded before the first store
 *   edge   ymm4       the 32 bytes at the near end, likewise
 *   h0 h1  xmm0 xmm1  both ends of 4 to 31 bytes
 *
 * As in memmove_sse2: short moves load everything before they store anything, long
 * ones run away from the bytes they have still to read and store both ragged ends,
 * loaded first, last.
 */
#include "x86/asm.h"

#define dst   eax
#define src   edx
#define n     ecx
#define limit ecx
#define v0    ymm0
#define v1    ymm1
#define k0    ymm2
#define k1    ymm3
#define edge  ymm4
#define h0    xmm0
#define h1    xmm1

#define DST 4(%esp)
#define SRC 8(%esp)
#define LEN 12(%esp)

#define BLOCK 64

FUNC(memmove_avx)
        mov     DST, %dst
        mov     SRC, %src
        mov     LEN, %n
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
        cmp     $128, %n
        ja      .Lfrom_129
        vmovdqu   (%src), %v0
        vmovdqu 32(%src), %v1
        vmovdqu -64(%src, %n), %k0
        vmovdqu -32(%src, %n), %k1
        vmovdqu %v0,   (%dst)
        vmovdqu %v1, 32(%dst)
        vmovdqu %k0, -64(%dst, %n)
        vmovdqu %k1, -32(%dst, %n)
        vzeroupper
        ret

        /* dst - src as an unsigned number is below n exactly when dst lies in
         * [src, src + n): only then does a forward loop destroy its source. */
.Lfrom_129:
        sub     %src, %dst
        cmp     %n, %dst
        lea     (%dst, %src), %dst      /* leaves the flags alone */
        jb      .Lbackward

        vmovdqu (%src), %edge
        vmovdqu -64(%src, %n), %k0
        vmovdqu -32(%src, %n), %k1
        lea     -BLOCK(%dst, %n), %limit

        /* Round dst up to the next multiple of 32 (at least one byte up) and
         * take src along. */
        sub     %dst, %src
        add     $32, %dst
        and     $-32, %dst
        add     %dst, %src

.Lforward_block:
        vmovdqu   (%src), %v0
        vmovdqu 32(%src), %v1
        vmovdqa %v0,   (%dst)
        vmovdqa %v1, 32(%dst)
        add     $BLOCK, %src
        add     $BLOCK, %dst
        cmp     %limit, %dst
        jb      .Lforward_block

        vmovdqu %k0,   (%limit)
        vmovdqu %k1, 32(%limit)
        mov     DST, %eax
        vmovdqu %edge, (%eax)
        vzeroupper
        ret

.Lbackward:
        vmovdqu -32(%src, %n), %edge
        vmovdqu   (%src), %k0
        vmovdqu 32(%src), %k1

        /* Round the end down to a multiple of 32 (at least one byte down). */
        sub     %dst, %src
        lea     -1(%dst, %n), %dst
        and     $-32, %dst
        add     %dst, %src
        mov     DST, %limit
        add     $BLOCK, %limit

.Lbackward_block:
        vmovdqu -32(%src), %v0
        vmovdqu -64(%src), %v1
        vmovdqa %v0, -32(%dst)
        vmovdqa %v1, -64(%dst)
        sub     $BLOCK, %src
        sub     $BLOCK, %dst
        cmp     %limit, %dst
        ja      .Lbackward_block

        mov     DST, %eax
        mov     LEN, %n
        vmovdqu %k0,   (%eax)
        vmovdqu %k1, 32(%eax)
        vmovdqu %edge, -32(%eax, %n)
        vzeroupper
        ret

        /* VEX.128 moves zero the upper halves they meet: nothing to clean. */
.Lshort:
        cmp     $16, %n
        jb      .Lshort_8
        vmovdqu (%src), %h0
        vmovdqu -16(%src, %n), %h1
        vmovdqu %h0, (%dst)
        vmovdqu %h1, -16(%dst, %n)
        ret

.Lshort_8:
        cmp     $8, %n
        jb      .Lshort_4
        vmovq   (%src), %h0
        vmovq   -8(%src, %n), %h1
        vmovq   %h0, (%dst)
        vmovq   %h1, -8(%dst, %n)
        ret

.Lshort_4:
        cmp     $4, %n
        jb      .Lshort_1
        vmovd   (%src), %h0
        vmovd   -4(%src, %n), %h1
        vmovd   %h0, (%dst)
        vmovd   %h1, -4(%dst, %n)
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
END_FUNC(memmove_avx)
NO_EXEC_STACK
