/* SPDX-License-Identifier: MIT */
/*
 * plan_stages.c - the stages of a plan, each a function from a local index to a case
 *
 * Sizes run in the inner loop everywhere: a fault that depends on size alone then
 * shows within one pass.
 */
#include <assert.h>

#include "verify/plan_parts.h"

#define AT(offset)   ((offset) + 1) /* as struct fnp_case stores it */
#define BOTH(what)   { FNP_PLACE_##what, FNP_PLACE_##what, FNP_PLACE_##what }
#define APART(bytes) .relation = FNP_REL_DISTANCE, .distance = (bytes)
#define LAP(bytes)   .relation = FNP_REL_LAP, .distance = (bytes)

/*
 * The simplest case of every kind, disjoint buffers first.  0 in mxcsr and fcw is the
 * hardware's default; what a contract does not allow becomes something near it.
 */
static const struct fnp_case smoke[] = {
    { .n = 64 },
    { .n = 64, .place = BOTH(END) },
    { .n = 64, .place = BOTH(START) },
    { .n = 1, .place = BOTH(END), .value = { 1 } },
    { .n = 16, .place = BOTH(END), .value = { 0xff } },
    { .n = 4096, .place = BOTH(END), .value = { 0xa5 } },
    { .n = 4096, .place = BOTH(START), .value = { 0x5a } },
    { .n = 0, .place = BOTH(END), .value = { 0x5a } },
    { .n = 256, .offset = { AT(0), AT(0), AT(0) }, .upper = FNP_UPPER_ONES, .seed = 1 },
    { .n = 100, .offset = { AT(1), AT(3), AT(5) }, .place = BOTH(CROSS), .seed = 2 },
    { .n = 255, .place = BOTH(END), .junk = 1, .fill = FNP_FILL_RANDOM },
    { .n = 1000, .place = { FNP_PLACE_END, FNP_PLACE_START }, .value = { 0x1c3 } },
    { .n = 1000, .place = { FNP_PLACE_START, FNP_PLACE_END }, .value = { 0x80 } },
    { .n = 4097,
     .offset = { AT(13), AT(7) },
     .line = { 5, 9 },
     .upper = FNP_UPPER_ZERO },
    { .n = 8192, .offset = { AT(32), AT(32) }, .line = { 5, 5 }, .value = { 3 } },
    { .n = 40, .place = BOTH(END), .mxcsr = 0x9fc0 },
    { .n = 128, .place = BOTH(START), .mxcsr = 0x7fbf, .value = { 0x77 } },
    { .n = 560, .fill = FNP_FILL_SPECIAL, .mxcsr = 0xffff, .value = { 0xee } },
    { .n = 24, .fcw = 0x027f, .value = { 0x81 } },
    { .n = 48, .fcw = 0x0c7f, .place = BOTH(END), .value = { 0x18 } },
    { .n = 56, .fcw = 0x0340, .value = { 0x5b } },
    { .n = 8, .x87 = 1, .place = BOTH(END) },
    { .n = 32, .x87 = 2, .place = BOTH(START) },
    { .n = 72, .x87 = 3, .offset = { AT(8), AT(16) } },
    { .n = 96, .x87 = 4, .place = BOTH(END) },
    { .n = 160, .x87 = 5, .offset = { AT(24), AT(40) } },
    { .n = 320, .x87 = 6, .place = BOTH(START) },
    { .n = 640, .x87 = 7, .place = BOTH(END) },
    { .n = 1024, .x87 = 8, .fill = FNP_FILL_RANDOM },
    { .n = 2048, .x87 = 9, .place = BOTH(END) },
    { .n = 192, .ymm = 1, .place = BOTH(END) },
    { .n = 4096, .x87 = 8, .ymm = 1, .mxcsr = 0xffff, .fcw = 0x0e7f },
    { .n = 64, .repeat = 1, .place = BOTH(END) },
    { .n = 4096, .repeat = 2 },
    { .n = 128, .field = FNP_FIELD_LOW, .place = BOTH(END), .value = { 0x42 } },
    { .n = 300, .fill = FNP_FILL_ZERO, .value = { 0xff } },
    { .n = 301, .fill = FNP_FILL_ONES, .place = BOTH(END) },
    { .n = 4096, .fill = FNP_FILL_SNAN, .value = { 0x7f } },
    { .n = 4096, .fill = FNP_FILL_DENORMAL, .mxcsr = 0x9fc0 },
    { .n = 4096, .fill = FNP_FILL_UNNORMAL, .fcw = 0x027f },
    { .n = 4096, .fill = FNP_FILL_INF },
    { .n = 4096, .fill = FNP_FILL_TAME },
    { .n = 64, APART(1), .place = BOTH(END) },
    { .n = 64, APART(-1), .place = BOTH(END) },
    { .n = 256, APART(16), .offset = { AT(16) } },
    { .n = 256, APART(-16), .offset = { AT(16) } },
    { .n = 31, LAP(1), .place = BOTH(START) },
    { .n = 31, LAP(-1), .place = BOTH(START) },
    { .n = 500, LAP(7), .offset = { AT(13) } },
    { .n = 500, LAP(-7), .offset = { AT(13) } },
    { .n = 4096, APART(64) },
    { .n = 4096, APART(-64) },
    { .n = 77, APART(0) },
    { .n = 4096, APART(4096 + 512) },
    { .n = 16, APART(1), .field = FNP_FIELD_SPLIT31 },
    { .n = 300, APART(64), .field = FNP_FIELD_SPLIT31 },
    { .n = 300, APART(-64), .field = FNP_FIELD_SPLIT31 },
    { .n = 4096, .field = FNP_FIELD_SPLIT31 },
    { .n = 4096,
     APART(4096 + 512),
     .field = FNP_FIELD_SPLIT31,
     .place = { FNP_PLACE_CROSS } },
    { .n = 100, APART(-192), .field = FNP_FIELD_SPLIT31, .place = { FNP_PLACE_CROSS } },
};

