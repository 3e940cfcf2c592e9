/* SPDX-License-Identifier: MIT */
/*
 * reference.h - what set and zero mean, by our own loop
 *
 * Of copy and move the wanted bytes are those the source was filled with.
 *
 * Compiled so that no loop can become a call to a library's mem* function; the
 * build checks that the object has no undefined mem* symbol.
 *
 * Depends on: nothing.
 */
#ifndef FNP_RUN_REFERENCE_H
#define FNP_RUN_REFERENCE_H

#include <stddef.h>
#include <stdint.h>

/* dst[i] = byte i mod width of value, little endian; width 1, 2, 4 or 8. */
void fnp_reference_set(unsigned char *dst, uint64_t value, unsigned width, size_t len);

#endif
