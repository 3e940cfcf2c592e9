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
 *   clobbers  ecx edx flags
 *   cpu       any
 *
 * Registers
 *   dst   eax  forward: next word to write; then read again from the stack to
 *              return it
 *   src   edx  forward: next word to read
 *   n     ecx  bytes left
 *   word  esi  the word in flight
 *   edge  edi  the word at the far end, loaded before the first store
 *
 * The loops stop when one word or less is left.  That is where the word at the far
 * end goes, over bytes that have been written if need be.
 */
#include "x86/asm.h"

#define dst  eax
#define src  edx
#define n    ecx
#define word esi
#define edge edi

/* Behind esi and edi and the return address. */
#define DST 12(%esp)
#define SRC 16(%esp)
#define LEN 20(%esp)

#define WORD 4

FUNC(memmove_backward)
        SAVE32(%esi)
        SAVE32(%edi)
        mov     DST, %dst
        mov     SRC, %src
        mov     LEN, %n
        cmp     $WORD, %n
        jb      .Lshort

        /* dst - src as an unsigned number is below n exactly when dst lies in
         * [src, src + n): only then does a forward loop destroy its source. */
        sub     %src, %dst
        cmp     %n, %dst
        lea     (%dst, %src), %dst      /* leaves the flags alone */
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
        mov     DST, %eax
        jmp     .Ldone

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
        jmp     .Ldone

        /* n is known and free as soon as it has been told which it is. */
.Lshort:
        cmp     $2, %n
        ja      .Lthree
        je      .Ltwo
        test    %n, %n
        jz      .Ldone
        movzbl  (%src), %ecx
        mov     %cl, (%dst)
        jmp     .Ldone

.Lthree:
        movzwl  (%src), %ecx
        movzbl  2(%src), %edx
        mov     %cx, (%dst)
        mov     %dl, 2(%dst)
        jmp     .Ldone

.Ltwo:
        movzwl  (%src), %ecx
        mov     %cx, (%dst)

.Ldone:
        RESTORE32(%edi)
        RESTORE32(%esi)
        ret
END_FUNC(memmove_backward)
NO_EXEC_STACK
