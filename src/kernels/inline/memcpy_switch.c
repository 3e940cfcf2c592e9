/* SPDX-License-Identifier: MIT */
/*
 * memcpy_switch - copy any number of bytes: a switch for short ones, then rep movsl
 *
 * Contract (its machine-readable twin is the section in contracts.ini)
 *   reads     src[0, n), nothing else
 *   writes    dst[0, n), nothing else; every byte exactly once
 *   needs     DF = 0; dst and src must not overlap; any alignment
 *   returns   dst
 *   state     x87/MMX, MXCSR and vector registers untouched
 */
#include "kernels/inline/switch.h"

void *memcpy_switch(void *dst, const void *src, size_t n);

void *memcpy_switch(void *dst, const void *src, size_t n)
{
    copy_by_switch(dst, src, n);
    return dst;
}
