/* SPDX-License-Identifier: MIT */
/*
 * copy_page_movnti - copy one 4096-byte page past the cache, without vector state
 *
 *     void copy_page_movnti(void *dst, const void *src);
 *
 * Contract (its machine-readable twin is the section in contracts.ini)
 *   reads     src[0, 4096), nothing else; prefetches stay inside the page, too
 *   writes    dst[0, 4096), nothing else; every byte exactly once
 *   needs     the pages must not overlap; no alignment, though callers have pages;
 *             both arguments on the stack (no regparm)
 *   returns   nothing; callers that used memcpy's result have to do without
 *   order     every store is globally visible before ret
 *   state     x87/MMX, MXCSR and all vector registers untouched, so a hypervisor
 *             may call it while a guest's are live
 *   stack     16 bytes, none below esp
 *   clobbers  eax ecx edx flags
 *   cpu       sse2 (movnti), sse (prefetchnta, sfence), which sse2 implies
 *
 * Registers
 *   dst    edi              where the block in w0-w3 goes
 *   src    esi              where that block came from
 *   n      ecx              blocks still to be fetched, 253 down to 0, then rounds
 *                           without: -2
 *   w0-w3  eax edx ebx ebp  the block in flight, 4 bytes each: loaded one round before
 *                           it is stored
 */
#include "x86/asm.h"

#define dst edi
#define src esi
#define n   ecx
#define w0  eax
#define w1  edx
#define w2  ebx
#define w3  ebp

/* Behind ebx, ebp, esi and edi and the return address. */
#define DST 20(%esp)
#define SRC 24(%esp)

#define PAGE  4096
#define BLOCK 16
#define AHEAD 3

FUNC(copy_page_movnti)
        SAVE32(%ebx)
        SAVE32(%ebp)
        SAVE32(%esi)
        SAVE32(%edi)
        mov     DST, %dst
        mov     SRC, %src

        prefetchnta (AHEAD - 1) * BLOCK(%src)
        mov       (%src), %w0
        mov      4(%src), %w1
        mov      8(%src), %w2
        mov     12(%src), %w3
        mov     $PAGE / BLOCK - AHEAD, %n

.Lfetch:
        prefetchnta AHEAD * BLOCK(%src)
.Lblock:
        add     $BLOCK, %src
        movnti  %w0,   (%dst)
        mov       (%src), %w0
        movnti  %w1,  4(%dst)
        mov      4(%src), %w1
        movnti  %w2,  8(%dst)
        mov      8(%src), %w2
        movnti  %w3, 12(%dst)
        mov     12(%src), %w3
        add     $BLOCK, %dst

        /* Each round loads the next block, so there is one round less than blocks,
         * and two rounds more than blocks to fetch.  While n > 0, jg goes on with a
         * fetch.  Then n is 0, -1, -2, and jpe goes by the parity of its low byte:
         * 00 and ff have an even number of ones, a round without; fe has seven, out. */
        dec     %n
        jg      .Lfetch
        jpe     .Lblock

        movnti  %w0,   (%dst)
        movnti  %w1,  4(%dst)
        movnti  %w2,  8(%dst)
        movnti  %w3, 12(%dst)
        sfence
        RESTORE32(%edi)
        RESTORE32(%esi)
        RESTORE32(%ebp)
        RESTORE32(%ebx)
        ret
END_FUNC(copy_page_movnti)
NO_EXEC_STACK
