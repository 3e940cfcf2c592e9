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
 *   clobbers  rax rcx rdx rsi rdi flags
 *   cpu       any
 *
 * Registers
 *   dst  rdi  next word or byte to write
 *   src  rsi  next one to read
 *   n    rdx  bytes to move, kept until the words have been counted
 *   rcx       bytes or words left
 */
#include "x86/asm.h"

#define dst rdi
#define src rsi
#define n   rdx

#define WORD 8

FUNC(memmove_std)
        mov     %dst, %rax
        mov     %n, %rcx

        /* dst - src as an unsigned number is below n exactly when dst lies in
         * [src, src + n): only then does a forward copy destroy its source. */
        sub     %src, %dst
        cmp     %n, %dst
        lea     (%dst, %src), %dst      /* leaves the flags alone */
        jb      .Lbackward
        rep movsb
        ret

        /* With DF set both registers name the last element and go down: first
         * the n mod 8 bytes at the end, then words.  A word may overlap the one
         * it goes to; all of it has been read by then. */
.Lbackward:
        lea     -1(%src, %n), %src
        lea     -1(%dst, %n), %dst
        and     $WORD - 1, %ecx
        shr     $3, %n
        std
        rep movsb
        sub     $WORD - 1, %src
        sub     $WORD - 1, %dst
        mov     %n, %rcx
        rep movsq
        cld
        ret
END_FUNC(memmove_std)
NO_EXEC_STACK
