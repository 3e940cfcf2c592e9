/* SPDX-License-Identifier: MIT */
#include "verify/tracing.h"

#include <stdio.h>
#include <string.h>

#include "trace/cover.h"
#include "trace/culprit.h"
#include "trace/footprint.h"
#include "verify/check_internal.h"
#include "verify/check_trace.h"
#include "verify/selection.h"
#include "verify/shrink.h"
#include "verify/where.h"

enum {
    MAX_UNFINISHED = 96, /* cases that cannot be recorded, before that is given up */
    MAX_HANGS = 3,       /* the same for cases in which kernel or reference hung */
    MAX_TRIES = 400,     /* of the shrinker */
};

struct fnp_tracing {
    struct fnp_recorder *recorder;
    struct fnp_footprints *shadow;
    struct fnp_arena scratch; /* instructions of the kernel at hand */
    struct fnp_insns insns;
    struct fnp_cover *cover; /* of what fnp_tracing_kernel recorded */
    size_t kernel;
    bool is_aimed;
};

/* A search for the smallest case that shows one rule. */
struct search {
    struct fnp_lane *lane;
    size_t kernel;
    enum fnp_rule rule;
    enum fnp_severity severity;
};

enum fnp_status fnp_tracing_open(struct fnp_arena *arena,
                                 struct fnp_pool_config *config,
                                 struct fnp_tracing **out, struct fnp_err *err)
{
    struct fnp_tracing *t = fnp_arena_alloc(arena, sizeof(*t));
    enum fnp_status status = fnp_recorder_open(arena, &t->recorder, err);

    if (status)
        return status;
    t->shadow = fnp_footprints_make(arena);
    fnp_recorder_join(t->recorder, config);
    *out = t;
    return FNP_OK;
}

void fnp_tracing_close(struct fnp_tracing *t)
{
    if (t) {
        fnp_recorder_close(t->recorder);
        fnp_arena_release(&t->scratch);
    }
}

static void aim(struct fnp_lane *lane, size_t kernel)
{
    struct fnp_tracing *t = lane->tracing;
    const struct fnp_kernel *k = &lane->kernels->list[kernel];

    if (t->is_aimed && t->kernel == kernel)
        return;
    fnp_arena_release(&t->scratch);
    t->scratch = (struct fnp_arena){ 0 };
    t->insns = (struct fnp_insns){ .arena = &t->scratch, .image = &k->image };
    t->cover = fnp_cover_make(&t->scratch, &t->insns);
    t->kernel = kernel;
    t->is_aimed = true;
    fnp_recorder_aim(t->recorder, k, kernel, FNP_TRANSLATE_FULL);
}

/* Record one case and look at it; false: it has no footprint. */
static bool footprint_of(struct fnp_lane *lane, size_t kernel, const struct fnp_case *c,
                         struct fnp_outcome *outcome, struct fnp_footprint *out,
                         struct fnp_log *log)
{
    struct fnp_tracing *t = lane->tracing;
    const struct fnp_footprint_rules rules =
        fnp_trace_rules(&lane->kernels->list[kernel].contract);

    aim(lane, kernel);
    return fnp_recorder_run(t->recorder, lane->pool, c, 0, outcome, log) &&
           fnp_footprint_of(t->shadow, &t->insns, log, outcome, &rules, out);
}

/* Rules that are not to be told: at all, or again as a warning. */
struct ignored {
    uint64_t rules, warnings;
};

static bool is_ignored(struct ignored ignored, const struct fnp_finding *f)
{
    uint64_t rules = ignored.rules | (f->severity > FNP_ERROR ? ignored.warnings : 0);

    return rules >> f->rule & 1;
}

/* The first of the worst severity that is not to be ignored; NULL: none. */
static const struct fnp_traced_finding *worst(const struct fnp_traced_finding *found,
                                              size_t count, struct ignored ignored)
{
    const struct fnp_traced_finding *best = NULL;

    for (size_t i = 0; i < count; i++) {
        if (!is_ignored(ignored, &found[i].finding) &&
            (!best || found[i].finding.severity < best->finding.severity))
            best = &found[i];
    }
    return best;
}

