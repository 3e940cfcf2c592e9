/* SPDX-License-Identifier: MIT */
/*
 * xsave.h - how long an XSAVE image is
 *
 * Depends on: nothing.
 */
#ifndef FNP_X86_XSAVE_H
#define FNP_X86_XSAVE_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Bytes that an image of `parts` (a mask as in edx:eax) takes at most, in the standard or
 * the compacted form; parts that this system has not enabled take none.
 */
uint64_t fnp_xsave_len(uint64_t parts, bool compact);

#endif
