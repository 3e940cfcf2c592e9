/* SPDX-License-Identifier: MIT */
/*
 * copy_page_movsl - copy one 4096-byte page with the string instruction, 4 bytes a step
 *
 * Contract (its machine-readable twin is the section in contracts.ini)
 *   reads     src[0, 4096), nothing else
 *   writes    dst[0, 4096), nothing else; every byte exactly once
 *   needs     DF = 0, as every ABI grants; the pages must not overlap; no alignment
 *   state     x87/MMX, MXCSR and vector registers untouched
 */
void copy_page_movsl(void *dst, const void *src);

void copy_page_movsl(void *dst, const void *src)
{
    unsigned long n = 4096 / 4;

    __asm__ __volatile__("rep movsl" : "+D"(dst), "+S"(src), "+c"(n) : : "memory");
}
