/* SPDX-License-Identifier: MIT */
/*
 * confirm.c - from a suspicious outcome to a finding a person can replay
 */
#include <stdio.h>
#include <string.h>

#include "base/str.h"
#include "verify/check.h"
#include "verify/lane.h"
#include "verify/shrink.h"
#include "verify/tracing.h"
#include "verify/where.h"

enum {
    MAX_TRIES = 20000,
    MAX_HUGE_TRIES = 400, /* each copies a window, or megabytes */
    MAX_ALIAS_TRIES = 4,  /* each copies gigabytes */
    MAX_SLOW_HITS = 6,    /* cases that hang or kill their worker while shrinking */
    N_VARIANTS = FNP_JUNK_VARIANTS + 1,
    MAX_PREDECESSORS = 40, /* of the plan's simplest cases, tried as the earlier call */
};

struct shrinking {
    struct fnp_lane *lane;
    size_t kernel;
    uint64_t ignore;
    unsigned flags;
    enum fnp_rule rule;
    char reg[12];
    unsigned slow_hits;
};

/* The first finding of an outcome that counts. */
static bool first_finding(const struct fnp_contract *contract, uint64_t ignore,
                          const struct fnp_outcome *outcome, struct fnp_finding *out)
{
    struct fnp_finding found[FNP_CHECK_MAX];
    size_t n = fnp_check_outcome(contract, outcome, found);

    for (size_t i = 0; i < n; i++) {
        if (!(ignore >> found[i].rule & 1)) {
            *out = found[i];
            return true;
        }
    }
    return false;
}

static bool shows(const struct shrinking *s, const struct fnp_outcome *outcome)
{
    const struct fnp_contract *contract = &s->lane->kernels->list[s->kernel].contract;
    struct fnp_finding f;

    return first_finding(contract, s->ignore, outcome, &f) && f.rule == s->rule &&
           strcmp(f.reg, s->reg) == 0;
}

static bool is_slow(const struct fnp_outcome *outcome)
{
    return outcome->end == FNP_END_HANG || outcome->end == FNP_END_DIED;
}

static size_t attempt(void *arg, const struct fnp_case *cases, size_t count)
{
    static struct fnp_outcome outcomes[FNP_POOL_CASES];
    struct shrinking *s = arg;
    size_t base = 0;

    while (base < count && s->slow_hits < MAX_SLOW_HITS && !*s->lane->stop) {
        size_t got = fnp_pool_run(s->lane->pool, s->kernel, cases + base, count - base,
                                  s->flags | FNP_RUN_STOP, outcomes);

        if (got == 0)
            break;
        s->slow_hits += is_slow(&outcomes[got - 1]);
        if (shows(s, &outcomes[got - 1]))
            return base + got - 1;
        base += got;
    }
    return count;
}

/* Streams of junk to try besides the case's own, with the stack in the same place. */
static void junk_variants(const struct fnp_case *base, struct fnp_case *cases)
{
    const unsigned phase = base->junk % FNP_STACK_PHASES;

    for (unsigned i = 0; i < FNP_JUNK_VARIANTS; i++) {
        cases[i] = *base;
        cases[i].junk = (uint8_t)((base->junk + 36 * i) % FNP_JUNK_ZEROS);
        cases[i].upper = FNP_UPPER_ZERO;
    }
    cases[0].junk =
        (uint8_t)((base->junk >= FNP_JUNK_ZEROS ? FNP_STACK_PHASES : FNP_JUNK_ZEROS) +
                  phase);
    /* Simpler than the case's own, so the shrinker has seen it clean, or took it. */
    cases[1].junk = (uint8_t)phase;
    cases[1].upper = FNP_UPPER_JUNK;
}

/* The same case with one thing changed each, run and put into the group. */
static void run_variants(struct fnp_lane *lane, size_t kernel, unsigned flags,
                         const struct fnp_outcome *base, struct fnp_outcome *out,
                         struct fnp_group *group)
{
    struct fnp_case cases[N_VARIANTS];
    struct fnp_case *plain = &cases[FNP_JUNK_VARIANTS];
    const struct fnp_case neutral = fnp_case_default();
    const struct fnp_contract *contract = &lane->kernels->list[kernel].contract;
    struct fnp_case other = base->c;

