/* SPDX-License-Identifier: MIT */
/*
 * suggest.c - experiments behind promises and hints
 *
 * A lane is a process of its own, so the kernel's contract is changed in place and a
 * fresh worker sees it changed.
 */
#include "verify/suggest.h"

#include <stdio.h>
#include <string.h>

#include "base/str.h"
#include "verify/check.h"
#include "verify/kept.h"
#include "verify/neighbour.h"
#include "verify/promise.h"

enum {
    FIRST = 64,      /* cases that tell whether a kernel fails altogether */
    SAMPLE = 320,    /* those and others from the whole plan */
    LEAST_RUN = 16,  /* cases an experiment must have */
    MOST_SLOW = 3,   /* cases that hang or kill their worker; then no more is run */
    NEARLY_ALL = 90, /* percent */
};

_Static_assert(FIRST == (int)FNP_POOL_CASES && SAMPLE % FIRST == 0 &&
                   SAMPLE + 32 <= (int)FNP_TALLY_MAX,
               "a sample is a few batches, and the outcomes seen fit behind it");

/* What all experiments with a kernel share. */
struct suggesting {
    struct fnp_lane *lane;
    size_t kernel;
    uint64_t ignore;
    struct fnp_arena arena;
    struct fnp_tally tally; /* of the sample run last */
    unsigned n_slow;        /* cases of it that hung or killed their worker */
};

/* The first error that counts; FNP_N_RULES: none. */
static enum fnp_rule first_error(const struct suggesting *s,
                                 const struct fnp_outcome *outcome)
{
    const struct fnp_contract *contract = &s->lane->kernels->list[s->kernel].contract;
    struct fnp_finding found[FNP_CHECK_MAX];
    size_t n = fnp_check_outcome(contract, outcome, found);

    for (size_t i = 0; i < n; i++) {
        if (found[i].severity == FNP_ERROR && !(s->ignore >> found[i].rule & 1) &&
            !fnp_finding_waived(contract, &found[i], NULL, NULL))
            return found[i].rule;
    }
    return FNP_N_RULES;
}

static void add_row(struct suggesting *s, const struct fnp_outcome *o)
{
    const struct fnp_contract *contract = &s->lane->kernels->list[s->kernel].contract;
    struct fnp_tally_row *row = &s->tally.rows[s->tally.count++];
    const uint32_t gprs = fnp_kept_gprs(contract), vectors = fnp_kept_xmm(contract);

    *row = (struct fnp_tally_row){ .c = o->c, .rule = first_error(s, o) };
    for (unsigned role = 0; role < FNP_MAX_BUFS; role++)
        row->addr[role] = o->buf[role].present ? o->buf[role].addr : 0;
    if (o->end != FNP_END_RETURNED || !(o->out.captured & FNP_HAS_XMM))
        return;
    for (unsigned i = 0; i < 16; i++) {
        if (o->in.gpr[i] != o->out.gpr[i])
            row->gprs |= gprs & 1u << i;
        if (memcmp(o->in.xmm[i], o->out.xmm[i], 16) ||
            memcmp(o->in.ymm_high[i], o->out.ymm_high[i], 16))
            row->vectors |= vectors & 1u << i;
    }
}

/* Case number i of a sample: the first ones, then some from all over the plan. */
static uint64_t sample_index(const struct fnp_plan *plan, uint64_t i)
{
    if (i < FIRST || plan->count <= SAMPLE)
        return i;
    return FIRST + (i - FIRST) * (plan->count - FIRST) / (SAMPLE - FIRST);
}

/* Tally what ran; returns whether to go on. */
static bool take(struct suggesting *s, const struct fnp_outcome *outcomes, size_t count,
                 uint64_t enough)
{
    bool go_on = true;

    for (size_t i = 0; i < count; i++) {
        uint8_t end = outcomes[i].end;

        if (end == FNP_END_SKIPPED)
            continue;
        add_row(s, &outcomes[i]);
        enum fnp_rule rule = s->tally.rows[s->tally.count - 1].rule;

        go_on &= rule == FNP_N_RULES || !(enough >> rule & 1);
        s->n_slow += end == FNP_END_HANG || end == FNP_END_DIED;
    }
    return go_on && s->n_slow < MOST_SLOW && !*s->lane->stop;
}

/*
 * Run cases [0, count) of a sample under the contract as it is now, one failing case a
 * time because each may take long.  Ends early at a rule in `enough`.
 */
