/* SPDX-License-Identifier: MIT */
/*
 * copy_page_movq - copy one 4096-byte page through MMX registers
 *
 * Contract (its machine-readable twin is the section in contracts.ini)
 *   reads     src[0, 4096), nothing else
 *   writes    dst[0, 4096), nothing else; every byte exactly once
 *   needs     the pages must not overlap; no alignment
 *   state     the interrupted task's x87/MMX state survives bit for bit, pending
 *             exceptions included; MXCSR and vector registers untouched
 *   cpu       mmx
 */
#include "kernels/inline/x87_save.h"

void copy_page_movq(void *dst, const void *src);

void copy_page_movq(void *dst, const void *src)
{
    unsigned blocks = PAGE / BLOCK;

    COPY_PAGE(dst, src, blocks, "", HALVES_BLOCK("movq"), "");
}
