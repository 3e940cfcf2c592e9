/* SPDX-License-Identifier: MIT */
/*
 * plan_colour.c - contents, junk, values, CPU state and placement, drawn at random
 *
 * Most cases keep the usual state: a plain fault should be found with a plain case.
 */
#include "verify/kept.h"
#include "verify/plan_parts.h"

/* A few bits of a random number. */
static unsigned bits(uint64_t random, unsigned at, unsigned count)
{
    return (unsigned)(random >> at & ((1ull << count) - 1));
}

/* 16 chances each; what is not listed is position-coded. */
static const uint8_t plain_fills[16] = {
    [10] = FNP_FILL_RANDOM, [11] = FNP_FILL_RANDOM, [12] = FNP_FILL_ZERO,
    [13] = FNP_FILL_ONES,   [14] = FNP_FILL_SNAN,   [15] = FNP_N_FILLS
};
static const uint8_t fp_fills[16] = {
    [6] = FNP_FILL_RANDOM,    [7] = FNP_FILL_ZERO,      [8] = FNP_FILL_ONES,
    [9] = FNP_FILL_SNAN,      [10] = FNP_FILL_SNAN,     [11] = FNP_FILL_DENORMAL,
    [12] = FNP_FILL_DENORMAL, [13] = FNP_FILL_UNNORMAL, [14] = FNP_FILL_UNNORMAL,
    [15] = FNP_FILL_INF
};

static void colour_contents(const struct fnp_plan *plan, uint64_t random,
                            struct fnp_case *c)
{
    static const uint8_t uppers[4] = { FNP_UPPER_JUNK, FNP_UPPER_JUNK, FNP_UPPER_ZERO,
                                       FNP_UPPER_ONES };
    static const uint8_t others[8] = { FNP_FILL_DENORMAL, FNP_FILL_UNNORMAL,
                                       FNP_FILL_INF,      FNP_FILL_SNAN,
                                       FNP_FILL_DENORMAL, FNP_FILL_UNNORMAL,
                                       FNP_FILL_SPECIAL,  FNP_FILL_SPECIAL };

    c->seed = bits(random, 0, 16);
    c->fill = (plan->wants_fp ? fp_fills : plain_fills)[bits(random, 24, 4)];
    if (c->fill == FNP_N_FILLS)
        c->fill = others[bits(random, 28, 3)];
    c->upper = uppers[bits(random, 30, 2)];
    /* Signed addresses are a common fault of 32-bit code, cut ones of the other. */
    if (bits(random, 32, 4) < (plan->contract->is32 ? 4u : 1u))
        c->field = plan->contract->is32 ? FNP_FIELD_SPLIT31 : FNP_FIELD_LOW;
}

/* RC, FTZ, DAZ and the sticky flags; every exception stays masked. */
static void colour_fp_modes(const struct fnp_plan *plan, uint64_t random,
                            struct fnp_case *c)
{
    static const uint16_t precision[4] = { 0x000, 0x200, 0x300, 0x300 };
    unsigned often = plan->wants_fp ? 2 : 1;

    if (bits(random, 0, 3) < 2 * often)
        c->mxcsr = (uint16_t)(FNP_MXCSR_DEFAULT | (bits(random, 8, 16) & 0xe07f));
    if (bits(random, 3, 3) < often)
        c->fcw = (uint16_t)(0x7f | precision[bits(random, 24, 2)] |
                            bits(random, 26, 2) << 10);
}

static void colour_state(const struct fnp_plan *plan, uint64_t random,
                         struct fnp_case *c)
{
    bool preserve = plan->contract->state == FNP_STATE_PRESERVE;

    if (preserve && bits(random, 0, 1))
        c->x87 = (uint8_t)(1 + bits(random, 1, 16) % 9);
    if (plan->contract->state == FNP_STATE_MMX_LIVE && bits(random, 0, 3) == 0)
        c->x87 = 9;
    /* Upper halves are junk to anybody, but with them set a missing vzeroupper hides. */
    c->ymm = fnp_kept_ymm(plan->contract) ? (uint8_t)bits(random, 17, 1)
                                          : bits(random, 40, 4) == 0;
    if (c->relation == FNP_REL_NONE && bits(random, 18, 6) < (preserve ? 3u : 1u))
        c->repeat = bits(random, 24, 3) == 0 ? 3 : 1;
}