    junk_variants(&base->c, cases);
    *plain = base->c;
    plain->mxcsr = neutral.mxcsr;
    plain->fcw = neutral.fcw;
    plain->x87 = neutral.x87;
    plain->ymm = neutral.ymm;
    plain->fill = FNP_FILL_TAME;
    if (fnp_pool_run(lane->pool, kernel, cases, N_VARIANTS, flags, out) < N_VARIANTS)
        return;
    for (unsigned i = 0; i < FNP_JUNK_VARIANTS; i++)
        group->junk[i] = &out[i];
    group->neutral = &out[FNP_JUNK_VARIANTS];

    /* Or-ing a zero looks like not writing at all; another value does not. */
    if (contract->op == FNP_OP_SET && contract->values[0].count == 0 &&
        base->body[FNP_DST].count > 0 &&
        base->body[FNP_DST].count == base->body[FNP_DST].stale)
        other.value[0] ^= 0x5a;
    if (fnp_pool_run(lane->pool, kernel, &other, 1, flags | FNP_RUN_OTHER_OLD,
                     &out[N_VARIANTS]) == 1)
        group->other = &out[N_VARIANTS];
}

void fnp_lane_case_text(const struct fnp_kernel *kernel, const struct fnp_case *c,
                        struct fnp_finding *f)
{
    struct fnp_str text = fnp_str_over(f->text_case, sizeof(f->text_case));
    struct fnp_str replay = fnp_str_over(f->replay, sizeof(f->replay));

    fnp_case_text(c, kernel->contract.has_n, &text);
    fnp_str_add(&replay, "fencepost replay %s ", kernel->spec);
    fnp_str_add_quoted(&replay, f->text_case);
}

/* The check does not know names, and names are what `set` and `stub` need. */
static void name_undefined(const struct fnp_kernel *k, const struct fnp_outcome *base,
                           struct fnp_finding *f)
{
    const struct fnp_fault *fault = &base->fault;
    bool data = fnp_fault_is_data(fault);
    const struct fnp_symbol *symbol = NULL;
    size_t len = strlen(f->message);

    if (base->end != FNP_END_FAULT ||
        (fault->region != FNP_REGION_TRAP && fault->region != FNP_REGION_REFUSED))
        return;
    symbol = fnp_image_symbol(&k->image, data ? fault->addr : fault->rip);
    if (symbol && fault->region == FNP_REGION_REFUSED)
        snprintf(f->message + len, sizeof(f->message) - len,
                 " %s, which cannot be had here", symbol->name);
    else if (symbol)
        snprintf(f->message + len, sizeof(f->message) - len,
                 " %s; define it: %s = %s%s", symbol->name, data ? "set" : "stub",
                 symbol->name, data ? ":NUMBER" : "");
}

/* A finding that needs an earlier call; `after` NULL: none was found that is enough. */
static void tell_history(const struct fnp_kernel *k, const struct fnp_outcome *seen,
                         const struct fnp_case *after, struct fnp_finding *out)
{
    const struct fnp_finding was = *out;
    struct fnp_finding first = { .rule = was.rule };

    /* A hang is a hang; anything else that comes and goes is an input nobody declared. */
    out->rule = was.rule == FNP_RULE_HANG ? was.rule : FNP_RULE_UNDECLARED_INPUT;
    out->severity = fnp_rule_info(out->rule)->severity;
    out->n_also = was.rule != out->rule;
    out->also[0] = was.rule;
    snprintf(out->message, sizeof(out->message),
             "the result depends on an earlier call: %.160s; alone the case is clean",
             was.message);
    fnp_lane_case_text(k, &seen->c, out);
    fnp_where_fill(k, seen, &out->where);
    if (!after)
        return;
    struct fnp_str replay = fnp_str_over(out->replay, sizeof(out->replay));

    fnp_lane_case_text(k, after, &first);
    fnp_str_add(&replay, "fencepost replay %s --after ", k->spec);
    fnp_str_add_quoted(&replay, first.text_case);
    fnp_str_add(&replay, " ");
    fnp_str_add_quoted(&replay, out->text_case);
}

