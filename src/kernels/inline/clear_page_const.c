/* SPDX-License-Identifier: MIT */
/*
 * clear_page_const - zero one 4096-byte page by the switch of memset_switch, whose byte
 * and length the compiler knows
 *
 * Contract (its machine-readable twin is the section in contracts.ini)
 *   writes    dst[0, 4096), nothing else; every byte exactly once
 *   needs     DF = 0; no alignment
 *   state     x87/MMX, MXCSR and vector registers untouched
 */
#include "kernels/inline/switch.h"

void clear_page_const(void *dst);

void clear_page_const(void *dst)
{
    set_by_switch(dst, 0, 4096);
}
