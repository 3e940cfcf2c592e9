/* SPDX-License-Identifier: MIT */
/*
 * memmove_std - copy between ranges that may overlap, backward with DF set
 *
 *     void *memmove_std(void *dst, const void *src, size_t n);
 *
 * Contract (its machine-readable twin is the section in contracts.ini)
 *   reads     src[0, n), nothing else
 *   writes    dst[0, n), nothing else
 *   needs     DF clear, as the ABI promises; any alignment, any overlap
 *   returns   dst
 *   state     DF clear again; x87/MMX, MXCSR and all vector registers untouched
 *   clobbers  eax ecx edx flags
 *   cpu       any
 *
 * Registers
 *   dst    edi  next word or byte to write
 *   src    esi  next one to read
 *   n      ecx  bytes or words left
 *   gap    eax  dst - src
 *   words  edx  backward: how many words follow the bytes
 */
#include "x86/asm.h"

#define dst   edi
#define src   esi
#define n     ecx
#define gap   eax
#define words edx

/* Behind esi and edi and the return address. */
#define DST 12(%esp)
#define SRC 16(%esp)
#define LEN 20(%esp)

#define WORD 4

FUNC(memmove_std)
        SAVE32(%esi)
        SAVE32(%edi)
        mov     DST, %dst
        mov     SRC, %src
        mov     LEN, %n

        /* dst - src as an unsigned number is below n exactly when dst lies in
         * [src, src + n): only then does a forward copy destroy its source. */
        mov     %dst, %gap
        sub     %src, %gap
        cmp     %n, %gap
        jb      .Lbackward
        rep movsb
        jmp     .Ldone

        /* With DF set both registers name the last element and go down: first
         * the n mod 4 bytes at the end, then words.  A word may overlap the one
         * it goes to; all of it has been read by then. */
.Lbackward:
        lea     -1(%src, %n), %src
        lea     -1(%dst, %n), %dst
        mov     %n, %words
        shr     $2, %words
        and     $WORD - 1, %n
        std
        rep movsb
        sub     $WORD - 1, %src
        sub     $WORD - 1, %dst
        mov     %words, %n
        rep movsl
        cld

.Ldone:
        mov     DST, %eax
        RESTORE32(%edi)
        RESTORE32(%esi)
        ret
END_FUNC(memmove_std)
NO_EXEC_STACK
