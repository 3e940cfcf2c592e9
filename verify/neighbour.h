/* SPDX-License-Identifier: MIT */
/*
 * neighbour.h - contracts that are easily mistaken for the one that was written
 *
 * Another calling convention, arguments in another order (bcopy takes src first), a
 * length in words instead of bytes.  Pure; who asks finds out whether one of them fits.
 *
 * Depends on: subject.
 */
#ifndef FNP_VERIFY_NEIGHBOUR_H
#define FNP_VERIFY_NEIGHBOUR_H

#include <stdbool.h>

#include "base/arena.h"
#include "subject/contract.h"

/*
 * Neighbour number *at, which moves on, and the key that makes it one.  A new prototype
 * lives in `arena`.  False: there is none left.
 */
bool fnp_neighbour_next(struct fnp_arena *arena, const struct fnp_contract *contract,
                        unsigned *at, struct fnp_contract *out, const char **key);

#endif
