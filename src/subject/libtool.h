/* SPDX-License-Identifier: MIT */
/*
 * libtool.h - which object a libtool object (.lo) names
 *
 * A .lo is a small text of shell assignments; the code is elsewhere.
 *
 * Depends on: image.h (struct fnp_object).
 */
#ifndef FNP_SUBJECT_LIBTOOL_H
#define FNP_SUBJECT_LIBTOOL_H

#include <stdbool.h>

#include "base/arena.h"
#include "subject/image.h"

/* By content: a text that libtool has written, with the objects' names in it. */
bool fnp_libtool_is(const struct fnp_object *object);

/*
 * The object it names, as it is written there: the position-independent one first.  NULL
 * when it names none (a .lo may say 'none').
 */
const char *fnp_libtool_target(struct fnp_arena *arena,
                               const struct fnp_object *object);

#endif
