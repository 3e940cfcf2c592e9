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
 *   clobbers  rcx rdx rsi rdi ymm0, upper halves of ymm1-ymm15, flags
 *   cpu       avx
 *
 * Registers
 *   result rax   dst as it came in
 *   dst    rdi   in the loop: next block to write, 32-byte aligned
 *   c      rsi   the byte, then eight copies of it
 *   n      rdx   bytes to set
 *   end    rcx   dst + n - 128: where the loop stops and the last block stands
 *   h      xmm0  sixteen copies of the byte
 *   v      ymm0  thirty-two of them
 */
#include "x86/asm.h"

#define result rax
#define dst    rdi
#define c      rsi
#define n      rdx
#define end    rcx
#define h      xmm0
#define v      ymm0

#define BLOCK 128

FUNC(memset_avx)
        mov     %dst, %result

        /* Only the low byte counts, and the upper half of rsi is the caller's
         * rubbish: mask first, then multiply into all eight bytes. */
        movzbl  %sil, %esi
        movabs  $0x0101010101010101, %rcx
        imul    %rcx, %c

        cmp     $16, %n
        jb      .Lshort
        vmovq   %c, %h
        vpunpcklqdq %h, %h, %h
        cmp     $32, %n
        ja      .Lfrom_33

        /* A VEX.128 move leaves the upper halves clean. */
        vmovdqu %h, (%dst)
        vmovdqu %h, -16(%dst, %n)
.Lnone:
        ret

.Lfrom_33:
        vinsertf128 $1, %h, %v, %v
        vmovdqu %v, (%dst)
        cmp     $BLOCK, %n
        ja      .Llong

        /* 33 to 128 bytes: two or four stores from both ends, overlapping. */
        vmovdqu %v, -32(%dst, %n)
        cmp     $64, %n
        jbe     .Lclean
        vmovdqu %v, 32(%dst)
        vmovdqu %v, -64(%dst, %n)
        vzeroupper
        ret

.Llong:
        lea     -BLOCK(%dst, %n), %end
        add     $32, %dst
        and     $-32, %dst
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
        cmp     $8, %n
        jae     .Lshort_8
        cmp     $4, %n
        jae     .Lshort_4
        test    %n, %n
        jz      .Lnone

        /* 1 to 3 bytes: last, first and middle one; some coincide. */
        mov     %sil, -1(%dst, %n)
        mov     %sil, (%dst)
        shr     %n
        mov     %sil, (%dst, %n)
        ret

.Lshort_4:
        mov     %esi, (%dst)
        mov     %esi, -4(%dst, %n)
        ret

.Lshort_8:
        mov     %c, (%dst)
        mov     %c, -8(%dst, %n)
        ret
END_FUNC(memset_avx)
NO_EXEC_STACK