/* What a first call cannot show: its second one found something the first left behind. */
static bool needs_repeat(struct fnp_lane *lane, size_t kernel, uint64_t ignore,
                         const struct fnp_outcome *base)
{
    const struct fnp_contract *contract = &lane->kernels->list[kernel].contract;
    struct fnp_case once = base->c;
    struct fnp_outcome outcome;
    struct fnp_finding f;

    once.repeat = 0;
    return base->c.repeat > 0 &&
           fnp_pool_run(lane->pool, kernel, &once, 1, FNP_RUN_FRESH, &outcome) == 1 &&
           !first_finding(contract, ignore, &outcome, &f);
}

/* Rules that say what came out, not what became of the CPU's state. */
static bool is_result(enum fnp_rule rule)
{
    return rule == FNP_RULE_WRONG_BYTES || rule == FNP_RULE_BAD_RETURN ||
           rule == FNP_RULE_STRAY_WRITE || rule == FNP_RULE_STRAY_READ ||
           rule == FNP_RULE_SOURCE_CHANGED || rule == FNP_RULE_CRASH;
}

/* Judge a case that is known to misbehave, variants included. */
static bool judge_group(struct fnp_lane *lane, size_t kernel, uint64_t ignore,
                        unsigned flags, const struct fnp_outcome *base,
                        struct fnp_finding *out)
{
    static struct fnp_outcome variants[N_VARIANTS + 1];
    const struct fnp_kernel *k = &lane->kernels->list[kernel];
    struct fnp_group group = { .base = base,
                               .integer_only = !k->scan.fp && !k->scan.indirect };
    bool skip[FNP_N_RULES];

    for (unsigned r = 0; r < FNP_N_RULES; r++)
        skip[r] = ignore >> r & 1;
    if (first_finding(&k->contract, ignore, base, out) && is_result(out->rule) &&
        needs_repeat(lane, kernel, ignore, base)) {
        tell_history(k, base, NULL, out);
        return true;
    }
    /* A second wait for a hang says nothing new; gigabytes take as long. */
    if (!is_slow(base) && base->c.huge != FNP_HUGE_ALIAS)
        run_variants(lane, kernel, flags, base, variants, &group);
    if (!fnp_check_group_except(&k->contract, &group, skip, out))
        return false;
    fnp_lane_case_text(k, &base->c, out);
    fnp_where_fill(k, base, &out->where);
    fnp_tracing_place(lane, kernel, &base->c, out);
    name_undefined(k, base, out);
    return true;
}

/* Does `c` show something right after `after` has run?  Both in one fresh worker. */
static bool shows_after(struct fnp_lane *lane, size_t kernel, uint64_t ignore,
                        const struct fnp_trial *trial, struct fnp_outcome *out,
                        struct fnp_finding *f)
{
    const struct fnp_contract *contract = &lane->kernels->list[kernel].contract;
    const struct fnp_case cases[2] = { *trial->after, *trial->c };
    struct fnp_outcome outcomes[2];

    if (fnp_pool_run(lane->pool, kernel, cases, 2, FNP_RUN_FRESH | FNP_RUN_CARRY,
                     outcomes) != 2 ||
        !first_finding(contract, ignore, &outcomes[1], f))
        return false;
    *out = outcomes[1];
    return true;
}

/*
 * The case is clean when it runs alone: what the kernel did depends on what ran
 * before it.  Look for one earlier case that is enough to show it again.
 */
static bool depends_on_history(struct fnp_lane *lane, size_t kernel, uint64_t ignore,
                               const struct fnp_outcome *seen, struct fnp_finding *out)
{
    const struct fnp_kernel *k = &lane->kernels->list[kernel];
    struct fnp_outcome base = *seen;
    struct fnp_case after;
    const struct fnp_trial trial = { &seen->c, &after };

    for (uint64_t i = 0; i < MAX_PREDECESSORS; i++) {
        if (i == 0)
            after = seen->c;
        else if (!fnp_plan_case(&lane->plans[kernel], i - 1, &after))
            continue;
        if (shows_after(lane, kernel, ignore, &trial, &base, out)) {
            tell_history(k, &base, &after, out);
            return true;
        }
    }
    for (unsigned repeat = 1; repeat <= 7; repeat++) {
        struct fnp_case repeated = seen->c;

        repeated.repeat = (uint8_t)repeat;
        fnp_case_canonical(&repeated);
        if (fnp_pool_run(lane->pool, kernel, &repeated, 1, FNP_RUN_FRESH, &base) == 1 &&
            first_finding(&k->contract, ignore, &base, out)) {
            tell_history(k, &base, NULL, out);
            return true;
        }
    }
    /* A time limit that was only once too short is no finding; the caller goes on. */
    if (seen->end == FNP_END_HANG || !first_finding(&k->contract, ignore, seen, out))
        return false;
    tell_history(k, seen, NULL, out);
    return true;
}

