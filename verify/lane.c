/* SPDX-License-Identifier: MIT */
/*
 * lane.c - explore one kernel's plan slice by slice until it is done or broken
 *
 * Slices are judged in order and those behind the first error are forgotten, so the
 * result does not depend on the number of workers.
 */
#include "verify/lane.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "verify/check.h"
#include "verify/coverage.h"
#include "verify/group.h"
#include "verify/suggest.h"
#include "verify/tracing.h"

enum {
    MAX_SEEN = 32,   /* suspicious outcomes kept for one kernel */
    STOP_AFTER = 16, /* of one slice */
    ROUND_MAX = 16,  /* slices judged together */
    MAX_ALONE = 8,   /* outcomes tried alone for one finding */
    MAX_LONE_HANGS = 3,
};

_Static_assert(FNP_N_RULES <= 64, "a set of rules is a 64-bit mask");

struct exploration {
    struct fnp_lane *lane;
    size_t kernel;
    uint64_t ignore; /* rules that no longer stop anything */
    uint64_t next;   /* first case not yet judged */
    uint64_t
        clean; /* nothing was seen in any case before this one; points of a box only */
    uint64_t cases;
    uint64_t n_least, n_most; /* sizes that ran */
    bool broken;              /* an error was seen */
    bool lost; /* something outside every buffer changed, no case shows it alone */
    struct fnp_outcome seen[MAX_SEEN];
    bool passed_over[MAX_SEEN]; /* while looking for the best one */
    size_t n_seen;
    struct fnp_tracing_report traced;
    unsigned lone_hangs; /* cases that ran past the limit once and never again */
    double deadline;
};

uint64_t fnp_lane_left_out(const struct fnp_verify_options *o)
{
    uint64_t mask = 0;

    for (unsigned r = 0; r < FNP_N_RULES; r++) {
        if (o->skip[r] || (o->has_only && !o->only[r]))
            mask |= 1ull << r;
    }
    return mask;
}

bool fnp_lane_generate(void *arg, size_t kernel, uint64_t i, struct fnp_case *out)
{
    const struct fnp_lane *lane = arg;

    return fnp_plan_case(&lane->plans[kernel], i, out);
}

/* Any finding that is not to be ignored? */
static bool worth(const struct fnp_contract *contract, uint64_t ignore,
                  const struct fnp_outcome *outcome, enum fnp_rule *rule,
                  enum fnp_severity *severity)
{
    struct fnp_finding found[FNP_CHECK_MAX];
    size_t n = fnp_check_outcome(contract, outcome, found);

    for (size_t i = 0; i < n; i++) {
        if (ignore >> found[i].rule & 1)
            continue;
        *rule = found[i].rule;
        *severity = found[i].severity;
        return true;
    }
    return false;
}

bool fnp_lane_screen(void *arg, size_t kernel, uint64_t ignore,
                     const struct fnp_outcome *outcome)
{
    const struct fnp_lane *lane = arg;
    const struct fnp_contract *contract = &lane->kernels->list[kernel].contract;
    enum fnp_rule rule;
    enum fnp_severity severity;

    return fnp_check_screen(contract, outcome) &&
           (ignore == 0 || worth(contract, ignore, outcome, &rule, &severity));
}

static bool may_be_waived(const struct fnp_contract *contract, enum fnp_rule rule)
{
    for (size_t i = 0; i < contract->n_allows; i++) {
        if (contract->allows[i].rule == rule)
            return true;
    }
    return false;
}

/* Small slices first: a broken kernel shows early.  None goes past the box. */
static uint64_t slice_len(const struct exploration *e, uint64_t first)
{
    uint64_t end = e->lane->plans[e->kernel].box_count;
    uint64_t len = first < 256      ? 256
                   : first < 1024   ? 768
                   : first < 100000 ? 4096
                                    : 16384;

    return first < end && end - first < len ? end - first : len;
}

/* All before `next` is known to be clean, but a cursor is for boxes only. */
static void reach(struct exploration *e)
{
    uint64_t end = e->lane->plans[e->kernel].box_count;

    e->clean = e->next < end ? e->next : end;
}