/* Values that tell masks, sign extension and byte replication apart. */
static uint64_t pick_value(uint64_t random)
{
    static const uint64_t values[8] = { 0, 1, 0x80, 0xff, 0x5a, 0xa7, 0x7f, 0x3c };
    uint64_t low = bits(random, 0, 1) ? values[bits(random, 1, 3)] : bits(random, 8, 8);

    switch (bits(random, 4, 2)) {
    case 0:
        return 0x100 + low;
    case 1:
        return (random & ~0xffull) | low;
    default:
        return low;
    }
}

/* Half of what stands across 2^31 has its source there: a pair that does not overlap. */
static void colour_split(const struct fnp_plan *plan, uint64_t random,
                         struct fnp_case *c)
{
    const struct fnp_buf *dst = plan->parts->role[FNP_DST].buf;
    int32_t gap = 64 + (int32_t)bits(random, 8, 5) * 64;

    if (c->field != FNP_FIELD_SPLIT31 || !plan->contract->is32 || !dst ||
        !plan->parts->role[FNP_SRC].buf || c->relation != FNP_REL_NONE ||
        bits(random, 0, 1))
        return;
    c->relation = FNP_REL_DISTANCE;
    c->distance = (int32_t)fnp_buf_len(dst, c->n) + gap;
    c->distance = bits(random, 1, 1) ? -c->distance : c->distance;
    c->place[FNP_DST] = FNP_PLACE_CROSS;
}

void fnp_plan_colour(const struct fnp_plan *plan, struct fnp_rng *rng,
                     struct fnp_case *c)
{
    uint64_t contents = fnp_rng_next(rng);

    colour_contents(plan, contents, c);
    colour_split(plan, contents >> 36, c);
    colour_fp_modes(plan, fnp_rng_next(rng), c);
    colour_state(plan, fnp_rng_next(rng), c);
    for (size_t k = 0; k < plan->contract->n_values && k < FNP_MAX_VALUES; k++) {
        const struct fnp_value_list *list = &plan->contract->values[k];
        uint64_t random = fnp_rng_next(rng);

        c->value[k] =
            list->count ? list->item[random % list->count] : pick_value(random);
    }
}

static const uint8_t places[16] = {
    [5] = FNP_PLACE_END,    [6] = FNP_PLACE_END,    [7] = FNP_PLACE_END,
    [8] = FNP_PLACE_END,    [9] = FNP_PLACE_END,    [10] = FNP_PLACE_END,
    [11] = FNP_PLACE_START, [12] = FNP_PLACE_START, [13] = FNP_PLACE_START,
    [14] = FNP_PLACE_CROSS, [15] = FNP_PLACE_CROSS
};

/* dst and src at the same place within their pages, or just not. */
static void alias(uint64_t random, struct fnp_case *c)
{
    c->place[FNP_DST] = c->place[FNP_SRC] = FNP_PLACE_MID;
    c->line[FNP_SRC] = c->line[FNP_DST];
    if (c->offset[FNP_DST] == 0)
        c->offset[FNP_DST] = (uint8_t)(1 + bits(random, 0, 6));
    if (bits(random, 6, 1))
        c->offset[FNP_SRC] = c->offset[FNP_DST];
}

void fnp_plan_scatter(const struct fnp_plan *plan, struct fnp_rng *rng,
                      struct fnp_case *c)
{
    for (unsigned k = 0; k < FNP_MAX_BUFS; k++) {
        const struct fnp_plan_role *role = &plan->parts->role[k];
        uint64_t random = 0;

        if (!role->buf)
            continue;
        random = fnp_rng_next(rng);
        c->place[k] = places[bits(random, 0, 4)];
        c->line[k] = (uint8_t)bits(random, 4, 6);
        c->offset[k] = role->offsets[bits(random, 10, 16) % role->n_offsets];
        /* Without an offset a block touches its guard. */
        if (c->place[k] != FNP_PLACE_MID && bits(random, 26, 2) == 0)
            c->offset[k] = 0;
        if (k == FNP_DST && plan->parts->n_mined_offsets > 0 &&
            bits(random, 28, 3) == 0)
            c->offset[k] =
                plan->parts
                    ->mined_offsets[bits(random, 31, 8) % plan->parts->n_mined_offsets];
        if (k == FNP_SRC && plan->parts->role[FNP_DST].buf && bits(random, 40, 3) == 0)
            alias(random >> 44, c);
    }
}
