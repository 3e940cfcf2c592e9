/* SPDX-License-Identifier: MIT */
/*
 * contents.h - the bytes a case puts into its input buffers
 *
 * A pool of patterns is made once; a case's contents are a slice of it, so filling
 * is one copy and the expected output of a copy needs no second buffer.
 *
 * Depends on: case.
 */
#ifndef FNP_RUN_CONTENTS_H
#define FNP_RUN_CONTENTS_H

#include <stddef.h>

#include "base/status.h"
#include "run/field.h"
#include "subject/case.h"

/* Bytes one fill kind has to choose from: any length up to a field, any of 64 K starts. */
#define FNP_POOL_LEN (FNP_FIELD_LEN + 65536u)

struct fnp_contents {
    unsigned char *pool[FNP_N_FILLS]; /* mapped; POS and RANDOM share one */
};

/* Once, before any fork: workers share the pool. */
enum fnp_status fnp_contents_make(struct fnp_contents *contents, struct fnp_err *err);

/*
 * At least FNP_FIELD_LEN bytes of contents for this case; `which` tells inputs apart.
 * With fill = pos at least FNP_LARGE_N_MAX: behind the first pool lie the others.
 */
const unsigned char *fnp_contents_of(const struct fnp_contents *contents,
                                     const struct fnp_case *c, unsigned which);

#endif