/* Keep what is suspicious; returns whether anything was. */
static bool keep(struct exploration *e, const struct fnp_reply *reply,
                 const struct fnp_outcome *outcomes)
{
    const struct fnp_contract *contract = &e->lane->kernels->list[e->kernel].contract;
    uint64_t ignore = e->ignore;
    bool any = false;

    for (size_t i = 0; i < reply->n_outcomes; i++) {
        enum fnp_rule rule = FNP_N_RULES;
        enum fnp_severity severity = FNP_INFO;

        if (!worth(contract, ignore, &outcomes[i], &rule, &severity))
            continue;
        any = true;
        if (e->n_seen < MAX_SEEN)
            e->seen[e->n_seen++] = outcomes[i];
        if (severity == FNP_ERROR && !may_be_waived(contract, rule))
            e->broken = true;
        else
            e->ignore |= 1ull << rule;
        /* Neither is worth a second wait of the same length. */
        if (outcomes[i].end == FNP_END_HANG || outcomes[i].end == FNP_END_DIED)
            e->broken = true;
    }
    return any;
}

/* Something outside the compared windows changed: find the case that does it. */
static void look_closer(struct exploration *e, const struct fnp_slice *slice)
{
    struct fnp_slice again = *slice;
    struct fnp_reply reply;

    again.thorough = true;
    again.stop_after = 4;
    fnp_pool_submit(e->lane->pool, &again);
    while (!fnp_pool_wait(e->lane->pool, -1, &reply))
        continue;
    if (!keep(e, &reply, reply.outcomes) && !e->broken) {
        e->lost = true;
        e->broken = true;
    }
}

/* One slice's reply, in order.  False: slices behind it must be run anew. */
static bool judge(struct exploration *e, const struct fnp_reply *reply,
                  const struct fnp_outcome *outcomes)
{
    bool any = keep(e, reply, outcomes);

    e->cases += reply->n_run - reply->n_skipped;
    e->next = reply->slice.first + reply->n_run;
    e->n_least = reply->n_least < e->n_least ? reply->n_least : e->n_least;
    e->n_most = reply->n_most > e->n_most ? reply->n_most : e->n_most;
    if (reply->dirty && !any)
        look_closer(e, &reply->slice);
    else if (!any && reply->slice.first == e->clean)
        reach(e);
    return reply->n_run == reply->slice.count && !e->broken;
}

/* As many slices as there are workers, judged in order when all are back. */
static void round_of_slices(struct exploration *e, uint64_t end)
{
    static struct fnp_outcome outcomes[ROUND_MAX][STOP_AFTER];
    struct fnp_reply replies[ROUND_MAX];
    unsigned n = 0;
    uint64_t first = e->next;

    for (; n < e->lane->workers && n < ROUND_MAX && first < end; n++) {
        struct fnp_slice slice = {
            .kernel = (uint32_t)e->kernel,
            .first = first,
            .count = slice_len(e, first),
            .stop_after = STOP_AFTER,
            .ignore = e->ignore,
        };

        if (slice.count > end - first)
            slice.count = end - first;
        fnp_pool_submit(e->lane->pool, &slice);
        first += slice.count;
        memset(&replies[n], 0, sizeof(replies[n]));
    }
    for (unsigned got = 0; got < n; got++) {
        struct fnp_reply reply;

        while (!fnp_pool_wait(e->lane->pool, -1, &reply))
            continue;
        unsigned at = 0;

        /* By place: the slices of a round are consecutive. */
        for (uint64_t f = e->next; f != reply.slice.first; f += slice_len(e, f))
            at++;
        assert(at < n && reply.n_outcomes <= STOP_AFTER);
        replies[at] = reply;
        memcpy(outcomes[at], reply.outcomes, reply.n_outcomes * sizeof(*outcomes[0]));
    }
    for (unsigned i = 0; i < n; i++) {
        if (!judge(e, &replies[i], outcomes[i]))
            break;
    }
}

static void explore(struct exploration *e, struct fnp_lane_result *result)
{
    const struct fnp_plan *plan = &e->lane->plans[e->kernel];

    while (e->next < plan->count && !e->broken && !*e->lane->stop) {
        round_of_slices(e, plan->count);
        result->progress = e->next - plan->box_done;
        result->clean = e->clean;
        if (e->deadline > 0 && fnp_now() > e->deadline)
            break;
    }
}

