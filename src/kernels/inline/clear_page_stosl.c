/* SPDX-License-Identifier: MIT */
/*
 * clear_page_stosl - zero one 4096-byte page with the string instruction, 4 bytes a step
 *
 * Contract (its machine-readable twin is the section in contracts.ini)
 *   writes    dst[0, 4096), nothing else; every byte exactly once
 *   needs     DF = 0, as every ABI grants; no alignment
 *   state     x87/MMX, MXCSR and vector registers untouched
 */
void clear_page_stosl(void *dst);

void clear_page_stosl(void *dst)
{
    unsigned long n = 4096 / 4;

    __asm__ __volatile__("rep stosl" : "+D"(dst), "+c"(n) : "a"(0) : "memory");
}
