/* SPDX-License-Identifier: MIT */
#include "verify/selection.h"

#include "run/outcome.h"
#include "trace/footprint.h"

enum {
    N_CASES = 320, /* recorded in any case */
    N_FIRST = 96,  /* of them, from the plan's beginning */
    MAX_LOOKED = 8 * N_CASES,
    MIDDLE_LINE = 20, /* of a page's 64 */
    SHORT_LEN = 2048, /* most of them are no longer than this */
    ONE_LONG_IN = 6,
    MAX_STEPS = 3000000, /* of all of a kernel's cases together */
    N_FURTHER = 1024,    /* more cases, when a block has not run */
    N_MINED = 512,       /* of them, with sizes from the code */
    FURTHER_STEPS = 2000000
};

/* Index i of those that are looked at: the plan's beginning, then evenly spread. */
static uint64_t nth(const struct fnp_plan *plan, uint64_t i)
{
    uint64_t count = plan->count - plan->box_count;

    return plan->box_count +
           (i < N_FIRST && i < count ? i : i * 0x9e3779b97f4a7c15u % count);
}

static bool is_short(const struct fnp_plan *plan, const struct fnp_case *c,
                     uint64_t most)
{
    return !c->huge && !c->repeat && (!plan->contract->has_n || c->n <= most);
}

/*
 * Every second case stands away from the guards and from the ends of a page, where the
 * comparison of memory sees least, and has each size of the boundary grid in turn.
 */
static void put_inside(const struct fnp_plan *plan, uint64_t i, struct fnp_case *c)
{
    const struct fnp_contract *contract = plan->contract;
    struct fnp_case moved = *c;

    for (size_t b = 0; b < contract->n_bufs; b++) {
        moved.place[contract->bufs[b].role] = FNP_PLACE_MID;
        moved.line[contract->bufs[b].role] = MIDDLE_LINE;
    }
    if (contract->has_n && plan->n_sizes)
        moved.n = plan->sizes[i / 2 % plan->n_sizes];
    fnp_case_canonical(&moved);
    if (fnp_case_allowed(contract, &moved, NULL))
        *c = moved;
}

/* Of those that are recorded in any case; long ones cost as much as dozens of short ones. */
static bool next_usual(struct fnp_selection *s, struct fnp_case *out)
{
    while (s->recorded < N_CASES && s->tried < MAX_LOOKED && s->steps < MAX_STEPS) {
        uint64_t i = s->tried++;
        uint64_t most = i % ONE_LONG_IN ? SHORT_LEN : FNP_FOOTPRINT_MAX;

        if (!fnp_plan_case(s->plan, nth(s->plan, i), out))
            continue;
        if (i % 2)
            put_inside(s->plan, i, out);
        if (is_short(s->plan, out, most))
            return true;
    }
    return false;
}

/* Size k of those that the code names, with the rest from case k of the plan. */
static bool mined(const struct fnp_selection *s, uint64_t k, struct fnp_case *out)
{
    size_t count = fnp_plan_n_mined(s->plan);

    return count && fnp_plan_case_mined(s->plan, nth(s->plan, k), k % count, out);
}

static bool next_further(struct fnp_selection *s, struct fnp_case *out)
{
    while (s->further < N_FURTHER && s->steps < MAX_STEPS + FURTHER_STEPS) {
        uint64_t k = s->further++;
        bool has = k < N_MINED && s->plan->contract->has_n
                       ? mined(s, k, out)
                       : fnp_plan_case(s->plan, nth(s->plan, s->tried + k), out);

        if (has && is_short(s->plan, out, FNP_LARGE_N_MAX))
            return true;
    }
    return false;
}

bool fnp_selection_next(struct fnp_selection *s, bool missing, struct fnp_case *out)
{
    if (s->plan->count == s->plan->box_count)
        return false;
    return next_usual(s, out) || (missing && next_further(s, out));
}

void fnp_selection_took(struct fnp_selection *s, uint64_t steps)
{
    s->recorded++;
    s->steps += steps;
}
