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
 *   clobbers  eax ecx edx flags
 *   cpu       any
 *
 * Registers
 *   total eax  the sum so far, of 32-bit words: 2^32 - 1 is a multiple of 65535, so
 *              the carry comes back in at the bottom as with 16-bit words
 *   n     ecx  bytes left; in the last steps only its low bits count
 *   word  edx  the word in flight
 *   src   esi  next byte to read
 *   dst   edi  next byte to write
 *
 * csum_copy_ref says the same with 16-bit words alone: the reference of the contract.
 */
#include "x86/asm.h"

#define total eax
#define n     ecx
#define word  edx
#define src   esi
#define dst   edi

/* Behind esi and edi and the return address. */
#define DST 12(%esp)
#define SRC 16(%esp)
#define LEN 20(%esp)
#define SUM 24(%esp)

#define BLOCK 16

FUNC(csum_copy)
        SAVE32(%esi)
        SAVE32(%edi)
        mov     DST, %dst
        mov     SRC, %src
        mov     LEN, %n
        mov     SUM, %total
        sub     $BLOCK, %n
        jb      .Lrest

        /* Moves do not touch the carry, so one chain runs through the block. */
.Lblock:
        mov       (%src), %word
        mov     %word,   (%dst)
        add     %word, %total
        mov      4(%src), %word
        mov     %word,  4(%dst)
        adc     %word, %total
        mov      8(%src), %word
        mov     %word,  8(%dst)
        adc     %word, %total
        mov     12(%src), %word
        mov     %word, 12(%dst)
        adc     %word, %total
        adc     $0, %total
        add     $BLOCK, %src
        add     $BLOCK, %dst
        sub     $BLOCK, %n
        jae     .Lblock

        /* 0 to 15 bytes left, and 16 too few in n: the low four bits are right. */
.Lrest:
        and     $BLOCK - 1, %n
        sub     $4, %n
        jb      .Lrest_2

.Lword:
        mov     (%src), %word
        mov     %word, (%dst)
        add     %word, %total
        adc     $0, %total
        add     $4, %src
        add     $4, %dst
        sub     $4, %n
        jae     .Lword

        /* 0 to 3 bytes: every part begins at an even distance from src. */
.Lrest_2:
        test    $2, %cl
        jz      .Lrest_1
        movzwl  (%src), %word
        mov     %dx, (%dst)
        add     %word, %total
        adc     $0, %total
        add     $2, %src
        add     $2, %dst
.Lrest_1:
        test    $1, %cl
        jz      .Lfold
        movzbl  (%src), %word
        mov     %dl, (%dst)
        add     %word, %total
        adc     $0, %total

        /* One half onto the other; a sum that carries is small enough to take the
         * carry without another one. */
.Lfold:
        mov     %total, %word
        shr     $16, %word
        add     %dx, %ax
        adc     $0, %ax
        movzwl  %ax, %eax
        RESTORE32(%edi)
        RESTORE32(%esi)
        ret
END_FUNC(csum_copy)

FUNC(csum_copy_ref)
        SAVE32(%esi)
        SAVE32(%edi)
        mov     DST, %dst
        mov     SRC, %src
        mov     LEN, %n
        movzwl  SUM, %eax
        movzwl  2 + SUM, %edx
        add     %dx, %ax
        adc     $0, %ax

.Lref_word:
        cmp     $2, %n
        jb      .Lref_last
        movzwl  (%src), %edx
        mov     %dx, (%dst)
        add     %dx, %ax
        adc     $0, %ax
        add     $2, %src
        add     $2, %dst
        sub     $2, %n
        jmp     .Lref_word

.Lref_last:
        test    %n, %n
        jz      .Lref_done
        movzbl  (%src), %edx
        mov     %dl, (%dst)
        add     %dx, %ax
        adc     $0, %ax
.Lref_done:
        RESTORE32(%edi)
        RESTORE32(%esi)
        ret
END_FUNC(csum_copy_ref)
NO_EXEC_STACK
