/* SPDX-License-Identifier: MIT */
/*
 * clear_page_movntps_count - zero one 4096-byte page with a counted loop of movntps
 *
 * Contract (its machine-readable twin is the section in contracts.ini)
 *   writes    dst[0, 4096), nothing else; every byte exactly once
 *   needs     dst 16-byte aligned; xmm0 is the caller's to lose
 *   order     every store is globally visible at return
 *   state     x87/MMX and MXCSR untouched
 *   cpu       sse
 */
void clear_page_movntps_count(void *dst);

/* The others are built without SSE; GCC wants to know xmm0 to lose it. */
__attribute__((target("sse"))) void clear_page_movntps_count(void *dst)
{
    unsigned blocks = 4096 / 128;

    /* See clear_page_movntq_count.c for what jge would do here: 128 bytes. */
    __asm__ __volatile__("xorps %%xmm0, %%xmm0\n"
                         "1:\n\t"
                         "movntps %%xmm0,    (%[dst])\n\t"
                         "movntps %%xmm0,  16(%[dst])\n\t"
                         "movntps %%xmm0,  32(%[dst])\n\t"
                         "movntps %%xmm0,  48(%[dst])\n\t"
                         "movntps %%xmm0,  64(%[dst])\n\t"
                         "movntps %%xmm0,  80(%[dst])\n\t"
                         "movntps %%xmm0,  96(%[dst])\n\t"
                         "movntps %%xmm0, 112(%[dst])\n\t"
                         "sub $-128, %[dst]\n\t"
                         "dec %[blocks]\n\t"
                         "jnz 1b\n\t"
                         "sfence"
                         : [dst] "+r"(dst), [blocks] "+r"(blocks)
                         :
                         : "cc", "memory", "xmm0");
}
