/* SPDX-License-Identifier: MIT */
/*
 * memmove_sse2 - copy any number of bytes between ranges that may overlap
 *
 *     void *memmove_sse2(void *dst, const void *src, size_t n);
 *
 * Contract (its machine-readable twin is the section in contracts.ini)
 *   reads     src[0, n), nothing else
 *   writes    dst[0, n), nothing else
 *   needs     nothing; any alignment, any overlap
 *   returns   dst
 *   state     DF, x87/MMX and MXCSR untouched
 *   clobbers  ecx edx xmm0-xmm4 flags
 *   cpu       sse2
 *
 * Registers
 *   dst    eax  in loops: next block to write, 16-byte aligned; then read again
 *               from the stack to return it
 *   src    edx  in loops: the block that goes there
 *   n      ecx  bytes to move
 *   limit  ecx  where the loop stops
 *   v0 v1       xmm0 and xmm1, the block in flight
 *   k0 k1       xmm2 and xmm3, the 32 bytes at the far end, loaded before the first
 *               store
 *   edge        xmm4, the 16 bytes at the near end, likewise
 *
 * Up to 64 bytes everything is loaded before anything is stored, from both ends
 * toward the middle, so overlap does not matter.  Beyond that the loop runs away
 * from the bytes it has still to read, and the two ragged ends, which were loaded
 * first, are stored last.
 */
#include "x86/asm.h"

#define dst   eax
#define src   edx
#define n     ecx
#define limit ecx
#define v0    xmm0
#define v1    xmm1
#define k0    xmm2
#define k1    xmm3
#define edge  xmm4

#define DST 4(%esp)
#define SRC 8(%esp)
#define LEN 12(%esp)

#define BLOCK 32

FUNC(memmove_sse2)
        mov     DST, %dst
        mov     SRC, %src
        mov     LEN, %n
        cmp     $16, %n
        jb      .Lshort
        cmp     $32, %n
        ja      .Lfrom_33
        movdqu  (%src), %v0
        movdqu  -16(%src, %n), %v1
        movdqu  %v0, (%dst)
        movdqu  %v1, -16(%dst, %n)
        ret

.Lfrom_33:
        cmp     $64, %n
        ja      .Lfrom_65
        movdqu    (%src), %v0
        movdqu  16(%src), %v1
        movdqu  -32(%src, %n), %k0
        movdqu  -16(%src, %n), %k1
        movdqu  %v0,   (%dst)
        movdqu  %v1, 16(%dst)
        movdqu  %k0, -32(%dst, %n)
        movdqu  %k1, -16(%dst, %n)
        ret

        /* dst - src as an unsigned number is below n exactly when dst lies in
         * [src, src + n): only then does a forward loop destroy its source. */
.Lfrom_65:
        sub     %src, %dst
        cmp     %n, %dst
        lea     (%dst, %src), %dst      /* leaves the flags alone */
        jb      .Lbackward

        movdqu  (%src), %edge
        movdqu  -32(%src, %n), %k0
        movdqu  -16(%src, %n), %k1
        lea     -BLOCK(%dst, %n), %limit

        /* Round dst up to the next multiple of 16 (at least one byte up) and
         * take src along. */
        sub     %dst, %src
        add     $16, %dst
        and     $-16, %dst
        add     %dst, %src

.Lforward_block:
        movdqu    (%src), %v0
        movdqu  16(%src), %v1
        movdqa  %v0,   (%dst)
        movdqa  %v1, 16(%dst)
        add     $BLOCK, %src
        add     $BLOCK, %dst
        cmp     %limit, %dst
        jb      .Lforward_block

        movdqu  %k0,   (%limit)
        movdqu  %k1, 16(%limit)
        mov     DST, %eax
        movdqu  %edge, (%eax)
        ret

.Lbackward:
        movdqu  -16(%src, %n), %edge
        movdqu    (%src), %k0
        movdqu  16(%src), %k1

        /* Round the end down to a multiple of 16 (at least one byte down). */
        sub     %dst, %src
        lea     -1(%dst, %n), %dst
        and     $-16, %dst
        add     %dst, %src
        mov     DST, %limit
        add     $BLOCK, %limit

.Lbackward_block:
        movdqu  -16(%src), %v0
        movdqu  -32(%src), %v1
        movdqa  %v0, -16(%dst)
        movdqa  %v1, -32(%dst)
        sub     $BLOCK, %src
        sub     $BLOCK, %dst
        cmp     %limit, %dst
        ja      .Lbackward_block

        mov     DST, %eax
        mov     LEN, %n
        movdqu  %k0,   (%eax)
        movdqu  %k1, 16(%eax)
        movdqu  %edge, -16(%eax, %n)
        ret

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
END_FUNC(memmove_sse2)
NO_EXEC_STACK
