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
 *   clobbers  rcx rsi rdi r8-r9 xmm0-xmm8 flags
 *   cpu       sse2
 *
 * Registers
 *   result rax        dst as it came in
 *   dst    rdi        in loops: next block to write, 16-byte aligned
 *   src    rsi        in loops: the block that goes there
 *   n      rdx        bytes to move
 *   limit  rcx        where the loop stops
 *   end    r8         dst + n
 *   v0-v3  xmm0-xmm3  the block in flight
 *   k0-k3  xmm4-xmm7  the 64 bytes at the far end, loaded before the first store
 *   edge   xmm8       the 16 bytes at the near end, likewise
 *
 * Up to 128 bytes everything is loaded before anything is stored, from both ends
 * toward the middle, so overlap does not matter.  Beyond that the loop runs away
 * from the bytes it has still to read, and the two ragged ends, which were loaded
 * first, are stored last.
 */
#include "x86/asm.h"

#define result rax
#define dst    rdi
#define src    rsi
#define n      rdx
#define limit  rcx
#define end    r8
#define v0     xmm0
#define v1     xmm1
#define v2     xmm2
#define v3     xmm3
#define k0     xmm4
#define k1     xmm5
#define k2     xmm6
#define k3     xmm7
#define edge   xmm8

#define BLOCK 64

FUNC(memmove_sse2)
        mov     %dst, %result
        cmp     $16, %n
        jae     .Lfrom_16
        cmp     $8, %n
        jae     .Lfrom_8
        cmp     $4, %n
        jae     .Lfrom_4
        test    %n, %n
        jz      .Lnone

        /* 1 to 3 bytes: first, middle and last one; some coincide. */
        mov     %n, %r8
        shr     %r8
        movzbl  (%src), %ecx
        movzbl  (%src, %r8), %r9d
        movzbl  -1(%src, %n), %esi
        mov     %cl, (%dst)
        mov     %r9b, (%dst, %r8)
        mov     %sil, -1(%dst, %n)
.Lnone:
        ret

.Lfrom_4:
        mov     (%src), %ecx
        mov     -4(%src, %n), %r8d
        mov     %ecx, (%dst)
        mov     %r8d, -4(%dst, %n)
        ret

.Lfrom_8:
        mov     (%src), %rcx
        mov     -8(%src, %n), %r8
        mov     %rcx, (%dst)
        mov     %r8, -8(%dst, %n)
        ret

.Lfrom_16:
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
        movdqu  -32(%src, %n), %v2
        movdqu  -16(%src, %n), %v3
        movdqu  %v0,   (%dst)
        movdqu  %v1, 16(%dst)
        movdqu  %v2, -32(%dst, %n)
        movdqu  %v3, -16(%dst, %n)
        ret

.Lfrom_65:
        cmp     $128, %n
        ja      .Lfrom_129
        movdqu    (%src), %v0
        movdqu  16(%src), %v1
        movdqu  32(%src), %v2
        movdqu  48(%src), %v3
        movdqu  -64(%src, %n), %k0
        movdqu  -48(%src, %n), %k1
        movdqu  -32(%src, %n), %k2
        movdqu  -16(%src, %n), %k3
        movdqu  %v0,   (%dst)
        movdqu  %v1, 16(%dst)
        movdqu  %v2, 32(%dst)
        movdqu  %v3, 48(%dst)
        movdqu  %k0, -64(%dst, %n)
        movdqu  %k1, -48(%dst, %n)
        movdqu  %k2, -32(%dst, %n)
        movdqu  %k3, -16(%dst, %n)
        ret

.Lfrom_129:
        lea     (%dst, %n), %end

        /* dst - src as an unsigned number is below n exactly when dst lies in
         * [src, src + n): only then does a forward loop destroy its source. */
        mov     %dst, %rcx
        sub     %src, %rcx
        cmp     %n, %rcx
        jb      .Lbackward

        movdqu  (%src), %edge
        movdqu  -64(%src, %n), %k0
        movdqu  -48(%src, %n), %k1
        movdqu  -32(%src, %n), %k2
        movdqu  -16(%src, %n), %k3
        lea     -BLOCK(%end), %limit

        /* Round dst up to the next multiple of 16 (at least one byte up) and
         * take src along. */
        sub     %dst, %src
        add     $16, %dst
        and     $-16, %dst
        add     %dst, %src

.Lforward_block:
        movdqu    (%src), %v0
        movdqu  16(%src), %v1
        movdqu  32(%src), %v2
        movdqu  48(%src), %v3
        movdqa  %v0,   (%dst)
        movdqa  %v1, 16(%dst)
        movdqa  %v2, 32(%dst)
        movdqa  %v3, 48(%dst)
        add     $BLOCK, %src
        add     $BLOCK, %dst
        cmp     %limit, %dst
        jb      .Lforward_block

        movdqu  %k0,   (%limit)
        movdqu  %k1, 16(%limit)
        movdqu  %k2, 32(%limit)
        movdqu  %k3, 48(%limit)
        movdqu  %edge, (%result)
        ret

.Lbackward:
        movdqu  -16(%src, %n), %edge
        movdqu    (%src), %k0
        movdqu  16(%src), %k1
        movdqu  32(%src), %k2
        movdqu  48(%src), %k3
        lea     BLOCK(%dst), %limit

        /* Round the end down to a multiple of 16 (at least one byte down). */
        sub     %dst, %src
        lea     -1(%end), %dst
        and     $-16, %dst
        add     %dst, %src

.Lbackward_block:
        movdqu  -16(%src), %v0
        movdqu  -32(%src), %v1
        movdqu  -48(%src), %v2
        movdqu  -64(%src), %v3
        movdqa  %v0, -16(%dst)
        movdqa  %v1, -32(%dst)
        movdqa  %v2, -48(%dst)
        movdqa  %v3, -64(%dst)
        sub     $BLOCK, %src
        sub     $BLOCK, %dst
        cmp     %limit, %dst
        ja      .Lbackward_block

        movdqu  %k0,   (%result)
        movdqu  %k1, 16(%result)
        movdqu  %k2, 32(%result)
        movdqu  %k3, 48(%result)
        movdqu  %edge, -16(%end)
        ret
END_FUNC(memmove_sse2)
NO_EXEC_STACK