static void put_place(const struct fnp_kernel *k, uint64_t insn, uint32_t round,
                      struct fnp_finding *f)
{
    if (!insn)
        return;
    fnp_where_at(k, insn, &f->where);
    /* "iteration 1" says nothing. */
    f->where.iteration = round > 1 ? round : 0;
}

/* Case, instruction, round and source line of a finding. */
static void complete(const struct fnp_kernel *k, const struct fnp_case *c,
                     const struct fnp_traced_finding *from, struct fnp_finding *out)
{
    *out = from->finding;
    fnp_lane_case_text(k, c, out);
    put_place(k, from->insn, from->round, out);
}

bool fnp_tracing_case(struct fnp_lane *lane, size_t kernel, const struct fnp_case *c,
                      uint64_t ignore, struct fnp_finding *out)
{
    static struct fnp_outcome outcome;
    struct fnp_traced_finding found[FNP_CHECK_MAX];
    const struct fnp_kernel *k = &lane->kernels->list[kernel];
    const struct fnp_traced_finding *f;
    struct fnp_footprint footprint;
    struct fnp_log log;

    if (!lane->tracing || c->huge || c->repeat ||
        !footprint_of(lane, kernel, c, &outcome, &footprint, &log))
        return false;
    f = worst(found, fnp_check_footprint(&k->contract, &outcome, &footprint, found),
              (struct ignored){ .rules = ignore });
    if (f)
        complete(k, c, f, out);
    return f != NULL;
}

/* The event that a finding of memory around a buffer is about. */
static enum fnp_event event_of(enum fnp_rule rule)
{
    switch (rule) {
    case FNP_RULE_STRAY_WRITE:
        return FNP_EVENT_WRITE_OUTSIDE;
    case FNP_RULE_STRAY_READ:
        return FNP_EVENT_READ_OUTSIDE;
    case FNP_RULE_SOURCE_CHANGED:
        return FNP_EVENT_SOURCE_WRITE;
    case FNP_RULE_STACK_SMASHED:
        return FNP_EVENT_ABOVE_STACK;
    case FNP_RULE_BELOW_STACK:
        return FNP_EVENT_BELOW_STACK;
    default:
        return FNP_N_EVENTS;
    }
}

/* The wrong byte or the lost register of a finding. */
static struct fnp_culprit_wanted wanted_of(const struct fnp_kernel *k,
                                           const struct fnp_outcome *outcome,
                                           const struct fnp_finding *f)
{
    struct fnp_culprit_wanted wanted = { 0 };

    for (unsigned role = 0; role < FNP_MAX_BUFS; role++) {
        const char *label = fnp_role_label(role);

        if (f->has_first && outcome->buf[role].present &&
            !strncmp(f->region, label, strlen(label)))
            wanted.byte = outcome->buf[role].addr + (uint64_t)f->first;
    }
    for (unsigned i = 0; f->rule == FNP_RULE_REGISTER_LOST && i < FNP_N_GPRS; i++) {
        if (!strcmp(f->reg, fnp_gpr_name(i, k->image.is32)))
            wanted.regs = (uint16_t)(1u << i);
        if (k->image.is32 && i == FNP_N_GPRS_32 - 1)
            break;
    }
    return wanted;
}

void fnp_tracing_place(struct fnp_lane *lane, size_t kernel, const struct fnp_case *c,
                       struct fnp_finding *f)
{
    static struct fnp_outcome outcome;
    const struct fnp_kernel *k = &lane->kernels->list[kernel];
    enum fnp_event event = event_of(f->rule);
    struct fnp_culprit_wanted wanted;
    struct fnp_culprit culprit;
    struct fnp_footprint footprint;
    struct fnp_log log;

    if (!lane->tracing || f->where.known || c->huge || c->repeat ||
        !footprint_of(lane, kernel, c, &outcome, &footprint, &log))
        return;
    if (event != FNP_N_EVENTS) {
        put_place(k, footprint.events[event].insn, footprint.events[event].round, f);
        return;
    }
    wanted = wanted_of(k, &outcome, f);
    if ((wanted.byte || wanted.regs) &&
        fnp_culprit_find(&lane->tracing->insns, &log, &wanted, &culprit))
        put_place(k, culprit.insn, culprit.round, f);
}

