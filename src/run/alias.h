/* SPDX-License-Identifier: MIT */
/*
 * alias.h - huge buffers with all of their bytes, in a few megabytes of memory
 *
 * Behind its field a buffer of gigabytes is one piece of memory mapped again and again,
 * so a kernel can run to its end.  The order in which it does so is its own affair:
 *
 *   source   every byte is told by its offset modulo FNP_ALIAS_LEN.  That divides no
 *            power of two, so what is read 2 or 4 GiB beside its place is wrong.
 *   output   around 2^31 and 2^32 and at the end it has pages of its own, where every
 *            byte is compared; in between the last write to a place decides, and all
 *            right ones agree.
 *
 * Pages are mapped as they are needed and only some of them at a time, or page tables
 * and the count of resident pages would be those of gigabytes.
 *
 * Depends on: lab.
 */
#ifndef FNP_RUN_ALIAS_H
#define FNP_RUN_ALIAS_H

#include <stdbool.h>
#include <stdint.h>

#include "run/lab.h"

/* Bytes that repeat: a prime number of pages. */
#define FNP_ALIAS_LEN ((uint64_t)241 * 4096)

/* Make the memory behind the huge buffers of lab->layout.  False: it cannot be had. */
bool fnp_alias_open(const struct fnp_lab *lab);

/* Put the contents of a case there: inputs, and in outputs what is never right. */
void fnp_alias_fill(const struct fnp_lab *lab, const struct fnp_case *c);

/* Compare what an output holds behind its field, and its redzone. */
void fnp_alias_compare(const struct fnp_lab *lab, const struct fnp_case *c,
                       unsigned role, struct fnp_outcome *out);

/* Give everything back; the addresses are inaccessible again. */
void fnp_alias_close(void);

/*
 * For the handler of SIGSEGV: map what belongs at this address.  False when that is not
 * what was missing.
 */
bool fnp_alias_fault(uint64_t addr);

#endif
