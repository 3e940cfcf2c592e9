/* SPDX-License-Identifier: MIT */
/*
 * memmove_backward - copy between ranges that may overlap, word by word
 *
 *     void *memmove_backward(void *dst, const void *src, size_t n);
 *
 * Contract (its machine-readable twin is the section in contracts.ini)
 *   reads     src[0, n), nothing else
 *   writes    dst[0, n), nothing else
 *   needs     nothing; any alignment, any overlap
 *   returns   dst
 *   state     DF, x87/MMX, MXCSR and all vector registers untouched
 *   clobbers  rcx rdx rsi rdi r8-r9 flags
 *   cpu       any
 *
 * Registers
 *   result rax  dst as it came in
 *   dst    rdi  forward: next word to write
 *   src    rsi  forward: next word to read
 *   n      rdx  bytes left
 *   word   r8   the word in flight
 *   edge   r9   the word at the far end, loaded before the first store
 *
 * The loops stop when one word or less is left.  That is where the word at the far
 * end goes, over bytes that have been written if need be.
 */
#include "x86/asm.h"

#define result rax
#define dst    rdi
#define src    rsi
#define n      rdx
#define word   r8
#define edge   r9

#define WORD 8

FUNC(memmove_backward)
        mov     %dst, %result
        cmp     $WORD, %n
        jb      .Lshort

        /* dst - src as an unsigned number is below n exactly when dst lies in
         * [src, src + n): only then does a forward loop destroy its source. */
        mov     %dst, %rcx
        sub     %src, %rcx
        cmp     %n, %rcx
        jb      .Lbackward

        mov     -WORD(%src, %n), %edge
        jmp     .Lforward_test

.Lforward_word:
        mov     (%src), %word
        mov     %word, (%dst)
        add     $WORD, %src
        add     $WORD, %dst
        sub     $WORD, %n
.Lforward_test:
        cmp     $WORD, %n
        ja      .Lforward_word

        mov     %edge, -WORD(%dst, %n)
        ret

.Lbackward:
        mov     (%src), %edge
        jmp     .Lbackward_test

.Lbackward_word:
        mov     -WORD(%src, %n), %word
        mov     %word, -WORD(%dst, %n)
        sub     $WORD, %n
.Lbackward_test:
        cmp     $WORD, %n
        ja      .Lbackward_word

        mov     %edge, (%dst)
        ret

.Lshort:
        cmp     $4, %n
        jae     .Lshort_4
        test    %n, %n
        jz      .Lnone

        /* 1 to 3 bytes: first, middle and last one; some coincide. */
        mov     %n, %r9
        shr     %r9
        movzbl  (%src), %ecx
        movzbl  (%src, %r9), %r8d
        movzbl  -1(%src, %n), %esi
        mov     %cl, (%dst)
        mov     %r8b, (%dst, %r9)
        mov     %sil, -1(%dst, %n)
.Lnone:
        ret

.Lshort_4:
        mov     (%src), %ecx
        mov     -4(%src, %n), %r8d
        mov     %ecx, (%dst)
        mov     %r8d, -4(%dst, %n)
        ret
END_FUNC(memmove_backward)
NO_EXEC_STACK
