/* SPDX-License-Identifier: MIT */
/*
 * copy_page_const - copy one 4096-byte page by the switch of memcpy_switch, whose length
 * the compiler knows
 *
 * Contract (its machine-readable twin is the section in contracts.ini)
 *   reads     src[0, 4096), nothing else
 *   writes    dst[0, 4096), nothing else; every byte exactly once
 *   needs     DF = 0; the pages must not overlap; no alignment
 *   state     x87/MMX, MXCSR and vector registers untouched
 */
#include "kernels/inline/switch.h"

void copy_page_const(void *dst, const void *src);

void copy_page_const(void *dst, const void *src)
{
    copy_by_switch(dst, src, 4096);
}
