/* SPDX-License-Identifier: MIT */
/*
 * plan_relations.c - how dst and src may lie to each other, and constants from the
 * code as offsets, distances and overlaps
 *
 * Buffers that share a field without overlapping keep a gap: a kernel that writes past
 * dst is then seen to do just that, and not to change src.
 */
#include "verify/plan_parts.h"

enum {
    GAP_LEAST = 512,
    GAP_MOST = 4096
};

/* Could the contract allow this way of overlapping, in a case of the right size? */
static bool overlap_allowed(enum fnp_overlap overlap, int32_t distance, bool same)
{
    switch (overlap) {
    case FNP_OVERLAP_ANY:
        return true;
    case FNP_OVERLAP_SAME:
        return same;
    case FNP_OVERLAP_FORWARD:
        return !same && distance < 0;
    case FNP_OVERLAP_BACKWARD:
        return !same && distance > 0;
    default:
        return false;
    }
}

static void add(struct fnp_plan *plan, enum fnp_relation kind,
                enum fnp_plan_reach reach, int32_t distance)
{
    struct fnp_plan_parts *parts = plan->parts;
    bool apart = reach == FNP_REACH_LEN;

    if (!apart && !overlap_allowed(plan->contract->overlap, distance, distance == 0))
        return;
    if (parts->n_relations == FNP_PLAN_RELATIONS)
        return;
    parts->laps |= !apart;
    parts->relations[parts->n_relations++] = (struct fnp_plan_relation){
        .kind = (uint8_t)kind,
        .reach = (uint8_t)reach,
        .distance = distance,
    };
}

static void add_both(struct fnp_plan *plan, enum fnp_relation kind,
                     enum fnp_plan_reach reach, int32_t distance)
{
    add(plan, kind, reach, distance);
    add(plan, kind, reach, -distance);
}

static void add_usual(struct fnp_plan *plan)
{
    static const int32_t distances[] = { 1,   2,   3,   4,    7,    8,    9,
                                         15,  16,  17,  31,   32,   33,   48,
                                         63,  64,  65,  127,  128,  129,  192,
                                         256, 511, 512, 1024, 4095, 4096, 4097 };
    static const int32_t laps[] = { 1,  2,  3,  4,  5,  6,  7,  8,  9,  12,
                                    15, 16, 17, 31, 32, 33, 63, 64, 65, 128 };

    add(plan, FNP_REL_DISTANCE, FNP_REACH_BYTES, 0);
    for (size_t i = 0; i < FNP_ARRAY_LEN(distances); i++)
        add_both(plan, FNP_REL_DISTANCE, FNP_REACH_BYTES, distances[i]);
    for (size_t i = 0; i < FNP_ARRAY_LEN(laps); i++)
        add_both(plan, FNP_REL_LAP, FNP_REACH_BYTES, laps[i]);
    add_both(plan, FNP_REL_DISTANCE, FNP_REACH_HALF, 1);
    add_both(plan, FNP_REL_DISTANCE, FNP_REACH_LEN, GAP_LEAST);
    add_both(plan, FNP_REL_DISTANCE, FNP_REACH_LEN, GAP_MOST);
}

/* 0: may mean something of its own; 1: a mask or a power of two plus one; 2: a width. */
static unsigned plainness(uint64_t n)
{
    if ((n & (n - 1)) == 0 || n % 8 == 0)
        return 2;
    return ((n + 1) & n) == 0 || ((n - 1) & (n - 2)) == 0;
}

static void add_offset(struct fnp_plan_parts *parts, uint64_t n)
{
    const struct fnp_plan_role *dst = &parts->role[FNP_DST];
    uint8_t offset = (uint8_t)(n % 64 + 1);
    bool known = !dst->buf;

    for (size_t i = 0; i < parts->n_mined_offsets; i++)
        known |= parts->mined_offsets[i] == offset;
    if (known || parts->n_mined_offsets == FNP_ARRAY_LEN(parts->mined_offsets))
        return;
    for (size_t i = 0; i < dst->n_offsets; i++) {
        if (dst->offsets[i] == offset)
            parts->mined_offsets[parts->n_mined_offsets++] = offset;
    }
}

