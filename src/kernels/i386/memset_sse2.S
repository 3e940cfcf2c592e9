/* SPDX-License-Identifier: MIT */
/*
 * memset_sse2 - set any number of bytes with 16-byte stores
 *
 *     void *memset_sse2(void *dst, int c, size_t n);
 *
 * Contract (its machine-readable twin is the section in contracts.ini)
 *   writes    dst[0, n), nothing else, with the low byte of c
 *   needs     nothing; any alignment
 *   returns   dst
 *   state     DF, x87/MMX and MXCSR untouched
 *   clobbers  ecx edx xmm0 flags
 *   cpu       sse2
 *
 * Registers
 *   result eax   dst
 *   c      edx   the byte, then four copies of it
 *   dst    edx   in the loop: next block to write, 16-byte aligned
 *   n      ecx   bytes to set
 *   end    ecx   dst + n - 64: where the loop stops and the last block stands
 *   v      xmm0  sixteen copies of the byte
 */
#include "x86/asm.h"

#define result eax
#define c      edx
#define dst    edx
#define n      ecx
#define end    ecx
#define v      xmm0

#define DST  4(%esp)
#define FILL 8(%esp)
#define LEN  12(%esp)

#define BLOCK 64

FUNC(memset_sse2)
        mov     DST, %result
        movzbl  FILL, %c        /* only the low byte counts */
        imul    $0x01010101, %c, %c
        mov     LEN, %n
        cmp     $8, %n
        jb      .Lshort
        movd    %c, %v
        pshufd  $0, %v, %v
        cmp     $16, %n
        jae     .Lfrom_16
        movq    %v, (%result)
        movq    %v, -8(%result, %n)
.Lnone:
        ret

.Lfrom_16:
        movdqu  %v, (%result)
        cmp     $BLOCK, %n
        ja      .Llong

        /* 16 to 64 bytes: two or four stores from both ends, overlapping. */
        movdqu  %v, -16(%result, %n)
        cmp     $32, %n
        jbe     .Lnone
        movdqu  %v, 16(%result)
        movdqu  %v, -32(%result, %n)
        ret

.Llong:
        lea     16(%result), %dst
        and     $-16, %dst
        lea     -BLOCK(%result, %n), %end
        cmp     %end, %dst
        jae     .Llast

.Lblock:
        movdqa  %v,   (%dst)
        movdqa  %v, 16(%dst)
        movdqa  %v, 32(%dst)
        movdqa  %v, 48(%dst)
        add     $BLOCK, %dst
        cmp     %end, %dst
        jb      .Lblock

.Llast:
        movdqu  %v,   (%end)
        movdqu  %v, 16(%end)
        movdqu  %v, 32(%end)
        movdqu  %v, 48(%end)
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
END_FUNC(memset_sse2)
NO_EXEC_STACK