static void run_sample(struct suggesting *s, uint64_t count, uint64_t enough)
{
    static struct fnp_outcome outcomes[FNP_POOL_CASES];
    const struct fnp_kernel *k = &s->lane->kernels->list[s->kernel];
    unsigned flags = FNP_RUN_FRESH | FNP_RUN_STOP;
    struct fnp_case cases[FNP_POOL_CASES];
    struct fnp_plan plan;
    bool go_on = true;

    fnp_plan_make(&s->arena, k, s->lane->options->seed, FNP_BUDGET_QUICK, &plan);
    s->tally.count = 0;
    s->n_slow = 0;
    count = count < plan.count ? count : plan.count;
    for (uint64_t i = 0; i < count && go_on;) {
        size_t n = 0, done = 0, got = 0;

        for (; n < FNP_POOL_CASES && i < count; i++)
            n += fnp_plan_case(&plan, sample_index(&plan, i), &cases[n]);
        for (; done < n && go_on; done += got) {
            got = fnp_pool_run(s->lane->pool, s->kernel, cases + done, n - done, flags,
                               outcomes);
            go_on = take(s, outcomes, got, enough) && got > 0;
            flags = FNP_RUN_STOP;
        }
    }
}

static bool is_cut_short(const struct suggesting *s)
{
    return s->n_slow >= MOST_SLOW || *s->lane->stop;
}

/* Rows of the tally that show a rule of this set. */
static size_t failing(const struct suggesting *s, uint64_t rules)
{
    size_t n = 0;

    for (size_t i = 0; i < s->tally.count; i++) {
        enum fnp_rule rule = s->tally.rows[i].rule;
        n += rule < FNP_N_RULES && (rules >> rule & 1);
    }
    return n;
}

/* Try another contract: does a sample under it show none of these rules? */
static bool is_clean_under(struct suggesting *s, const struct fnp_contract *other,
                           uint64_t rules, uint64_t count)
{
    struct fnp_contract *contract = &s->lane->kernels->list[s->kernel].contract;
    const struct fnp_contract declared = *contract;

    *contract = *other;
    run_sample(s, count, rules);
    *contract = declared;
    return !is_cut_short(s) && s->tally.count >= LEAST_RUN && failing(s, rules) == 0;
}

/* "key = value" of a contract. */
static void put_line(const struct fnp_contract *c, const char *key, char *out,
                     size_t room)
{
    struct fnp_str text = fnp_str_over(out, room);
    char value[256];
    struct fnp_str v = fnp_str_over(value, sizeof(value));

    fnp_contract_value(c, key, &v);
    fnp_str_add(&text, "%s = %s", key, value);
    if (v.overflow || text.overflow)
        out[0] = 0;
}

static bool find_hint(struct suggesting *s, struct fnp_kernel_report *report)
{
    const struct fnp_contract declared = s->lane->kernels->list[s->kernel].contract;
    struct fnp_contract other;
    const char *key = NULL;
    unsigned at = 0;

    while (fnp_neighbour_next(&s->arena, &declared, &at, &other, &key)) {
        if (!is_clean_under(s, &other, UINT64_MAX, FIRST))
            continue;
        put_line(&other, key, report->hint, sizeof(report->hint));
        report->hint_cases = (unsigned)s->tally.count;
        return true;
    }
    return false;
}

static void find_offers(struct suggesting *s, struct fnp_kernel_report *report)
{
    const struct fnp_contract declared = s->lane->kernels->list[s->kernel].contract;
    static struct fnp_tally tally; /* the declared contract's */
    static struct fnp_promise promise;
    struct fnp_promise_search search = { 0 };
    uint64_t told = 0;

    tally = s->tally;
    while (report->n_offers < FNP_OFFERS_MAX && !*s->lane->stop &&
           fnp_promise_next(&declared, &tally, told, &search, &promise)) {
        struct fnp_offer *offer = &report->offers[report->n_offers];

        if (!is_clean_under(s, &promise.weaker, promise.rules, SAMPLE))
            continue;
        put_line(&promise.weaker, promise.key, offer->promise, sizeof(offer->promise));
        offer->cases = promise.cases;
        offer->rule = promise.rule;
        report->n_offers += offer->promise[0] != 0;
        told |= promise.rules;
    }
}

void fnp_suggest(struct fnp_lane *lane, size_t kernel, uint64_t ignore,
                 const struct fnp_outcome *seen, size_t n_seen,
                 struct fnp_kernel_report *report)
{
    static struct suggesting s;

    s = (struct suggesting){ .lane = lane, .kernel = kernel, .ignore = ignore };
    run_sample(&s, FIRST, 0);
    if (!is_cut_short(&s) &&
        failing(&s, UINT64_MAX) * 100 > s.tally.count * NEARLY_ALL &&
        find_hint(&s, report)) {
        fnp_arena_release(&s.arena);
        return;
    }
    run_sample(&s, SAMPLE, 0);
    for (size_t i = 0; i < n_seen && s.tally.count < FNP_TALLY_MAX; i++)
        add_row(&s, &seen[i]);
    if (!is_cut_short(&s))
        find_offers(&s, report);
    fnp_arena_release(&s.arena);
}
