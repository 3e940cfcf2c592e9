/* SPDX-License-Identifier: MIT */
/*
 * clear_page_movntq_count - zero one 4096-byte page with a counted loop of movntq
 *
 * Contract (its machine-readable twin is the section in contracts.ini)
 *   writes    dst[0, 4096), nothing else; every byte exactly once
 *   needs     no alignment; x87 and MMX registers are the caller's to lose, as in every
 *             ABI: this is no kernel for an interrupted task
 *   order     every store is globally visible at return
 *   state     x87 empty at return
 *   cpu       mmx, sse (movntq, sfence)
 */
#include "kernels/inline/x87_save.h"

void clear_page_movntq_count(void *dst);

/* The others are built without MMX; GCC wants to know mm0 to lose it. */
__attribute__((target("mmx"))) void clear_page_movntq_count(void *dst)
{
    unsigned blocks = PAGE / BLOCK;

    /* dec leaves 0 behind the last block: jge, the form of the thread, takes that for one
     * more and clears 64 bytes behind the page. */
    __asm__ __volatile__("pxor %%mm0, %%mm0\n\t" LOOP(1, ZERO_BLOCK("movntq"), STEP_DST)
                             FENCE "emms"
                         : [dst] "+r"(dst), [blocks] "+r"(blocks)
                         : [len] "i"(BLOCK)
                         : "cc", "memory", "mm0", "st", "st(1)", "st(2)", "st(3)",
                           "st(4)", "st(5)", "st(6)", "st(7)");
}