static size_t attempt(void *arg, const struct fnp_case *cases, size_t count)
{
    const struct search *s = arg;
    struct fnp_finding f;

    for (size_t i = 0; i < count && !*s->lane->stop; i++) {
        if (fnp_tracing_case(s->lane, s->kernel, &cases[i], ~(1ull << s->rule), &f) &&
            f.severity <= s->severity)
            return i;
    }
    return count;
}

static void tell(struct fnp_lane *lane, size_t kernel, const struct fnp_case *seen,
                 const struct fnp_finding *as, struct fnp_finding *out)
{
    struct search s = { lane, kernel, as->rule, as->severity };
    struct fnp_case c = *seen;

    fnp_shrink(&lane->kernels->list[kernel].contract, &c, MAX_TRIES, attempt, &s);
    if (!fnp_tracing_case(lane, kernel, &c, ~(1ull << as->rule), out))
        *out = *as;
}

/* What is looked at, and where it is told. */
struct look {
    struct fnp_lane *lane;
    size_t kernel;
    void (*add)(void *arg, struct fnp_finding *f);
    void *arg;
    struct fnp_tracing_report *report;
};

/* Is there a promise that would allow what was read? */
static void note_reads(const struct fnp_footprint *f, struct fnp_tracing_report *report)
{
    if (f->events[FNP_EVENT_READ_OUTSIDE].count == 0)
        return;
    if (report->over_reads++ == 0 || (report->block && f->block > report->block) ||
        !f->block)
        report->block = f->block;
}

/* What one recorded case shows that was not told yet. */
static void look_at(const struct look *look, const struct fnp_case *c,
                    const struct fnp_outcome *outcome,
                    const struct fnp_footprint *footprint, struct ignored *ignored)
{
    const struct fnp_kernel *k = &look->lane->kernels->list[look->kernel];
    struct fnp_traced_finding found[FNP_CHECK_MAX];
    const struct fnp_traced_finding *f;
    struct fnp_finding told;

    look->report->cases++;
    note_reads(footprint, look->report);
    if (look->report->left_out == 0)
        look->report->left_out = footprint->stand_in;
    look->report->weak |= footprint->weak_insn != 0;
    look->report->fenced |= footprint->fence_insn != 0;
    while (
        (f = worst(found, fnp_check_footprint(&k->contract, outcome, footprint, found),
                   *ignored))) {
        bool is_error = f->finding.severity == FNP_ERROR;

        complete(k, c, f, &told);
        tell(look->lane, look->kernel, c, &told, &told);
        is_error |= told.severity == FNP_ERROR;
        *(is_error ? &ignored->rules : &ignored->warnings) |= 1ull << told.rule;
        look->add(look->arg, &told);
    }
}

/* It has no footprint: why?  Of a buffer that is too long the code that ran counts. */
static void look_past(const struct fnp_log *log, const struct fnp_outcome *outcome,
                      struct fnp_tracing_report *report)
{
    if (log->ended == FNP_RECORDED_ALL || outcome->end == FNP_END_SKIPPED)
        return;
    if (report->unfinished++ == 0) {
        report->why = log->why;
        report->why_at = log->at;
    }
}

static bool hung(const struct fnp_outcome *outcome)
{
    return outcome->end == FNP_END_HANG || outcome->ref_end == FNP_END_HANG;
}

static void record_cases(struct fnp_lane *lane, size_t kernel, uint64_t ignore,
                         void (*add)(void *arg, struct fnp_finding *f), void *arg,
                         struct fnp_tracing_report *report)
{
    static struct fnp_outcome outcome;
    const struct look look = { lane, kernel, add, arg, report };
    struct ignored ignored = { .rules = ignore };
    struct fnp_selection selection = { .plan = &lane->plans[kernel] };
    struct fnp_case c;
    unsigned hangs = 0;

