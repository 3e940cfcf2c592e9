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
 *   clobbers  rcx rsi rdi r8 xmm0 flags
 *   cpu       sse2
 *
 * Registers
 *   result rax   dst as it came in
 *   dst    rdi   in the loop: next block to write, 16-byte aligned
 *   c      rsi   the byte, then eight copies of it
 *   n      rdx   bytes to set
 *   end    rcx   dst + n - 64: where the loop stops and the last block stands
 *   v      xmm0  sixteen copies of the byte
 */
#include "x86/asm.h"

#define result rax
#define dst    rdi
#define c      rsi
#define n      rdx
#define end    rcx
#define v      xmm0

#define BLOCK 64

FUNC(memset_sse2)
        mov     %dst, %result

        /* Only the low byte counts, and the upper half of rsi is the caller's
         * rubbish: mask first, then multiply into all eight bytes. */
        movzbl  %sil, %esi
        movabs  $0x0101010101010101, %r8
        imul    %r8, %c

        cmp     $16, %n
        jb      .Lshort
        movq    %c, %v
        punpcklqdq %v, %v
        cmp     $BLOCK, %n
        ja      .Llong

        /* 16 to 64 bytes: two or four stores from both ends, overlapping. */
        movdqu  %v, (%dst)
        movdqu  %v, -16(%dst, %n)
        cmp     $32, %n
        jbe     .Lnone
        movdqu  %v, 16(%dst)
        movdqu  %v, -32(%dst, %n)
.Lnone:
        ret

.Llong:
        movdqu  %v, (%dst)
        lea     -BLOCK(%dst, %n), %end
        add     $16, %dst
        and     $-16, %dst
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
        cmp     $8, %n
        jae     .Lshort_8
        cmp     $4, %n
        jae     .Lshort_4
        test    %n, %n
        jz      .Lnone

        /* 1 to 3 bytes: first, middle and last one; some coincide. */
        mov     %n, %r8
        shr     %r8
        mov     %sil, (%dst)
        mov     %sil, (%dst, %r8)
        mov     %sil, -1(%dst, %n)
        ret

.Lshort_4:
        mov     %esi, (%dst)
        mov     %esi, -4(%dst, %n)
        ret

.Lshort_8:
        mov     %c, (%dst)
        mov     %c, -8(%dst, %n)
        ret
END_FUNC(memset_sse2)
NO_EXEC_STACK
