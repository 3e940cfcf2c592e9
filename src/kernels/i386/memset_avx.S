/* SPDX-License-Identifier: MIT */
/*
 * memset_avx - set any number of bytes with 32-byte stores
 *
 *     void *memset_avx(void *dst, int c, size_t n);
 *
 * Contract (its machine-readable twin is the section in contracts.ini)
 *   writes    dst[0, n), nothing else, with the low byte of c
 *   needs     nothing; any alignment
 *   returns   dst
 *   state     DF, x87/MMX and MXCSR untouched; upper YMM halves clean on every
 *             path that used a YMM register
 *   clobbers  ecx edx ymm0, upper halves of ymm1-ymm7, flags
 *   cpu       avx
 *
 * Registers
 *   result eax   dst
 *   c      edx   the byte, then four copies of it
 *   dst    edx   in the loop: next block to write, 32-byte aligned
 *   n      ecx   bytes to set
 *   end    ecx   dst + n - 128: where the loop stops and the last block stands
 *   h      xmm0  sixteen copies of the byte
 *   v      ymm0  thirty-two of them
 */
#include "x86/asm.h"

#define result eax
#define c      edx
#define dst    edx
#define n      ecx
#define end    ecx
#define h      xmm0
#define v      ymm0

#define DST  4(%esp)
#define FILL 8(%esp)
#define LEN  12(%esp)

#define BLOCK 128

FUNC(memset_avx)
        mov     DST, %result
        movzbl  FILL, %c        /* only the low byte counts */
        imul    $0x01010101, %c, %c
        mov     LEN, %n
        cmp     $8, %n
        jb      .Lshort
        vmovd   %c, %h
        vpshufd $0, %h, %h
        cmp     $16, %n
        jae     .Lfrom_16
        vmovq   %h, (%result)
        vmovq   %h, -8(%result, %n)
.Lnone:
        ret

        /* A VEX.128 move leaves the upper halves clean. */
.Lfrom_16:
        cmp     $32, %n
        ja      .Lfrom_33
        vmovdqu %h, (%result)
        vmovdqu %h, -16(%result, %n)
        ret

.Lfrom_33:
        vinsertf128 $1, %h, %v, %v
        vmovdqu %v, (%result)
        cmp     $BLOCK, %n
        ja      .Llong

        /* 33 to 128 bytes: two or four stores from both ends, overlapping. */
        vmovdqu %v, -32(%result, %n)
        cmp     $64, %n
        jbe     .Lclean
        vmovdqu %v, 32(%result)
        vmovdqu %v, -64(%result, %n)
        vzeroupper
        ret

.Llong:
        lea     32(%result), %dst
        and     $-32, %dst
        lea     -BLOCK(%result, %n), %end
        cmp     %end, %dst
        jae     .Llast

.Lblock:
        vmovdqa %v,   (%dst)
        vmovdqa %v, 32(%dst)
        vmovdqa %v, 64(%dst)
        vmovdqa %v, 96(%dst)
        sub     $-BLOCK, %dst   /* -128 fits a byte, 128 does not */
        cmp     %end, %dst
        jb      .Lblock

.Llast:
        vmovdqu %v,   (%end)
        vmovdqu %v, 32(%end)
        vmovdqu %v, 64(%end)
        vmovdqu %v, 96(%end)
.Lclean:
        vzeroupper
        ret

.Lshort:
        cmp     $4, %n
        jae     .Lshort_4
        test    %n, %n
        jz      .Lnone

        /* 1 to 3 bytes: last, first and middle one; some coincide. */
        mov     %dl, -1(%result, %n)
        mov     %dl, (%result)
        shr     %n
        mov     %dl, (%result, %n)
        ret

.Lshort_4:
        mov     %c, (%result)
        mov     %c, -4(%result, %n)
        ret
END_FUNC(memset_avx)
NO_EXEC_STACK
