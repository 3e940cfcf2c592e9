/* SPDX-License-Identifier: MIT */
/*
 * plan_fit.c - turn a wish into the nearest case the contract allows
 *
 * Stages say what they would like; everything they make goes through here, so no
 * stage has to know about alignments, directions of overlap or entry states.
 */
#include "verify/plan_parts.h"

static void fit_role(const struct fnp_plan_role *role, unsigned k, struct fnp_case *c)
{
    if (!role->buf) {
        c->offset[k] = c->place[k] = c->line[k] = 0;
        return;
    }
    if (c->offset[k] > 0 && role->n_offsets < 64) {
        unsigned step = 64 / (unsigned)role->n_offsets;

        c->offset[k] = (uint8_t)((c->offset[k] - 1u) / step * step + 1);
    }
    c->line[k] = (uint8_t)(c->line[k] - c->line[k] % role->line_step);
    if (c->place[k] == FNP_PLACE_CROSS && role->line_step > 1)
        c->place[k] = FNP_PLACE_MID;
}

/* Round a distance so that src keeps its alignment; the contract has the last word. */
static void fit_relation(const struct fnp_plan *plan, struct fnp_case *c)
{
    const struct fnp_plan_parts *parts = plan->parts;
    const struct fnp_buf *dst = parts->role[FNP_DST].buf;
    const struct fnp_buf *src = parts->role[FNP_SRC].buf;

    if (c->relation == FNP_REL_NONE)
        return;
    if (dst && src && src->align > 1 &&
        fnp_plan_relation_objection(plan->contract, c)) {
        int64_t align = (int64_t)(src->align < 4096 ? src->align : 4096);
        int64_t distance = fnp_case_distance(c, fnp_buf_len(dst, c->n));

        c->relation = FNP_REL_DISTANCE;
        c->distance = (int32_t)(distance - distance % align);
        if (c->offset[FNP_DST] == 0)
            c->offset[FNP_DST] = 1;
        c->offset[FNP_DST] = (uint8_t)((c->offset[FNP_DST] - 1u) / align * align + 1);
    }
    if (fnp_plan_relation_objection(plan->contract, c))
        c->relation = FNP_REL_NONE;
}

static void fit_values(const struct fnp_plan *plan, struct fnp_case *c)
{
    for (size_t k = 0; k < FNP_MAX_VALUES; k++) {
        const struct fnp_value_list *list = &plan->contract->values[k];
        unsigned width = plan->parts->value_width[k];
        uint64_t mask = width < 8 ? (1ull << 8 * width) - 1 : UINT64_MAX;
        bool listed = list->count == 0 || width == 0;

        c->value[k] &= mask;
        for (size_t i = 0; !listed && i < list->count; i++)
            listed = (list->item[i] & mask) == c->value[k];
        if (!listed)
            c->value[k] = list->item[c->value[k] % list->count] & mask;
    }
}

static void fit_state(const struct fnp_contract *contract, struct fnp_case *c)
{
    /* Only who must keep the control word may meet one that lets exceptions through. */
    if (contract->state != FNP_STATE_PRESERVE)
        c->fcw |= 0x3f;
    if (contract->state != FNP_STATE_PRESERVE)
        c->x87 = contract->state == FNP_STATE_MMX_LIVE && c->x87 == 9 ? 9 : 0;
    /* Each width has one more place beside its usual one. */
    if (c->field == (contract->is32 ? FNP_FIELD_LOW : FNP_FIELD_SPLIT31))
        c->field = contract->is32 ? FNP_FIELD_SPLIT31 : FNP_FIELD_HIGH;
}

/* Sizes above the ordinary are chosen one by one and not to be touched. */
static bool is_chosen(const struct fnp_plan *plan, uint64_t n)
{
    /* A list of a dozen, looked at only for sizes that may be in it. */
    for (size_t i = 0; n > FNP_FIELD_N_MAX / 4096 && i < plan->n_huge + plan->n_alias;
         i++) {
        if (plan->huge[i] == n)
            return true;
    }
    return false;
}

void fnp_plan_fit(const struct fnp_plan *plan, struct fnp_case *c)
{
    const struct fnp_plan_parts *parts = plan->parts;

    if (!is_chosen(plan, c->n)) {
        c->n = plan->contract->has_n ? fnp_plan_fit_size(parts, c->n) : 0;
        c->huge = FNP_HUGE_WINDOW;
    }
    for (unsigned role = 0; role < FNP_MAX_BUFS; role++)
        fit_role(&parts->role[role], role, c);
    fit_relation(plan, c);
    fit_values(plan, c);
    fit_state(plan->contract, c);
    if (!parts->narrow)
        c->upper = FNP_UPPER_JUNK;
    fnp_case_canonical(c);
}
