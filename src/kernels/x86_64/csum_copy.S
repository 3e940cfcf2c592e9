/* SPDX-License-Identifier: MIT */
/*
 * csum_copy - copy any number of bytes and add them up as the Internet checksum does
 *
 *     uint32_t csum_copy(void *dst, const void *src, size_t n, uint32_t sum);
 *
 * Contract (its machine-readable twin is the section in contracts.ini)
 *   reads     src[0, n), nothing else
 *   writes    dst[0, n), nothing else
 *   needs     dst and src must not overlap; any alignment
 *   returns   the 16-bit one's complement sum (RFC 1071), not inverted: let T be sum
 *             plus all little-endian 16-bit words of src, an odd last byte followed
 *             by a zero; 0 when T is 0, else 1 + (T - 1) mod 65535
 *   state     DF, x87/MMX, MXCSR and all vector registers untouched
 *   clobbers  rax rcx rdx rsi rdi r8 flags
 *   cpu       any
 *
 * Registers
 *   total rax  the sum so far, of 64-bit words: 2^64 - 1 is a multiple of 65535, so
 *              the carry comes back in at the bottom as with 16-bit words
 *   dst   rdi  next byte to write
 *   src   rsi  next byte to read
 *   n     rdx  bytes left; in the last steps only its low bits count
 *   word  r8   the word in flight
 *
 * csum_copy_ref says the same with 16-bit words alone: the reference of the contract.
 */
#include "x86/asm.h"

#define total rax
#define dst   rdi
#define src   rsi
#define n     rdx
#define word  r8

#define BLOCK 32

FUNC(csum_copy)
        mov     %ecx, %eax      /* sum; the upper half of rcx is not ours */
        sub     $BLOCK, %n
        jb      .Lrest

        /* Moves do not touch the carry, so one chain runs through the block. */
.Lblock:
        mov       (%src), %word
        mov     %word,   (%dst)
        add     %word, %total
        mov      8(%src), %word
        mov     %word,  8(%dst)
        adc     %word, %total
        mov     16(%src), %word
        mov     %word, 16(%dst)
        adc     %word, %total
        mov     24(%src), %word
        mov     %word, 24(%dst)
        adc     %word, %total
        adc     $0, %total
        add     $BLOCK, %src
        add     $BLOCK, %dst
        sub     $BLOCK, %n
        jae     .Lblock

        /* 0 to 31 bytes left, and 32 too few in n: the low five bits are right. */
.Lrest:
        and     $BLOCK - 1, %edx
        sub     $8, %n
        jb      .Lrest_4

.Lword:
        mov     (%src), %word
        mov     %word, (%dst)
        add     %word, %total
        adc     $0, %total
        add     $8, %src
        add     $8, %dst
        sub     $8, %n
        jae     .Lword

        /* 0 to 7 bytes: every part begins at an even distance from src. */
.Lrest_4:
        test    $4, %dl
        jz      .Lrest_2
        mov     (%src), %r8d
        mov     %r8d, (%dst)
        add     %word, %total
        adc     $0, %total
        add     $4, %src
        add     $4, %dst
.Lrest_2:
        test    $2, %dl
        jz      .Lrest_1
        movzwl  (%src), %r8d
        mov     %r8w, (%dst)
        add     %word, %total
        adc     $0, %total
        add     $2, %src
        add     $2, %dst
.Lrest_1:
        test    $1, %dl
        jz      .Lfold
        movzbl  (%src), %r8d
        mov     %r8b, (%dst)
        add     %word, %total
        adc     $0, %total

        /* Halves onto each other, twice; a sum that carries is small enough to
         * take the carry without another one. */
.Lfold:
        mov     %total, %word
        shr     $32, %word
        add     %r8d, %eax
        adc     $0, %eax
        mov     %eax, %r8d
        shr     $16, %r8d
        add     %r8w, %ax
        adc     $0, %ax
        movzwl  %ax, %eax
        ret
END_FUNC(csum_copy)

FUNC(csum_copy_ref)
        movzwl  %cx, %eax
        shr     $16, %ecx
        add     %cx, %ax
        adc     $0, %ax

.Lref_word:
        cmp     $2, %n
        jb      .Lref_last
        movzwl  (%src), %ecx
        mov     %cx, (%dst)
        add     %cx, %ax
        adc     $0, %ax
        add     $2, %src
        add     $2, %dst
        sub     $2, %n
        jmp     .Lref_word

.Lref_last:
        test    %n, %n
        jz      .Lref_done
        movzbl  (%src), %ecx
        mov     %cl, (%dst)
        add     %cx, %ax
        adc     $0, %ax
.Lref_done:
        ret
END_FUNC(csum_copy_ref)
NO_EXEC_STACK
