/* SPDX-License-Identifier: MIT */
/*
 * memset_switch - set any number of bytes: a switch for up to four, then rep stosl
 *
 * Contract (its machine-readable twin is the section in contracts.ini)
 *   writes    dst[0, n), nothing else; every byte exactly once
 *   needs     DF = 0; any alignment
 *   returns   dst
 *   state     x87/MMX, MXCSR and vector registers untouched
 */
#include "kernels/inline/switch.h"

void *memset_switch(void *dst, int c, size_t n);

void *memset_switch(void *dst, int c, size_t n)
{
    set_by_switch(dst, (unsigned char)c * 0x01010101u, n);
    return dst;
}
