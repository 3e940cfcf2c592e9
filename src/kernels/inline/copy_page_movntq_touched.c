/* SPDX-License-Identifier: MIT */
/*
 * copy_page_movntq_touched - copy one 4096-byte page past the cache, after a word of each
 * line of the source was loaded, from the last line to the first
 *
 * Contract (its machine-readable twin is the section in contracts.ini)
 *   reads     src[0, 4096), nothing else
 *   writes    dst[0, 4096), nothing else; every byte exactly once
 *   needs     the pages must not overlap; no alignment
 *   order     every store is globally visible at return
 *   state     the interrupted task's x87/MMX state survives bit for bit, pending
 *             exceptions included; MXCSR and vector registers untouched
 *   cpu       mmx, sse (movntq, sfence)
 */
#include "kernels/inline/x87_save.h"

void copy_page_movntq_touched(void *dst, const void *src);

struct lines {
    unsigned char bytes[4 * BLOCK];
};

/* Four lines at a time, backwards, as caches of that age liked it. */
static inline void touch_backwards(const void *src)
{
    const unsigned char *at = (const unsigned char *)src + PAGE;
    unsigned word;

    for (unsigned i = 0; i < PAGE / (4 * BLOCK); i++) {
        at -= 4 * BLOCK;
        __asm__ __volatile__("movl 192(%[at]), %[word]\n\t"
                             "movl 128(%[at]), %[word]\n\t"
                             "movl 64(%[at]), %[word]\n\t"
                             "movl (%[at]), %[word]"
                             : [word] "=&r"(word)
                             : [at] "r"(at), "m"(*(const struct lines *)at));
    }
}

void copy_page_movntq_touched(void *dst, const void *src)
{
    unsigned blocks = PAGE / BLOCK;

    touch_backwards(src);
    COPY_PAGE(dst, src, blocks, "", INTERLEAVED_BLOCK("movntq"), FENCE);
}