/* Errors first; among equals what ends the run or never does, then the order of rules. */
static unsigned rank_of(enum fnp_severity severity, enum fnp_rule rule)
{
    bool ends = rule == FNP_RULE_SYSTEM_CALL || rule == FNP_RULE_HANG ||
                rule == FNP_RULE_ILLEGAL_INSTRUCTION;

    return ((unsigned)severity * 2 + !ends) * FNP_N_RULES + (unsigned)rule;
}

/* The simplest outcome not passed over that shows a rule not in `told`; errors first. */
static struct fnp_outcome *pick(struct exploration *e, uint64_t told)
{
    const struct fnp_contract *contract = &e->lane->kernels->list[e->kernel].contract;
    struct fnp_outcome *best = NULL;
    unsigned best_rank = ~0u;

    for (size_t i = 0; i < e->n_seen; i++) {
        enum fnp_rule rule = FNP_N_RULES;
        enum fnp_severity severity = FNP_INFO;

        if (e->passed_over[i] || !worth(contract, told, &e->seen[i], &rule, &severity))
            continue;
        unsigned rank = rank_of(severity, rule);

        if (rank < best_rank ||
            (rank == best_rank && fnp_case_compare(&e->seen[i].c, &best->c) < 0)) {
            best = &e->seen[i];
            best_rank = rank;
        }
    }
    return best;
}

/*
 * Like pick, but of the outcomes that show the same rule the first that shows it alone:
 * what only follows from an earlier case's damage is no better evidence for being
 * simpler.  When none does, the simplest.
 */
static struct fnp_outcome *pick_solid(struct exploration *e, uint64_t told)
{
    const struct fnp_contract *contract = &e->lane->kernels->list[e->kernel].contract;
    struct fnp_outcome *simplest = pick(e, told), *at = simplest;
    enum fnp_rule wanted = FNP_N_RULES, rule = FNP_N_RULES;
    enum fnp_severity severity = FNP_INFO;

    memset(e->passed_over, 0, sizeof(e->passed_over));
    if (!at)
        return NULL;
    worth(contract, told, at, &wanted, &severity);
    for (unsigned tries = 0; at && tries < MAX_ALONE; tries++) {
        worth(contract, told, at, &rule, &severity);
        if (rule != wanted)
            break;
        if (fnp_confirm_alone(e->lane, e->kernel, at, told)) {
            memset(e->passed_over, 0, sizeof(e->passed_over));
            return at;
        }
        e->passed_over[at - e->seen] = true;
        at = pick(e, told);
    }
    memset(e->passed_over, 0, sizeof(e->passed_over));
    return simplest;
}

static bool already_told(const struct fnp_lane_result *result, enum fnp_rule rule)
{
    for (size_t i = 0; i < result->n_findings; i++) {
        if (result->findings[i].rule == rule)
            return true;
    }
    return false;
}

static void put_finding(const struct fnp_lane *lane, size_t kernel,
                        struct fnp_lane_result *result, struct fnp_finding *f)
{
    const struct fnp_contract *contract = &lane->kernels->list[kernel].contract;
    const char *reason = NULL;
    size_t entry = 0;

    if (fnp_finding_waived(contract, f, &reason, &entry)) {
        f->waived = true;
        result->allows_used |= 1u << entry;
        snprintf(f->reason, sizeof(f->reason), "%s", reason ? reason : "");
        result->n_waived++;
    } else {
        result->report.findings += f->severity != FNP_INFO;
        result->report.warnings += f->severity == FNP_WARNING;
        result->n_errors +=
            f->severity == FNP_ERROR ||
            (f->severity == FNP_WARNING && lane->options->fail_on_warning);
    }
    if (result->n_findings < FNP_LANE_FINDINGS)
        result->findings[result->n_findings++] = *f;
    else
        result->report.suppressed++;
}

static void add_finding(struct exploration *e, struct fnp_lane_result *result,
                        struct fnp_finding *f)
{
    put_finding(e->lane, e->kernel, result, f);
}

/*
 * A copy that runs past both ends shows as a write in one case and as a read in
 * another: one fault, so what comes second is only named beside the first.
 */