static void add_reach(struct fnp_plan_parts *parts, uint64_t n)
{
    for (size_t i = 0; i < parts->n_mined_reach; i++) {
        if (parts->mined_reach[i] == (int32_t)n)
            return;
    }
    if (parts->n_mined_reach < FNP_ARRAY_LEN(parts->mined_reach))
        parts->mined_reach[parts->n_mined_reach++] = (int32_t)n;
}

/* Small constants first: they fit offsets, distances and overlaps as they stand. */
static void mine(const struct fnp_scan *scan, struct fnp_plan_parts *parts)
{
    for (unsigned round = 0; round < 6; round++) {
        unsigned plain = round % 3;
        bool large = round >= 3;

        for (size_t i = 0; i < scan->n_constants; i++) {
            uint64_t n = fnp_plan_magnitude(scan->constants[i]);

            if (n == 0 || plainness(n) != plain || (n >= 64) != large)
                continue;
            add_offset(parts, n);
            if (n <= fnp_plan_n_most)
                add_reach(parts, n);
        }
    }
}

static uint64_t triple_cases(const struct fnp_plan_parts *parts)
{
    uint64_t laps = parts->laps ? 4 * parts->triple_reach : 0;

    return parts->triple_sizes * parts->triple_offsets * (laps + parts->triple_offsets);
}

/* As many of each kind as the budget holds, dropping the plainest of the longest list. */
static void limit_triples(struct fnp_plan_parts *parts)
{
    parts->triple_sizes = parts->n_mined;
    parts->triple_offsets = parts->n_mined_offsets;
    parts->triple_reach = parts->n_mined_reach;
    while (triple_cases(parts) > parts->budget->triples) {
        size_t *longest = &parts->triple_sizes;

        if (parts->triple_offsets > *longest)
            longest = &parts->triple_offsets;
        if (parts->laps && parts->triple_reach > *longest)
            longest = &parts->triple_reach;
        --*longest;
    }
}

void fnp_plan_relations(const struct fnp_scan *scan, struct fnp_plan *plan)
{
    struct fnp_plan_parts *parts = plan->parts;

    mine(scan, parts);
    if (parts->role[FNP_DST].buf && parts->role[FNP_SRC].buf) {
        add_usual(plan);
        for (size_t i = 0; i < parts->n_mined_reach && i < 8; i++) {
            add_both(plan, FNP_REL_LAP, FNP_REACH_BYTES, parts->mined_reach[i]);
            add_both(plan, FNP_REL_DISTANCE, FNP_REACH_BYTES, parts->mined_reach[i]);
        }
    }
    limit_triples(parts);
}

/* 1 .. len - 1, the same number when it already lies there. */
static int64_t fold(int64_t magnitude, int64_t len)
{
    return magnitude < len ? magnitude : 1 + magnitude % (len - 1);
}

void fnp_plan_relate(const struct fnp_plan *plan, size_t k, struct fnp_case *c)
{
    const struct fnp_plan_relation *r = &plan->parts->relations[k];
    int64_t len = (int64_t)fnp_buf_len(plan->parts->role[FNP_DST].buf, c->n);
    int64_t magnitude = r->distance < 0 ? -(int64_t)r->distance : r->distance;

    if (r->reach == FNP_REACH_LEN)
        magnitude += len;
    else if (r->reach == FNP_REACH_HALF)
        magnitude = len / 2;
    else if (magnitude > 0 && len > 1)
        magnitude = fold(magnitude, len);
    else if (magnitude > 0)
        return;
    c->relation = r->kind;
    c->distance = (int32_t)(r->distance < 0 ? -magnitude : magnitude);
}
