/* SPDX-License-Identifier: MIT */
/*
 * copy_page_movq_prefetch - copy one 4096-byte page through MMX registers, prefetching 320 bytes ahead
 *
 * Contract (its machine-readable twin is the section in contracts.ini)
 *   reads     src[0, 4096), nothing else
 *   writes    dst[0, 4096), nothing else; every byte exactly once
 *   needs     the pages must not overlap; no alignment
 *             prefetches reach 320 bytes beyond src; a prefetch never faults
 *   state     the interrupted task's x87/MMX state survives bit for bit, pending
 *             exceptions included; MXCSR and vector registers untouched
 *   cpu       mmx, sse (prefetchnta)
 */
#include "kernels/inline/x87_save.h"

void copy_page_movq_prefetch(void *dst, const void *src);

void copy_page_movq_prefetch(void *dst, const void *src)
{
    unsigned blocks = PAGE / BLOCK;

    COPY_PAGE(dst, src, blocks,
              PREFETCH(0) PREFETCH(64) PREFETCH(128) PREFETCH(192) PREFETCH(256),
              PREFETCH(320) HALVES_BLOCK("movq"), "");
}