static bool joins(struct fnp_lane_result *result, enum fnp_rule rule)
{
    if (fnp_rule_group(rule) != FNP_CHECK_FOOTPRINT)
        return false;
    for (size_t i = 0; i < result->n_findings; i++) {
        struct fnp_finding *f = &result->findings[i];

        if (f->waived || fnp_rule_group(f->rule) != FNP_CHECK_FOOTPRINT)
            continue;
        if (f->n_also < FNP_ALSO_MAX)
            f->also[f->n_also++] = rule;
        return true;
    }
    return false;
}

/*
 * The finding of one outcome.  A case that shows an error only after an earlier one may
 * show a warning alone, which must not stand for it.
 */
static bool confirm(struct exploration *e, const struct fnp_outcome *outcome,
                    uint64_t told, enum fnp_severity severity, struct fnp_finding *f)
{
    struct fnp_finding worse;

    if (!fnp_confirm(e->lane, e->kernel, outcome, told, f))
        return false;
    if (f->severity > severity &&
        fnp_confirm(e->lane, e->kernel, outcome, told | 1ull << f->rule, &worse))
        *f = worse;
    return true;
}

/* Findings out of what was seen, worst first, one a rule. */
static void tell(struct exploration *e, uint64_t ignore, struct fnp_lane_result *result)
{
    const struct fnp_outcome *outcome = NULL;
    uint64_t told = ignore;

    for (size_t i = 0; i < result->n_findings; i++) {
        /* A waiver may be for another place than the next one. */
        if (!result->findings[i].waived)
            told |= 1ull << result->findings[i].rule;
    }
    while ((outcome = pick_solid(e, told)) != NULL) {
        const struct fnp_contract *contract =
            &e->lane->kernels->list[e->kernel].contract;
        struct fnp_finding f;
        enum fnp_rule rule = FNP_N_RULES;
        enum fnp_severity severity = FNP_INFO;

        worth(contract, told, outcome, &rule, &severity);
        if (!joins(result, rule) && confirm(e, outcome, told, severity, &f)) {
            if (!strcmp(f.region, FNP_REGION_NAME_REFUSED))
                snprintf(result->reason, sizeof(result->reason), "%.*s",
                         (int)sizeof(result->reason) - 1, f.message);
            else if (!already_told(result, f.rule))
                add_finding(e, result, &f);
            told |= 1ull << f.rule;
            for (size_t i = 0; i < f.n_also; i++)
                told |= 1ull << f.also[i];
        }
        told |= 1ull << rule;
    }
}

static void tell_lost(struct exploration *e, struct fnp_lane_result *result)
{
    struct fnp_finding f = { .rule = FNP_RULE_STRAY_WRITE };

    f.severity = fnp_rule_info(f.rule)->severity;
    snprintf(
        f.message, sizeof(f.message),
        "memory outside every buffer changed during cases up to %llu, no case alone "
        "shows it",
        (unsigned long long)e->next);
    snprintf(f.region, sizeof(f.region), "elsewhere");
    add_finding(e, result, &f);
}

static void put_check(struct fnp_lane_result *result, enum fnp_check_group group,
                      const char *text)
{
    snprintf(result->checks[group], sizeof(result->checks[group]), "%s", text);
    result->report.checks[group] = result->checks[group];
}

/* Is a rule of this group left out by --only or --skip? */
static bool filtered(uint64_t left_out, enum fnp_check_group group)
{
    for (unsigned r = 0; r < FNP_N_RULES; r++) {
        if ((left_out >> r & 1) && fnp_rule_group((enum fnp_rule)r) == group)
            return true;
    }
    return false;
}

/*
 * May this finding of a trace be another sight of that one, which is told?  A warning
 * stands for no error, and a word that is put back is more than the read of it.
 */
static bool covers(const struct fnp_finding *told, const struct fnp_finding *f)
{
    if (told->waived || told->severity > f->severity)
        return false;
    if (told->rule == f->rule)
        return true;
    if (f->rule == FNP_RULE_TORN_WRITE || f->rule == FNP_RULE_REWRITTEN ||
        (f->rule == FNP_RULE_RESTORED_WRITE && told->rule == FNP_RULE_STRAY_READ))
        return false;
    return fnp_rule_group(told->rule) == FNP_CHECK_FOOTPRINT &&
           fnp_rule_group(f->rule) == FNP_CHECK_FOOTPRINT;
}

struct traced {
    struct exploration *e;
    struct fnp_lane_result *result;
};

