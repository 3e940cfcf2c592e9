/* SPDX-License-Identifier: MIT */
/*
 * observe.h - turn what a call left behind into the plain data of an outcome
 *
 * Depends on: lab, context.
 */
#ifndef FNP_RUN_OBSERVE_H
#define FNP_RUN_OBSERVE_H

#include "run/lab.h"

/* The state after a normal return, out of fnp_context. */
void fnp_observe_state(bool full, struct fnp_state *out);

/* The signal that ended the call: what it was and what the address belongs to. */
void fnp_observe_signal(const struct fnp_lab *lab, struct fnp_outcome *out);

/*
 * Compare got[0, len) with want; offsets count from `origin` (the index of the
 * buffer's first byte).  `stale`, when not NULL, is what was there before: with
 * `stale_is_right` such a byte is no difference.
 */
struct fnp_comparison {
    const unsigned char *got, *want, *stale;
    size_t len;
    int64_t origin;
    unsigned char
        stale_flip; /* the bits in which `stale` is the complement of what was there */
    bool stale_is_right;
};
void fnp_observe_diff(const struct fnp_comparison *cmp, struct fnp_diff *out);

#endif
