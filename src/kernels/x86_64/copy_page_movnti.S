/* SPDX-License-Identifier: MIT */
/*
 * copy_page_movnti - copy one 4096-byte page past the cache, without vector state
 *
 *     void copy_page_movnti(void *dst, const void *src);
 *
 * Contract (its machine-readable twin is the section in contracts.ini)
 *   reads     src[0, 4096), nothing else; prefetches stay inside the page, too
 *   writes    dst[0, 4096), nothing else; every byte exactly once
 *   needs     the pages must not overlap; no alignment, though callers have pages
 *   returns   nothing; callers that used memcpy's result have to do without
 *   order     every store is globally visible before ret
 *   state     x87/MMX, MXCSR and all vector registers untouched, so a hypervisor
 *             may call it while a guest's are live
 *   clobbers  rcx rsi rdi r8-r11 flags
 *   cpu       sse2 (movnti), sse (prefetchnta, sfence), which sse2 implies
 *
 * Registers
 *   dst    rdi  where the block in w0-w3 goes
 *   src    rsi  where that block came from
 *   n      ecx  blocks still to be fetched, 125 down to 0, then rounds without: -2
 *   w0-w3       the block in flight, 8 bytes each: loaded one round before it is stored
 */
#include "x86/asm.h"

#define dst rdi
#define src rsi
#define n   ecx
#define w0  r8
#define w1  r9
#define w2  r10
#define w3  r11

#define PAGE  4096
#define BLOCK 32
#define AHEAD 3

FUNC(copy_page_movnti)
        prefetchnta (AHEAD - 1) * BLOCK(%src)
        mov       (%src), %w0
        mov      8(%src), %w1
        mov     16(%src), %w2
        mov     24(%src), %w3
        mov     $PAGE / BLOCK - AHEAD, %n

.Lfetch:
        prefetchnta AHEAD * BLOCK(%src)
.Lblock:
        add     $BLOCK, %src
        movnti  %w0,   (%dst)
        mov       (%src), %w0
        movnti  %w1,  8(%dst)
        mov      8(%src), %w1
        movnti  %w2, 16(%dst)
        mov     16(%src), %w2
        movnti  %w3, 24(%dst)
        mov     24(%src), %w3
        add     $BLOCK, %dst

        /* Each round loads the next block, so there is one round less than blocks,
         * and two rounds more than blocks to fetch.  While n > 0, jg goes on with a
         * fetch.  Then n is 0, -1, -2, and jpe goes by the parity of its low byte:
         * 00 and ff have an even number of ones, a round without; fe has seven, out. */
        dec     %n
        jg      .Lfetch
        jpe     .Lblock

        movnti  %w0,   (%dst)
        movnti  %w1,  8(%dst)
        movnti  %w2, 16(%dst)
        movnti  %w3, 24(%dst)
        sfence
        ret
END_FUNC(copy_page_movnti)
NO_EXEC_STACK