static void add_traced(void *arg, struct fnp_finding *f)
{
    struct traced *t = arg;

    for (size_t i = 0; i < t->result->n_findings; i++) {
        if (covers(&t->result->findings[i], f))
            return;
    }
    add_finding(t->e, t->result, f);
}

/* A promise under which all reads outside would be allowed. */
static void offer_block(const struct fnp_tracing_report *traced,
                        struct fnp_kernel_report *report)
{
    struct fnp_offer *offer = &report->offers[report->n_offers];

    if (!traced->block || report->n_offers == FNP_OFFERS_MAX)
        return;
    snprintf(offer->promise, sizeof(offer->promise), "reads = aligned:%llu",
             (unsigned long long)traced->block);
    offer->cases = traced->over_reads;
    offer->rule = FNP_RULE_STRAY_READ;
    report->n_offers++;
}

/* A way without a fence that was not taken; nothing of it where one was. */
static void add_walked(struct exploration *e, uint64_t left_out,
                       struct fnp_lane_result *result)
{
    const struct fnp_kernel *k = &e->lane->kernels->list[e->kernel];
    struct fnp_finding f;

    if (!(left_out >> FNP_RULE_FENCE_MISSING & 1) &&
        !already_told(result, FNP_RULE_FENCE_MISSING) &&
        fnp_check_unfenced(k, &e->traced.walk, &f))
        add_finding(e, result, &f);
}

/* What no comparison of memory shows. */
static void trace(struct exploration *e, struct fnp_lane_result *result)
{
    struct traced t = { e, result };
    uint64_t ignore = fnp_lane_left_out(e->lane->options);

    for (size_t i = 0; i < result->n_findings; i++)
        ignore |= 1ull << result->findings[i].rule;
    if (e->lane->tracing && !e->lost) {
        fnp_tracing_kernel(e->lane, e->kernel, ignore, add_traced, &t, &e->traced);
        add_walked(e, fnp_lane_left_out(e->lane->options), result);
    }
    if (already_told(result, FNP_RULE_STRAY_READ))
        offer_block(&e->traced, &result->report);
}

/* What the recorder adds to what guards and redzones show. */
static void put_traced(const struct exploration *e, struct fnp_lane_result *result,
                       const bool bad[FNP_N_CHECK_GROUPS])
{
    char text[sizeof(result->checks[0])];

    if (!bad[FNP_CHECK_FOOTPRINT] && e->traced.cases) {
        snprintf(text, sizeof(text), "ok: %llu cases recorded",
                 (unsigned long long)e->traced.cases);
        put_check(result, FNP_CHECK_FOOTPRINT, text);
    }
    fnp_tracing_order(&e->lane->kernels->list[e->kernel], &e->traced, text,
                      sizeof(text));
    put_check(result, FNP_CHECK_ORDER, bad[FNP_CHECK_ORDER] ? "failed" : text);
}

/* Bytes, footprint and state: what the findings and the options leave to say. */
static void put_checks(const struct exploration *e, struct fnp_lane_result *result)
{
    static const enum fnp_check_group groups[] = { FNP_CHECK_BYTES, FNP_CHECK_FOOTPRINT,
                                                   FNP_CHECK_STATE };
    bool bad[FNP_N_CHECK_GROUPS] = { false };

    for (size_t i = 0; i < result->n_findings; i++) {
        if (!result->findings[i].waived && result->findings[i].severity == FNP_ERROR)
            bad[fnp_rule_group(result->findings[i].rule)] = true;
    }
    for (size_t i = 0; i < FNP_ARRAY_LEN(groups); i++) {
        const char *text =
            groups[i] == FNP_CHECK_FOOTPRINT ? "ok: guards and redzones" : "ok";

        if (filtered(fnp_lane_left_out(e->lane->options), groups[i]))
            text = "partly checked: --only or --skip";
        if (e->cases == 0)
            text = "not checked";
        put_check(result, groups[i], bad[groups[i]] ? "failed" : text);
    }
    put_traced(e, result, bad);
}

__attribute__((format(printf, 2, 3))) static void note(struct fnp_lane_result *result,
                                                       const char *format, ...)
{
    struct fnp_kernel_report *report = &result->report;
    va_list args;

    if (report->n_notes == FNP_NOTES_MAX)
        return;
    va_start(args, format);
    vsnprintf(result->notes[report->n_notes], sizeof(result->notes[0]), format, args);
    va_end(args);
    report->notes[report->n_notes] = result->notes[report->n_notes];
    report->n_notes++;
}

