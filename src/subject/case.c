/* SPDX-License-Identifier: MIT */
/*
 * case.c - default, canonical form and order of cases
 *
 * One list of ranks serves equality and order, so that the two cannot disagree.
 */
#include "subject/case.h"

struct fnp_case fnp_case_default(void)
{
    return (struct fnp_case){ .mxcsr = FNP_MXCSR_DEFAULT, .fcw = FNP_FCW_DEFAULT };
}

void fnp_case_canonical(struct fnp_case *c)
{
    if (c->relation == FNP_REL_LAP && c->distance == 0)
        c->relation = FNP_REL_NONE;
    if (c->relation == FNP_REL_NONE) {
        c->distance = 0;
    } else {
        c->offset[1] = 0;
        c->place[1] = FNP_PLACE_MID;
        c->line[1] = 0;
    }
    for (unsigned role = 0; role < 3; role++) {
        if (c->place[role] != FNP_PLACE_MID)
            c->line[role] = 0;
    }
}

int64_t fnp_case_distance(const struct fnp_case *c, uint64_t dst_len)
{
    if (c->relation == FNP_REL_NONE)
        return 0;
    if (c->relation == FNP_REL_DISTANCE)
        return c->distance;
    return c->distance >= 0 ? (int64_t)dst_len - c->distance
                            : -(int64_t)dst_len - c->distance;
}

enum {
    N_RANKS = 28
};

/*
 * What a reader has to take in, the strangest first: CPU state that is not the usual one
 * outranks size, size outranks contents and placement, seeds come last.
 */
static void ranks(const struct fnp_case *c, uint64_t rank[N_RANKS])
{
    int64_t distance = c->distance;
    size_t i = 0;

    rank[i++] = c->field;
    rank[i++] = c->huge;
    rank[i++] = c->repeat;
    rank[i++] = c->x87;
    rank[i++] = c->ymm;
    rank[i++] = (uint64_t)(c->fcw ^ FNP_FCW_DEFAULT);
    rank[i++] = (uint64_t)(c->mxcsr ^ FNP_MXCSR_DEFAULT);
    rank[i++] = c->upper;
    rank[i++] = c->relation != FNP_REL_NONE;
    rank[i++] = c->n;
    rank[i++] = c->offset[0];
    rank[i++] = (uint64_t)(distance < 0 ? -distance : distance);
    rank[i++] = c->relation;
    rank[i++] = distance < 0;
    rank[i++] = c->fill;
    rank[i++] = c->offset[1];
    rank[i++] = c->offset[2];
    for (unsigned role = 0; role < 3; role++)
        rank[i++] = c->place[role];
    for (unsigned role = 0; role < 3; role++)
        rank[i++] = c->line[role];
    for (unsigned k = 0; k < 3; k++)
        rank[i++] = c->value[k];
    rank[i++] = c->junk;
    rank[i] = c->seed;
}

int fnp_case_compare(const struct fnp_case *a, const struct fnp_case *b)
{
    uint64_t left[N_RANKS], right[N_RANKS];

    ranks(a, left);
    ranks(b, right);
    for (size_t i = 0; i < N_RANKS; i++) {
        if (left[i] != right[i])
            return left[i] < right[i] ? -1 : 1;
    }
    return 0;
}

bool fnp_case_equal(const struct fnp_case *a, const struct fnp_case *b)
{
    return fnp_case_compare(a, b) == 0;
}