static void make_smoke(const struct fnp_plan *plan, uint64_t i, struct fnp_rng *rng,
                       struct fnp_case *c)
{
    (void)plan;
    (void)rng;
    *c = smoke[i];
    if (c->mxcsr == 0)
        c->mxcsr = FNP_MXCSR_DEFAULT;
    if (c->fcw == 0)
        c->fcw = FNP_FCW_DEFAULT;
}

/* Set the relation of option k; the field-sharing pair follows dst. */
static void relate(const struct fnp_plan *plan, uint64_t k, struct fnp_case *c)
{
    if (plan->parts->n_relations > 0)
        fnp_plan_relate(plan, k % plan->parts->n_relations, c);
}

/* Every small size: at the back guard, the front guard, across a page, then anyhow. */
static void make_sweep(const struct fnp_plan *plan, uint64_t i, struct fnp_rng *rng,
                       struct fnp_case *c)
{
    static const uint8_t flush[] = { FNP_PLACE_END, FNP_PLACE_START, FNP_PLACE_CROSS };
    const struct fnp_plan_parts *parts = plan->parts;
    uint64_t pass = i / parts->n_small;

    c->n = parts->small[i % parts->n_small];
    if (pass >= FNP_ARRAY_LEN(flush)) {
        fnp_plan_scatter(plan, rng, c);
        if (parts->laps)
            relate(plan, fnp_rng_next(rng), c);
    }
    for (unsigned role = 0; pass < FNP_ARRAY_LEN(flush) && role < FNP_MAX_BUFS; role++)
        c->place[role] = flush[pass];
    fnp_plan_colour(plan, rng, c);
}

