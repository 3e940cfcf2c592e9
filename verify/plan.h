/* SPDX-License-Identifier: MIT */
/*
 * plan.h - which cases a kernel gets: a pure function from index to case
 *
 * The order is fixed by kernel, contract, seed and budget, never by the number of
 * workers or the machine's speed.  Never runs anything.
 *
 * Order: declared boxes; the simplest cases of every kind; small sizes one by one;
 * huge sizes; the boundary grid; constants from the code combined; random cases.
 *
 * Depends on: subject, x86/scan.h, run/pool.h (limits).
 */
#ifndef FNP_VERIFY_PLAN_H
#define FNP_VERIFY_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "subject/case.h"
#include "subject/kernel.h"

enum fnp_budget {
    FNP_BUDGET_QUICK,
    FNP_BUDGET_GATE,
    FNP_BUDGET_DEEP,
    FNP_BUDGET_SECONDS
};

struct fnp_plan_parts; /* tables made once, so that a case costs no search */

struct fnp_plan {
    const struct fnp_contract *contract; /* borrowed */
    uint64_t seed;
    enum fnp_budget budget;
    uint64_t count; /* cases; with BUDGET_SECONDS the caller stops by the clock */
    uint64_t *
        sizes; /* boundary sizes and mined constants the contract allows, ascending; owned by the arena */
    size_t n_sizes;
    uint64_t *huge; /* sizes for window cases */
    size_t n_huge;
    size_t n_alias; /* further ones behind them, for whole huge buffers */
    bool
        wants_fp; /* the code or the contract touches FP state: FP-hostile fills and modes get more room */
    uint64_t grid; /* cases of the boundary grid; the random stage follows */
    /* boxes (`--exhaustive`, key `box`): enumerated completely before anything else */
    uint64_t box_count;
    uint64_t box_done;    /* of them: tried by an earlier run, not to be run again */
    uint64_t box_untried; /* points of a declared box that is left out */
    struct fnp_box *box;  /* NULL: none */
    struct fnp_plan_parts *parts; /* owned by the arena */
};

/* Never fails for a valid contract; count is 0 when no size fits FNP_FIELD_N_MAX. */
void fnp_plan_make(struct fnp_arena *arena, const struct fnp_kernel *kernel,
                   uint64_t seed, enum fnp_budget budget, struct fnp_plan *out);

/*
 * Put a box before everything else and raise `count` by its size.  `text` is
 * KEY=ITEM|ITEM... a word, ITEM a value or, of plain numbers, LO:HI or LO:HI:STEP
 * ("n=0:8192 dst=0:63 place=dst:end|dst:start"); the first key varies fastest.  A word
 * "+" begins another box, whose points follow.  Keys not named keep the simplest value
 * the contract allows.  Points outside the contract have no case.  What cannot be read,
 * is larger than 2^40 or has a box without any case is FNP_INPUT.  Once per plan.
 */
enum fnp_status fnp_plan_box(struct fnp_arena *arena, struct fnp_plan *plan,
                             const char *text, struct fnp_err *err);

/* Take the box out again: it is only counted, as `box_untried`. */
void fnp_plan_leave_box(struct fnp_plan *plan);

/* Case i < count, canonical and within the contract.  False only when i has no case. */
bool fnp_plan_case(const struct fnp_plan *plan, uint64_t i, struct fnp_case *out);

/*
 * Sizes that the code's constants make worth a try, the oddest first, those longer than
 * ordinary buffers last; and case i with size k of them, whatever that makes of the rest.
 */
size_t fnp_plan_n_mined(const struct fnp_plan *plan);
bool fnp_plan_case_mined(const struct fnp_plan *plan, uint64_t i, size_t k,
                         struct fnp_case *out);

/*
 * Is this case one the contract allows (size, alignment, overlap, values, FP entry
 * state)?  On false `why` (may be NULL) gets one sentence.  Used for replay, .case
 * files and by the shrinker, which must never leave the contract.
 */
bool fnp_case_allowed(const struct fnp_contract *contract, const struct fnp_case *c,
                      struct fnp_err *why);

#endif
