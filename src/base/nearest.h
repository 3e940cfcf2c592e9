/* SPDX-License-Identifier: MIT */
/*
 * nearest.h - the known name closest to a mistyped one
 *
 * Depends on: nothing.
 */
#ifndef FNP_BASE_NEAREST_H
#define FNP_BASE_NEAREST_H

#include <stddef.h>

/*
 * The entry of names[0, count) with the least edit distance to `word`, or NULL
 * when none is closer than half the word.  NULL entries are passed over.
 */
const char *fnp_nearest(const char *word, const char *const *names, size_t count);

#endif
