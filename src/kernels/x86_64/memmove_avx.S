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
 *   clobbers  rcx rsi rdi r8-r9 ymm0-ymm8, upper halves of ymm9-ymm15, flags
 *   cpu       avx
 *
 * Registers
 *   result rax        dst as it came in
 *   dst    rdi        in loops: next block to write, 32-byte aligned
 *   src    rsi        in loops: the block that goes there
 *   n      rdx        bytes to move
 *   limit  rcx        where the loop stops
 *   end    r8         dst + n
 *   v0-v3  ymm0-ymm3  the block in flight
 *   k0-k3  ymm4-ymm7  the 128 bytes at the far end, loaded before the first store
 *   edge   ymm8       the 32 bytes at the near end, likewise
 *
 * As in memmove_sse2: short moves load everything before they store anything, long
 * ones run away from the bytes they have still to read and store both ragged ends,
 * loaded first, last.
 */
#include "x86/asm.h"

#define result rax
#define dst    rdi
#define src    rsi
#define n      rdx
#define limit  rcx
#define end    r8
#define v0     ymm0
#define v1     ymm1
#define v2     ymm2
#define v3     ymm3
#define k0     ymm4
#define k1     ymm5
#define k2     ymm6
#define k3     ymm7
#define edge   ymm8

#define BLOCK 128

FUNC(memmove_avx)
        mov     %dst, %result
        cmp     $32, %n
        jae     .Lfrom_32
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

        /* VEX.128 moves zero the upper halves they meet: nothing to clean. */
.Lfrom_16:
        vmovdqu (%src), %xmm0
        vmovdqu -16(%src, %n), %xmm1
        vmovdqu %xmm0, (%dst)
        vmovdqu %xmm1, -16(%dst, %n)
        ret

.Lfrom_32:
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
        vmovdqu -64(%src, %n), %v2
        vmovdqu -32(%src, %n), %v3
        vmovdqu %v0,   (%dst)
        vmovdqu %v1, 32(%dst)
        vmovdqu %v2, -64(%dst, %n)
        vmovdqu %v3, -32(%dst, %n)
        vzeroupper
        ret

.Lfrom_129:
        cmp     $256, %n
        ja      .Lfrom_257
        vmovdqu   (%src), %v0
        vmovdqu 32(%src), %v1
        vmovdqu 64(%src), %v2
        vmovdqu 96(%src), %v3
        vmovdqu -128(%src, %n), %k0
        vmovdqu  -96(%src, %n), %k1
        vmovdqu  -64(%src, %n), %k2
        vmovdqu  -32(%src, %n), %k3
        vmovdqu %v0,   (%dst)
        vmovdqu %v1, 32(%dst)
        vmovdqu %v2, 64(%dst)
        vmovdqu %v3, 96(%dst)
        vmovdqu %k0, -128(%dst, %n)
        vmovdqu %k1,  -96(%dst, %n)
        vmovdqu %k2,  -64(%dst, %n)
        vmovdqu %k3,  -32(%dst, %n)
        vzeroupper
        ret

.Lfrom_257:
        lea     (%dst, %n), %end

        /* dst - src as an unsigned number is below n exactly when dst lies in
         * [src, src + n): only then does a forward loop destroy its source. */
        mov     %dst, %rcx
        sub     %src, %rcx
        cmp     %n, %rcx
        jb      .Lbackward

        vmovdqu (%src), %edge
        vmovdqu -128(%src, %n), %k0
        vmovdqu  -96(%src, %n), %k1
        vmovdqu  -64(%src, %n), %k2
        vmovdqu  -32(%src, %n), %k3
        lea     -BLOCK(%end), %limit

        /* Round dst up to the next multiple of 32 (at least one byte up) and
         * take src along. */
        sub     %dst, %src
        add     $32, %dst
        and     $-32, %dst
        add     %dst, %src

.Lforward_block:
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
        jb      .Lforward_block

        vmovdqu %k0,   (%limit)
        vmovdqu %k1, 32(%limit)
        vmovdqu %k2, 64(%limit)
        vmovdqu %k3, 96(%limit)
        vmovdqu %edge, (%result)
        vzeroupper
        ret

.Lbackward:
        vmovdqu -32(%src, %n), %edge
        vmovdqu   (%src), %k0
        vmovdqu 32(%src), %k1
        vmovdqu 64(%src), %k2
        vmovdqu 96(%src), %k3
        lea     BLOCK(%dst), %limit

        /* Round the end down to a multiple of 32 (at least one byte down). */
        sub     %dst, %src
        lea     -1(%end), %dst
        and     $-32, %dst
        add     %dst, %src

.Lbackward_block:
        vmovdqu  -32(%src), %v0
        vmovdqu  -64(%src), %v1
        vmovdqu  -96(%src), %v2
        vmovdqu -128(%src), %v3
        vmovdqa %v0,  -32(%dst)
        vmovdqa %v1,  -64(%dst)
        vmovdqa %v2,  -96(%dst)
        vmovdqa %v3, -128(%dst)
        add     $-BLOCK, %src
        add     $-BLOCK, %dst
        cmp     %limit, %dst
        ja      .Lbackward_block

        vmovdqu %k0,   (%result)
        vmovdqu %k1, 32(%result)
        vmovdqu %k2, 64(%result)
        vmovdqu %k3, 96(%result)
        vmovdqu %edge, -32(%end)
        vzeroupper
        ret
END_FUNC(memmove_avx)
NO_EXEC_STACK
