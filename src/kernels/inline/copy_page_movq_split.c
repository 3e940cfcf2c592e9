/* SPDX-License-Identifier: MIT */
/*
 * copy_page_movq_split - copy one 4096-byte page through MMX registers, prefetching 320
 * bytes ahead, but never beyond the page
 *
 * Contract (its machine-readable twin is the section in contracts.ini)
 *   reads     src[0, 4096), nothing else; nothing behind it is prefetched
 *   writes    dst[0, 4096), nothing else; every byte exactly once
 *   needs     the pages must not overlap; no alignment
 *   state     the interrupted task's x87/MMX state survives bit for bit, pending
 *             exceptions included; MXCSR and vector registers untouched
 *   cpu       mmx, sse (prefetchnta)
 */
#include "kernels/inline/x87_save.h"

void copy_page_movq_split(void *dst, const void *src);

/* clang-format off */
void copy_page_movq_split(void *dst, const void *src)
{
    unsigned blocks = PAGE / BLOCK - 5;

    /* The last five blocks are what the prefetches are ahead. */
    COPY_PAGE(dst, src, blocks,
              PREFETCH(0) PREFETCH(64) PREFETCH(128) PREFETCH(192) PREFETCH(256)
              LOOP(2, PREFETCH(320) HALVES_BLOCK("movq"), STEP_BOTH)
              "mov $5, %[blocks]\n\t",
              HALVES_BLOCK("movq"), "");
}
/* clang-format on */