/* Does a finding (NULL: none) meet what a saved case expects? */
static bool is_expected(const struct fnp_saved_case *saved, const struct fnp_finding *f)
{
    return f && f->rule == saved->expect &&
           (!saved->region || !strcmp(saved->region, f->region));
}

static void run_saved(struct exploration *e, const struct fnp_saved_case *saved,
                      struct fnp_lane_result *result)
{
    const struct fnp_contract *contract = &e->lane->kernels->list[e->kernel].contract;
    static struct fnp_outcome outcome;
    struct fnp_err why = { "" };
    struct fnp_finding f;
    bool found = false;

    if (!fnp_case_allowed(contract, &saved->c, &why)) {
        note(result, "warning: %s was left out: %s", saved->path, why.text);
        return;
    }
    found = fnp_confirm_case(e->lane, e->kernel, &saved->c, NULL, &f, &outcome);
    result->report.saved++;
    e->cases++;
    e->n_least = saved->c.n < e->n_least ? saved->c.n : e->n_least;
    e->n_most = saved->c.n > e->n_most ? saved->c.n : e->n_most;
    if (is_expected(saved, found ? &f : NULL)) {
        result->report.expected++;
        return;
    }
    if (found && !(fnp_lane_left_out(e->lane->options) >> f.rule & 1) &&
        !already_told(result, f.rule)) {
        add_finding(e, result, &f);
    }
    if (saved->expect != FNP_N_RULES) {
        note(result, "warning: %s: the %s it expects did not occur", saved->path,
             fnp_rule_info(saved->expect)->slug);
    }
}

/* The saved cases, before anything that is planned. */
static void run_all_saved(struct exploration *e, struct fnp_lane_result *result)
{
    const struct fnp_saved *saved = &e->lane->kernels->list[e->kernel].saved;

    for (size_t i = 0; i < saved->count && !*e->lane->stop; i++)
        run_saved(e, &saved->list[i], result);
}

/* How far the box got, and what an earlier run's work was good for. */
static void put_box(const struct exploration *e, struct fnp_lane_result *result)
{
    const struct fnp_plan *plan = &e->lane->plans[e->kernel];
    uint64_t done = e->next < plan->box_count ? e->next : plan->box_count;
    char earlier[64] = "";

    if (e->lane->options->declared && plan->box_count == 0)
        note(result, "no box is declared: these are the cases of the budget alone");
    if (plan->box_count == 0)
        return;
    result->report.box.tried = done - plan->box_done;
    if (result->anew)
        note(result, "box begun anew: code, contract, box, rules, fencepost or CPU "
                     "are not those of the cursor");
    if (plan->box_done > 0)
        snprintf(earlier, sizeof(earlier), "; %llu of them in earlier runs",
                 (unsigned long long)plan->box_done);
    if (done == plan->box_count)
        note(result, "box complete: all %llu points, those the contract allows%s",
             (unsigned long long)done, earlier);
    else
        note(result, "box incomplete: %llu of %llu points%s", (unsigned long long)done,
             (unsigned long long)plan->box_count, earlier);
}

static void put_notes(const struct exploration *e, struct fnp_lane_result *result)
{
    const struct fnp_contract *contract = &e->lane->kernels->list[e->kernel].contract;
    char unrecorded[FNP_TRACING_NOTES][FNP_TRACING_NOTE];

    put_box(e, result);
    fnp_tracing_notes(&e->lane->kernels->list[e->kernel], &e->traced, unrecorded);
    for (size_t i = 0; i < FNP_TRACING_NOTES; i++) {
        if (unrecorded[i][0])
            note(result, "%s", unrecorded[i]);
    }
    /* After a failure not everything was seen that an `allow` might have been for. */
    for (size_t i = 0; i < contract->n_allows && !e->broken; i++) {
        if (!(result->allows_used >> i & 1))
            note(result, "warning: allow = %s matched nothing",
                 fnp_rule_info(contract->allows[i].rule)->slug);
    }
}

