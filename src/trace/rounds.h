/* SPDX-License-Identifier: MIT */
/*
 * rounds.h - which steps of a long log say nothing new: further rounds of a loop
 *
 * Rounds that run the same instructions one after the other are shown three times: the
 * first, the second and the last one.
 *
 * Depends on: base/arena.h.
 */
#ifndef FNP_TRACE_ROUNDS_H
#define FNP_TRACE_ROUNDS_H

#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"

/* Steps [at, at + steps) are `rounds` rounds that need not be shown. */
struct fnp_rounds {
    size_t at, steps, rounds;
};

/* Of steps whose instructions stand at addr[0, count); in order, owned by the arena. */
struct fnp_rounds *fnp_rounds_find(struct fnp_arena *arena, const uint64_t *addr,
                                   size_t count, size_t *found);

#endif
