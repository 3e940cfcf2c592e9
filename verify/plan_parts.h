/* SPDX-License-Identifier: MIT */
/*
 * plan_parts.h - what the files of the planner share; nobody else includes it
 *
 * Depends on: plan.
 */
#ifndef FNP_VERIFY_PLAN_PARTS_H
#define FNP_VERIFY_PLAN_PARTS_H

#include "base/rng.h"
#include "run/pool.h"
#include "verify/plan.h"

/* FNP_FIELD_N_MAX as a constant that widens without a word. */
static const uint64_t fnp_plan_n_most = FNP_FIELD_N_MAX;

/* Sizes above it, for thresholds found in the code: at most so many. */
enum {
    FNP_LARGE_SIZES = 12
};

enum {
    FNP_PLAN_MINED = 192,
    FNP_PLAN_RELATIONS = 160,
    FNP_PLAN_STAGES = 9
};

/* How `distance` of a relation option counts. */
enum fnp_plan_reach {
    FNP_REACH_BYTES, /* as it stands */
    FNP_REACH_LEN,   /* further than the length of dst, in its own direction */
    FNP_REACH_HALF,  /* half of dst's length, in the direction of its sign */
};

/* One way in which dst and src may lie to each other. */
struct fnp_plan_relation {
    uint8_t kind;  /* enum fnp_relation */
    uint8_t reach; /* enum fnp_plan_reach */
    int32_t distance;
};

/* Offsets and lines a buffer may have; both only multiples its alignment allows. */
struct fnp_plan_role {
    const struct fnp_buf *buf; /* NULL: the kernel has no such buffer */
    uint8_t offsets[64];       /* as in struct fnp_case: address modulo 64, plus 1 */
    size_t n_offsets;
    unsigned line_step; /* lines are multiples of it */
};

/* A run of indices with one rule.  `make` need not respect the contract. */
struct fnp_plan_stage {
    uint64_t count;
    void (*make)(const struct fnp_plan *plan, uint64_t i, struct fnp_rng *rng,
                 struct fnp_case *c);
};

struct fnp_plan_budget {
    uint64_t count;       /* cases of kernels with a size */
    uint64_t count_fixed; /* cases of kernels with constant extents */
    uint64_t n_most;      /* boundary sizes go this far */
    unsigned sweeps;      /* passes over the small sizes */
    uint64_t core;        /* about so many: core size x dst offset */
    uint64_t rim;         /* about so many: every other size, placements in turn */
    uint64_t pairs;       /* at most so many: mined size x dst offset */
    uint64_t triples;     /* at most so many: mined size x offset x distance */
    size_t huge;          /* at most so many */
    bool alias;           /* whole huge buffers, too; each takes seconds */
};

struct fnp_plan_parts {
    const struct fnp_plan_budget *budget;
    struct fnp_sizes
        sizes;       /* of the contract, only those every length parameter can pass */
    uint64_t n_most; /* largest size of an ordinary case */
    struct fnp_plan_role role[FNP_MAX_BUFS];
    uint64_t *small; /* every small size, ascending */
    size_t n_small;
    uint64_t *core; /* sizes that meet every dst offset, ascending */
    size_t n_core;
    uint64_t mined[FNP_PLAN_MINED]; /* sizes from the code, the oddest first */
    size_t n_mined;
    uint8_t mined_offsets[16]; /* plus 1, the oddest first */
    size_t n_mined_offsets;
    int32_t mined_reach[16]; /* distances and laps from the code, the oddest first */
    size_t n_mined_reach;
    size_t triple_sizes, triple_offsets, triple_reach; /* how many of the above */
    struct fnp_plan_relation
        relations[FNP_PLAN_RELATIONS]; /* those the contract allows */
    size_t n_relations;
    bool laps;   /* some of them overlap */
    bool narrow; /* an argument leaves the upper half of its register unused */
    uint8_t value_width[FNP_MAX_VALUES]; /* bytes */
    struct fnp_plan_stage stages[FNP_PLAN_STAGES];
    size_t n_stages;
};

/* allowed.c: may a kernel be called with this size?  Buffers are not looked at. */
bool fnp_plan_size_allowed(const struct fnp_contract *contract, uint64_t n);
/* allowed.c: what speaks against the relation of this case, or NULL. */
const char *fnp_plan_relation_objection(const struct fnp_contract *contract,
                                        const struct fnp_case *c);

/* plan_sizes.c: fills sizes, n_most, small, core, mined sizes, plan->sizes, plan->huge. */
void fnp_plan_sizes(struct fnp_arena *arena, const struct fnp_scan *scan,
                    struct fnp_plan *plan);
/* What a constant counts: an immediate may be negative, as 64 or as 32 bits. */
uint64_t fnp_plan_magnitude(uint64_t constant);
/* The largest allowed ordinary size <= n, else the smallest. */
uint64_t fnp_plan_fit_size(const struct fnp_plan_parts *parts, uint64_t n);

/* plan_relations.c: fills relations, mined offsets and reaches, the triple counts. */
void fnp_plan_relations(const struct fnp_scan *scan, struct fnp_plan *plan);
/* Apply option k, folded so that it suits the sizes; the contract decides later. */
void fnp_plan_relate(const struct fnp_plan *plan, size_t k, struct fnp_case *c);

/* plan_fit.c: the nearest case the contract allows, canonical.  Keeps a huge n. */
void fnp_plan_fit(const struct fnp_plan *plan, struct fnp_case *c);

/* plan_colour.c: contents, junk, values and CPU state, not touching n or places. */
void fnp_plan_colour(const struct fnp_plan *plan, struct fnp_rng *rng,
                     struct fnp_case *c);
/* A random place, line and offset for every buffer. */
void fnp_plan_scatter(const struct fnp_plan *plan, struct fnp_rng *rng,
                      struct fnp_case *c);

/* plan_stages.c: fills stages and plan->grid. */
void fnp_plan_stages(struct fnp_plan *plan);

/* box.c: point i of the box; false when the contract does not allow it. */
bool fnp_box_case(const struct fnp_plan *plan, uint64_t i, struct fnp_case *c);

#endif