static void conclude(const struct exploration *e, struct fnp_lane_result *result)
{
    struct fnp_kernel_report *report = &result->report;
    const struct fnp_contract *contract = &e->lane->kernels->list[e->kernel].contract;

    report->cases = e->cases;
    report->reason = NULL;
    if (result->n_errors > 0) {
        report->verdict = FNP_VERDICT_FAIL;
        return;
    }
    report->verdict = FNP_VERDICT_PASS;
    if (result->reason[0])
        report->verdict = FNP_VERDICT_INCONCLUSIVE; /* it met what cannot be had here */
    else if (*e->lane->stop && e->next < e->lane->plans[e->kernel].count)
        snprintf(result->reason, sizeof(result->reason), "interrupted");
    else if (e->cases == 0)
        snprintf(result->reason, sizeof(result->reason),
                 "no case could be run: buffers hold at most %u bytes",
                 FNP_LARGE_N_MAX);
    else if (e->broken)
        snprintf(result->reason, sizeof(result->reason),
                 "cases ran past the time limit, but never twice");
    else if (e->lane->options->guess_inconclusive && contract->guess)
        snprintf(result->reason, sizeof(result->reason),
                 "the contract is only guessed");
    else
        return;
    report->verdict = FNP_VERDICT_INCONCLUSIVE;
    report->reason = result->reason;
}

/*
 * Exploration stopped for a hang that nothing could show again: a machine that stood
 * still for a moment.  Forget it and go on, a few times.
 */
static bool only_a_hang(struct exploration *e, const struct fnp_lane_result *result)
{
    if (!e->broken || e->lost || result->n_findings > 0 || e->n_seen == 0)
        return false;
    e->n_seen = 0;
    e->broken = ++e->lone_hangs >= MAX_LONE_HANGS;
    if (!e->broken && e->ignore == fnp_lane_left_out(e->lane->options))
        reach(e);
    return !e->broken;
}

void fnp_lane_kernel(struct fnp_lane *lane, size_t index,
                     struct fnp_lane_result *result)
{
    static struct exploration e;
    const struct fnp_kernel *k = &lane->kernels->list[index];
    struct fnp_finding f;
    double start = fnp_now();

    memset(&e, 0, sizeof(e));
    e.lane = lane;
    e.kernel = index;
    e.next = e.clean = lane->plans[index].box_done;
    e.n_least = UINT64_MAX;
    e.ignore = fnp_lane_left_out(lane->options);
    e.deadline = lane->seconds > 0 ? start + lane->seconds : 0;
    if (!(e.ignore >> FNP_RULE_CPU_UNDECLARED & 1) &&
        fnp_check_cpu(&k->contract, k->scan.needs, &f)) {
        f.text_case[0] = '\0';
        add_finding(&e, result, &f);
    }
    run_all_saved(&e, result);
    do {
        explore(&e, result);
        tell(&e, fnp_lane_left_out(lane->options), result);
    } while (only_a_hang(&e, result));
    if (e.lost && !(fnp_lane_left_out(lane->options) >> FNP_RULE_STRAY_WRITE & 1))
        tell_lost(&e, result);
    trace(&e, result);
    result->report.n_least = e.n_least <= e.n_most ? e.n_least : 0;
    result->report.n_most = e.n_most;
    put_checks(&e, result);
    fnp_coverage_put(&e.traced.cover, &result->report,
                     result->checks[FNP_CHECK_COVERAGE]);
    put_notes(&e, result);
    conclude(&e, result);
    if (result->report.verdict == FNP_VERDICT_FAIL && !*lane->stop)
        fnp_suggest(lane, index, fnp_lane_left_out(lane->options), e.seen, e.n_seen,
                    &result->report);
    result->report.seconds = fnp_now() - start;
}

void fnp_lane_skipped(const struct fnp_lane *lane, size_t index,
                      struct fnp_lane_result *result)
{
    const struct fnp_kernel *k = &lane->kernels->list[index];
    struct fnp_finding found[FNP_CHECK_CODE_MAX];
    size_t n = 0;

    result->report.verdict = FNP_VERDICT_SKIP;
    result->report.reason = k->skip;
    if (k->image.n_segments)
        n = fnp_check_code(k, fnp_lane_left_out(lane->options), found);
    for (size_t i = 0; i < n; i++)
        put_finding(lane, index, result, &found[i]);
}