static void make_huge(const struct fnp_plan *plan, uint64_t i, struct fnp_rng *rng,
                      struct fnp_case *c)
{
    c->n = plan->huge[i];
    c->seed = (uint32_t)i;
    for (size_t k = 0; k < plan->contract->n_values && k < FNP_MAX_VALUES; k++)
        c->value[k] = fnp_rng_next(rng) & 0xff;
}

/* All of them: once with a redzone behind dst, once with guards behind both. */
static void make_alias(const struct fnp_plan *plan, uint64_t i, struct fnp_rng *rng,
                       struct fnp_case *c)
{
    make_huge(plan, plan->n_huge + i, rng, c);
    c->huge = FNP_HUGE_ALIAS;
    for (unsigned role = 0; i % 2 && role < FNP_MAX_BUFS; role++)
        c->place[role] = FNP_PLACE_END;
}

/* Passes over a list of sizes; a pass has one dst offset and sees every size. */
static void make_grid(const struct fnp_plan *plan, const uint64_t *sizes, size_t count,
                      uint64_t i, struct fnp_rng *rng, struct fnp_case *c)
{
    const struct fnp_plan_parts *parts = plan->parts;
    const struct fnp_plan_role *dst = &parts->role[FNP_DST];
    const struct fnp_plan_role *src = &parts->role[FNP_SRC];
    uint64_t pass = i / count, k = i % count;

    c->n = sizes[k];
    fnp_plan_scatter(plan, rng, c);
    /* 13 is odd, so a short run of passes is spread over all offsets. */
    if (dst->buf)
        c->offset[FNP_DST] = dst->offsets[pass * 13 % dst->n_offsets];
    if (src->buf && dst->buf && pass >= dst->n_offsets)
        c->offset[FNP_SRC] =
            src->offsets[(pass / dst->n_offsets * 13 + pass) % src->n_offsets];
    if (parts->laps ? (pass + k) % 2 == 1 : fnp_rng_next(rng) % 8 == 0)
        relate(plan, pass / 2 * 7 + k, c);
    fnp_plan_colour(plan, rng, c);
}

static void make_core(const struct fnp_plan *plan, uint64_t i, struct fnp_rng *rng,
                      struct fnp_case *c)
{
    make_grid(plan, plan->parts->core, plan->parts->n_core, i, rng, c);
}

static void make_rim(const struct fnp_plan *plan, uint64_t i, struct fnp_rng *rng,
                     struct fnp_case *c)
{
    make_grid(plan, plan->sizes, plan->n_sizes, i, rng, c);
}

/* A size from the code at every dst offset. */
static void make_pairs(const struct fnp_plan *plan, uint64_t i, struct fnp_rng *rng,
                       struct fnp_case *c)
{
    const struct fnp_plan_parts *parts = plan->parts;
    const struct fnp_plan_role *dst = &parts->role[FNP_DST];

    c->n = parts->mined[i / dst->n_offsets];
    fnp_plan_scatter(plan, rng, c);
    c->offset[FNP_DST] = dst->offsets[i % dst->n_offsets];
    if (fnp_rng_next(rng) % 4 == 0)
        relate(plan, fnp_rng_next(rng), c);
    fnp_plan_colour(plan, rng, c);
}

/* A size, an offset and a distance, overlap or src offset, all from the code. */
static void make_triples(const struct fnp_plan *plan, uint64_t i, struct fnp_rng *rng,
                         struct fnp_case *c)
{
    const struct fnp_plan_parts *parts = plan->parts;
    size_t laps = parts->laps ? 4 * parts->triple_reach : 0;
    size_t last = laps + parts->triple_offsets, k = i % last;

    c->n = parts->mined[i / last / parts->triple_offsets];
    fnp_plan_scatter(plan, rng, c);
    c->offset[FNP_DST] = parts->mined_offsets[i / last % parts->triple_offsets];
    if (k < laps) {
        int32_t reach = parts->mined_reach[k / 4];

        c->relation = k % 4 < 2 ? FNP_REL_LAP : FNP_REL_DISTANCE;
        c->distance = k % 2 ? -reach : reach;
    } else {
        c->offset[FNP_SRC] = parts->mined_offsets[k - laps];
    }
    fnp_plan_colour(plan, rng, c);
}

