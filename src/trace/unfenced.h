/* SPDX-License-Identifier: MIT */
/*
 * unfenced.h - the ways through code from a weak store to the return without a fence
 *
 * Forward over the blocks of walk.h, run or not: a weak store makes dirty, a fence
 * cleans, where ways join either will do; functions that are called are passed through
 * with their own fences.  Nothing is known of values, so a way may be one that no call
 * can take.
 *
 * Depends on: walk.
 */
#ifndef FNP_TRACE_UNFENCED_H
#define FNP_TRACE_UNFENCED_H

#include "trace/walk.h"

struct fnp_unfenced {
    uint32_t n_sites;   /* weak stores in the code */
    uint32_t n_dirty;   /* of them, with a way out that has no fence */
    uint64_t site;      /* the worst of those: with blocks that no log has */
    uint64_t out;       /* the instruction by which the way leaves the code */
    bool calls;         /* that is a call of unknown code, not the return */
    uint64_t unreached; /* the first block on the way that no log has; 0: none */
    bool never;         /* no way from the site has a fence */
    bool on_stack;      /* the site stores relative to the stack pointer */
};

void fnp_unfenced_find(const struct fnp_walk *walk, struct fnp_unfenced *out);

#endif
