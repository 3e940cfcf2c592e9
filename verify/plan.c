/* SPDX-License-Identifier: MIT */
/*
 * plan.c - make a plan, and answer what its case i is
 *
 * Every case has its own random stream, seeded by its index, so that cases can be
 * made in any order and by any number of workers.
 */
#include "verify/plan.h"
#include "verify/plan_parts.h"

enum {
    SAME_JUNK = 16,
    SMOKE_STAGE = 0, /* its cases name everything themselves */
};

static const struct fnp_plan_budget budgets[] = {
    [FNP_BUDGET_QUICK] = { .count = 2500,
                          .count_fixed = 400,
                          .n_most = 8192 + 64,
                          .sweeps = 2,
                          .core = 500,
                          .rim = 300,
                          .pairs = 256,
                          .triples = 300,
                          .huge = 4 },
    [FNP_BUDGET_GATE] = { .count = 12000,
                          .count_fixed = 1500,
                          .n_most = 16384 + 64,
                          .sweeps = 4,
                          .core = 4480,
                          .rim = 1500,
                          .pairs = 1280,
                          .triples = 2000,
                          .huge = 12 },
    [FNP_BUDGET_DEEP] = { .count = 2000000,
                          .count_fixed = 200000,
                          .n_most = 65536 + 64,
                          .sweeps = 64,
                          .core = 350000,
                          .rim = 250000,
                          .pairs = 20000,
                          .triples = 200000,
                          .huge = 12,
                          .alias = true },
    /* The gate's stages, then random cases until the caller's clock runs out. */
    [FNP_BUDGET_SECONDS] = { .count = UINT64_MAX / 2,
                          .count_fixed = UINT64_MAX / 2,
                          .n_most = 65536 + 64,
                          .sweeps = 4,
                          .core = 4480,
                          .rim = 1500,
                          .pairs = 1280,
                          .triples = 2000,
                          .huge = 12 },
};

/* Addresses modulo 64 a buffer may have, and the step of lines within a page. */
static void fill_roles(const struct fnp_contract *contract,
                       struct fnp_plan_parts *parts)
{
    for (unsigned k = 0; k < FNP_MAX_BUFS; k++) {
        struct fnp_plan_role *role = &parts->role[k];
        const struct fnp_buf *buf = fnp_contract_buf(contract, (enum fnp_role)k);
        uint64_t align = buf ? buf->align : 1;

        role->buf = buf;
        role->line_step = 1;
        if (!buf)
            continue;
        for (uint64_t at = 0; at < 64; at += align ? align : 1)
            role->offsets[role->n_offsets++] = (uint8_t)(at + 1);
        if (align > 64)
            role->line_step = align >= 4096 ? 64 : (unsigned)(align / 64);
    }
}

static void fill_params(const struct fnp_contract *contract,
                        struct fnp_plan_parts *parts)
{
    for (size_t i = 0; i < contract->n_params; i++) {
        const struct fnp_param *p = &contract->params[i];

        parts->narrow |= p->kind != FNP_PARAM_BUF && p->width < 8;
        if (p->kind == FNP_PARAM_VALUE && p->value < FNP_MAX_VALUES)
            parts->value_width[p->value] = p->width;
    }
}

/* A kernel with few sizes needs fewer cases. */
static uint64_t cases_for(const struct fnp_plan *plan)
{
    const struct fnp_plan_parts *parts = plan->parts;
    const struct fnp_plan_budget *budget = parts->budget;
    uint64_t few = budget->count_fixed;

    if (!plan->contract->has_n)
        return few;
    if (plan->budget == FNP_BUDGET_SECONDS || plan->n_sizes >= 32)
        return budget->count;
    few += plan->n_sizes * (budget->count - few) / 32;
    return few;
}

void fnp_plan_make(struct fnp_arena *arena, const struct fnp_kernel *kernel,
                   uint64_t seed, enum fnp_budget budget, struct fnp_plan *out)
{
    struct fnp_plan_parts *parts = fnp_arena_alloc(arena, sizeof(*parts));

    *out = (struct fnp_plan){
        .contract = &kernel->contract,
        .seed = seed,
        .budget = budget,
        .wants_fp = kernel->scan.x87_mmx,
        .parts = parts,
    };
    parts->budget = &budgets[budget];
    fill_roles(&kernel->contract, parts);
    fill_params(&kernel->contract, parts);
    fnp_plan_sizes(arena, &kernel->scan, out);
    if (out->n_sizes == 0)
        return;
    fnp_plan_relations(&kernel->scan, out);
    fnp_plan_stages(out);
    out->count = cases_for(out);
    if (out->grid > out->count)
        out->grid = out->count;
}

bool fnp_plan_case(const struct fnp_plan *plan, uint64_t i, struct fnp_case *out)
{
    const struct fnp_plan_parts *parts = plan->parts;
    struct fnp_rng rng = { 0 };
    size_t stage = 0;

    if (i >= plan->count)
        return false;
    if (i < plan->box_count)
        return fnp_box_case(plan, i, out);
    i -= plan->box_count;
    rng.state = fnp_mix(plan->seed ^ fnp_mix(i));
    /* Neighbours share their junk: setting it up anew costs more than a small case. */
    uint8_t junk = (uint8_t)fnp_mix(plan->seed + i / SAME_JUNK);

    while (i >= parts->stages[stage].count) {
        i -= parts->stages[stage].count;
        stage++;
    }
    *out = fnp_case_default();
    parts->stages[stage].make(plan, i, &rng, out);
    if (stage > SMOKE_STAGE)
        out->junk = junk;
    fnp_plan_fit(plan, out);
    return true;
}

size_t fnp_plan_n_mined(const struct fnp_plan *plan)
{
    return plan->parts->n_mined + plan->n_huge;
}

bool fnp_plan_case_mined(const struct fnp_plan *plan, uint64_t i, size_t k,
                         struct fnp_case *out)
{
    const struct fnp_plan_parts *parts = plan->parts;

    if (!fnp_plan_case(plan, i, out))
        return false;
    out->n = k < parts->n_mined ? parts->mined[k] : plan->huge[k - parts->n_mined];
    fnp_plan_fit(plan, out);
    return true;
}