/* Half boundary, a quarter small, a quarter spread evenly over the magnitudes. */
static uint64_t random_size(const struct fnp_plan *plan, struct fnp_rng *rng)
{
    const struct fnp_plan_parts *parts = plan->parts;
    uint64_t random = fnp_rng_next(rng), pick = random >> 8;
    uint64_t n = 0;

    if (parts->n_mined > 0 && random % 8 == 7) {
        n = parts->mined[pick % parts->n_mined];
        return random & 16 ? n : n + (random >> 40) % 130;
    }
    switch (random % 4) {
    case 0:
    case 1:
        n = plan->sizes[pick % plan->n_sizes];
        return random & 16 ? n : n + (random >> 40) % 17;
    case 2:
        return parts->small[pick % parts->n_small];
    default:
        while (parts->budget->n_most >> n > 1)
            n++;
        n = 1ull << (pick % (n + 1));
        return n + (random >> 24) % n;
    }
}

static void make_random(const struct fnp_plan *plan, uint64_t i, struct fnp_rng *rng,
                        struct fnp_case *c)
{
    const struct fnp_plan_parts *parts = plan->parts;
    uint64_t random = fnp_rng_next(rng);

    (void)i;
    c->n = random_size(plan, rng);
    fnp_plan_scatter(plan, rng, c);
    if (random % (parts->laps ? 2 : 8) == 0)
        relate(plan, random >> 8, c);
    fnp_plan_colour(plan, rng, c);
}

static void add(struct fnp_plan *plan, uint64_t count,
                void (*make)(const struct fnp_plan *plan, uint64_t i,
                             struct fnp_rng *rng, struct fnp_case *c))
{
    struct fnp_plan_parts *parts = plan->parts;

    assert(parts->n_stages < FNP_PLAN_STAGES);
    parts->stages[parts->n_stages++] = (struct fnp_plan_stage){ count, make };
    plan->grid += count;
}

/* Whole passes over `size` items in about `count` cases, at least one. */
static uint64_t whole(uint64_t count, uint64_t size)
{
    return count < size ? size : count / size * size;
}

static uint64_t pair_cases(const struct fnp_plan *plan)
{
    const struct fnp_plan_parts *parts = plan->parts;
    uint64_t offsets = parts->role[FNP_DST].n_offsets;
    uint64_t sizes = plan->contract->has_n ? parts->n_mined : 0;

    if (offsets == 0)
        return 0;
    if (sizes * offsets > parts->budget->pairs)
        sizes = parts->budget->pairs / offsets;
    return sizes * offsets;
}

void fnp_plan_stages(struct fnp_plan *plan)
{
    struct fnp_plan_parts *parts = plan->parts;
    const struct fnp_plan_budget *budget = parts->budget;
    size_t laps = parts->laps ? 4 * parts->triple_reach : 0;
    bool sized = plan->contract->has_n;

    plan->grid = 0;
    add(plan, FNP_ARRAY_LEN(smoke), make_smoke);
    add(plan, sized ? budget->sweeps * parts->n_small : 0, make_sweep);
    add(plan, plan->n_huge, make_huge);
    add(plan, plan->n_alias, make_alias);
    add(plan, sized ? whole(budget->core, parts->n_core) : 128, make_core);
    add(plan, pair_cases(plan), make_pairs);
    add(plan,
        parts->triple_sizes * parts->triple_offsets * (laps + parts->triple_offsets),
        make_triples);
    add(plan, sized ? whole(budget->rim, plan->n_sizes) : 0, make_rim);
    uint64_t grid = plan->grid;

    add(plan, UINT64_MAX, make_random);
    plan->grid = grid; /* the last stage has no end */
}