    while (!*lane->stop && report->unfinished <= MAX_UNFINISHED && hangs < MAX_HANGS &&
           fnp_selection_next(&selection, fnp_cover_missing(lane->tracing->cover) > 0,
                              &c)) {
        struct fnp_footprint footprint;
        struct fnp_log log;
        bool looked_at = footprint_of(lane, kernel, &c, &outcome, &footprint, &log);

        hangs += hung(&outcome);
        fnp_cover_add(lane->tracing->cover, &log);
        if (log.ended == FNP_RECORDED_ALL)
            fnp_selection_took(&selection, log.count);
        if (looked_at)
            look_at(&look, &c, &outcome, &footprint, &ignored);
        else
            look_past(&log, &outcome, report);
    }
    if (report->cases)
        report->cover = fnp_cover_counts(lane->tracing->cover);
}

const struct fnp_cover *fnp_tracing_cover(const struct fnp_tracing *t)
{
    return t->cover;
}

void fnp_tracing_kernel(struct fnp_lane *lane, size_t kernel, uint64_t ignore,
                        void (*add)(void *arg, struct fnp_finding *f), void *arg,
                        struct fnp_tracing_report *report)
{
    *report = (struct fnp_tracing_report){ 0 };
    aim(lane, kernel);
    record_cases(lane, kernel, ignore, add, arg, report);
    fnp_code_walk(&lane->tracing->insns, &report->walk);
}

static void not_checked(const struct fnp_tracing_report *report, char *text, size_t cap)
{
    if (report->why)
        snprintf(text, cap, "not checked: %s", report->why);
    else
        snprintf(text, cap, "not checked");
}

void fnp_tracing_order(const struct fnp_kernel *k,
                       const struct fnp_tracing_report *report, char *text, size_t cap)
{
    const struct fnp_unfenced *u = &report->walk.unfenced;
    const bool walked = report->walk.done && u->n_dirty == 0;
    const unsigned unknown = report->walk.n_unknown;

    if ((!k->scan.nontemporal && !k->scan.indirect) ||
        (walked && u->n_sites == 0 && unknown == 0))
        snprintf(text, cap, "ok: no weak stores");
    else if (walked && unknown == 0)
        snprintf(text, cap, "ok: fenced on every path");
    else if (report->cases && walked)
        snprintf(text, cap, "ok: %s, %u indirect branch%s as recorded",
                 u->n_sites ? "fenced" : "no weak stores", unknown,
                 unknown == 1 ? "" : "es");
    else if (report->cases)
        snprintf(text, cap, "ok: %s in %llu cases",
                 report->weak ? "fenced" : "no weak store",
                 (unsigned long long)report->cases);
    else
        not_checked(report, text, cap);
}

/* " at SYMBOL+0x12", where that is known. */
static void add_place(const struct fnp_kernel *k, uint64_t insn, struct fnp_str *out)
{
    struct fnp_where where = { .known = false };

    if (insn)
        fnp_where_at(k, insn, &where);
    if (where.known)
        fnp_str_add(out, " at %s+0x%llx", where.symbol,
                    (unsigned long long)where.offset);
}

void fnp_tracing_notes(const struct fnp_kernel *k,
                       const struct fnp_tracing_report *report,
                       char out[FNP_TRACING_NOTES][FNP_TRACING_NOTE])
{
    struct fnp_str why = fnp_str_over(out[0], FNP_TRACING_NOTE);
    struct fnp_str left_out = fnp_str_over(out[1], FNP_TRACING_NOTE);
    struct fnp_where where;

    if (report->why && report->cases)
        fnp_str_add(&why, "%llu of %llu cases ", (unsigned long long)report->unfinished,
                    (unsigned long long)(report->unfinished + report->cases));
    if (report->why) {
        fnp_str_add(&why, "not recorded: %s", report->why);
        add_place(k, report->why_at, &why);
    }
    if (report->left_out) {
        fnp_where_at(k, report->left_out, &where);
        fnp_str_add(&left_out, "passed over when recorded: %s", where.insn);
        add_place(k, report->left_out, &left_out);
    }
}
