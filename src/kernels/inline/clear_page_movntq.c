/* SPDX-License-Identifier: MIT */
/*
 * clear_page_movntq - zero one 4096-byte page with non-temporal MMX stores
 *
 * Contract (its machine-readable twin is the section in contracts.ini)
 *   writes    dst[0, 4096), nothing else; every byte exactly once
 *   needs     no alignment
 *   order     every store is globally visible at return
 *   state     the interrupted task's x87/MMX state survives bit for bit, pending
 *             exceptions included; MXCSR and vector registers untouched
 *   cpu       mmx, sse (movntq, sfence)
 */
#include "kernels/inline/x87_save.h"

void clear_page_movntq(void *dst);

void clear_page_movntq(void *dst)
{
    unsigned blocks = PAGE / BLOCK;

    CLEAR_PAGE(dst, blocks, ZERO_BLOCK("movntq"), FENCE);
}