static unsigned flags_for(const struct fnp_outcome *seen)
{
    bool far_off = seen->tool.count > 0;

    for (unsigned role = 0; role < FNP_MAX_BUFS; role++)
        far_off |= seen->far_off[role].count > 0;
    return far_off ? FNP_RUN_THOROUGH : 0;
}

bool fnp_confirm_alone(struct fnp_lane *lane, size_t kernel,
                       const struct fnp_outcome *seen, uint64_t ignore)
{
    const struct fnp_contract *contract = &lane->kernels->list[kernel].contract;
    struct fnp_outcome alone;
    struct fnp_finding f;

    return fnp_pool_run(lane->pool, kernel, &seen->c, 1,
                        flags_for(seen) | FNP_RUN_FRESH, &alone) == 1 &&
           first_finding(contract, ignore, &alone, &f);
}

static size_t max_tries(const struct fnp_outcome *base)
{
    return base->c.huge == FNP_HUGE_ALIAS              ? MAX_ALIAS_TRIES
           : base->huge || base->c.n > FNP_FIELD_N_MAX ? MAX_HUGE_TRIES
                                                       : MAX_TRIES;
}

bool fnp_confirm(struct fnp_lane *lane, size_t kernel, const struct fnp_outcome *seen,
                 uint64_t ignore, struct fnp_finding *out)
{
    const struct fnp_contract *contract = &lane->kernels->list[kernel].contract;
    struct shrinking s = { .lane = lane, .kernel = kernel, .ignore = ignore };
    struct fnp_outcome base = *seen;
    struct fnp_finding f;
    unsigned flags = flags_for(seen);

    if (fnp_pool_run(lane->pool, kernel, &seen->c, 1, flags | FNP_RUN_FRESH, &base) !=
            1 ||
        !first_finding(contract, ignore, &base, &f)) {
        return depends_on_history(lane, kernel, ignore, seen, out);
    }
    s.rule = f.rule;
    s.flags = flags;
    snprintf(s.reg, sizeof(s.reg), "%s", f.reg);
    struct fnp_case c = base.c;

    fnp_shrink(contract, &c, max_tries(&base), attempt, &s);
    if (!fnp_case_equal(&c, &base.c)) {
        struct fnp_outcome smaller;

        if (fnp_pool_run(lane->pool, kernel, &c, 1, flags | FNP_RUN_FRESH, &smaller) ==
                1 &&
            shows(&s, &smaller))
            base = smaller;
    }
    return judge_group(lane, kernel, ignore, flags, &base, out);
}

bool fnp_confirm_case(struct fnp_lane *lane, size_t kernel, const struct fnp_case *c,
                      const struct fnp_case *after, struct fnp_finding *out,
                      struct fnp_outcome *outcome)
{
    const struct fnp_contract *contract = &lane->kernels->list[kernel].contract;
    static const unsigned ways[] = { FNP_RUN_FRESH, FNP_RUN_FRESH | FNP_RUN_THOROUGH };
    struct fnp_finding f;

    /* Gigabytes not twice. */
    for (size_t i = c->huge == FNP_HUGE_ALIAS; i < FNP_ARRAY_LEN(ways); i++) {
        if (fnp_pool_run(lane->pool, kernel, c, 1, ways[i], outcome) == 1 &&
            first_finding(contract, 0, outcome, &f))
            return judge_group(lane, kernel, 0, ways[i] & FNP_RUN_THOROUGH, outcome,
                               out);
    }
    const struct fnp_trial trial = { c, after };

    if (fnp_tracing_case(lane, kernel, c, 0, out))
        return true;
    if (!after || !shows_after(lane, kernel, 0, &trial, outcome, out))
        return false;
    tell_history(&lane->kernels->list[kernel], outcome, after, out);
    return true;
}
