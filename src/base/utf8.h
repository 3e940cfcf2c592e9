/* SPDX-License-Identifier: MIT */
/*
 * utf8.h - where the next character of a text ends, if it is one
 *
 * Depends on: nothing.
 */
#ifndef FNP_BASE_UTF8_H
#define FNP_BASE_UTF8_H

#include <stddef.h>

/*
 * Bytes of the well-formed sequence at `p`, 1 to 4; 0 when there is none, and at the end
 * of the text.  Reads no further than the first byte that does not belong to one.
 */
size_t fnp_utf8_len(const unsigned char *p);

#endif
