/* SPDX-License-Identifier: MIT */
#include "verify/check_trace.h"

#include <inttypes.h>
#include <stdio.h>

#include "run/arguments.h"
#include "verify/check_internal.h"

/* One event being judged. */
struct judging {
    const struct fnp_contract *contract;
    const struct fnp_outcome *outcome;
    const struct fnp_footprint *footprint;
    const struct fnp_event_seen *event;
    struct fnp_traced_finding *out;
    size_t count;
};

struct fnp_footprint_rules fnp_trace_rules(const struct fnp_contract *contract)
{
    struct fnp_footprint_rules rules = {
        .redzone = contract->redzone,
        .reads_aligned = contract->reads_aligned,
        .word = contract->writes == FNP_WRITES_ATOMIC ? contract->writes_atomic : 0,
    };
    struct fnp_arguments arguments;

    fnp_arguments_place(contract, &arguments);
    rules.frame_args = fnp_arguments_callee_bytes(contract, &arguments);
    for (size_t i = 0; i < contract->n_bufs; i++) {
        const struct fnp_buf *buf = &contract->bufs[i];

        rules.is_input[buf->role] = buf->reads;
        rules.is_output[buf->role] = buf->writes;
    }
    return rules;
}

static struct fnp_finding *add(struct judging *j, enum fnp_rule rule,
                               enum fnp_severity severity, const char *region)
{
    struct fnp_traced_finding *f = &j->out[j->count++];

    *f =
        (struct fnp_traced_finding){ .insn = j->event->insn, .round = j->event->round };
    f->finding.rule = rule;
    f->finding.severity = severity;
    f->finding.has_first = true;
    f->finding.first = j->event->first;
    f->finding.count = j->event->count;
    snprintf(f->finding.region, sizeof(f->finding.region), "%s", region);
    return &f->finding;
}

/* "64 bytes", and a place when the words for it are known. */
static struct fnp_str begin(struct judging *j, struct fnp_finding *f)
{
    struct fnp_str text = fnp_finding_text(f);

    fnp_add_bytes(&text, j->event->count);
    return text;
}

static void end_with_place(struct judging *j, struct fnp_str *text)
{
    fnp_str_add(text, ", first at ");
    fnp_add_place(text, j->contract, j->event->role, j->event->first);
}

static const char *label(const struct judging *j)
{
    return fnp_buf_label(j->contract, j->event->role);
}

static void add_beside(struct judging *j, enum fnp_rule rule, const char *what)
{
    const struct fnp_placed *p = &j->outcome->buf[j->event->role];
    char region[24];
    struct fnp_finding *f;
    struct fnp_str text;

    fnp_region_beside(region, j->event->role, j->event->first, p->len);
    f = add(j, rule, fnp_rule_info(rule)->severity, region);
    text = begin(j, f);
    fnp_str_add(&text,
                j->event->first < 0 ? " before the start of %s %s"
                                    : " past the end of %s %s",
                label(j), what);
    end_with_place(j, &text);
}

static void judge_read(struct judging *j)
{
    add_beside(j, FNP_RULE_STRAY_READ, "read");
}

/* Nothing there is changed at the end: it was put back, or written with its own value. */
static bool put_back(const struct judging *j)
{
    const struct fnp_outcome *o = j->outcome;
    unsigned role = j->event->role;

    return o->end == FNP_END_RETURNED && o->head[role].count == 0 &&
           o->tail[role].count == 0 && o->far_off[role].count == 0;
}

static void judge_write(struct judging *j)
{
    if (put_back(j))
        add_beside(j, FNP_RULE_RESTORED_WRITE, "written and left as they were");
    else
        add_beside(j, FNP_RULE_STRAY_WRITE, "written");
}

static void judge_source(struct judging *j)
{
    bool same = j->outcome->end == FNP_END_RETURNED &&
                j->outcome->body[j->event->role].count == 0;
    enum fnp_rule rule = same ? FNP_RULE_RESTORED_WRITE : FNP_RULE_SOURCE_CHANGED;
    char region[24];
    struct fnp_finding *f;
    struct fnp_str text;

    snprintf(region, sizeof(region), "%s-body", fnp_role_label(j->event->role));
    f = add(j, rule, FNP_ERROR, region);
    text = begin(j, f);
    fnp_str_add(&text, " of %s, which is only read, were written%s", label(j),
                same ? " and left as they were" : "");
    end_with_place(j, &text);
}

static void add_inside(struct judging *j, enum fnp_rule rule,
                       enum fnp_severity severity, const char *what)
{
    char region[24];
    struct fnp_finding *f;
    struct fnp_str text;

    snprintf(region, sizeof(region), "%s-body", fnp_role_label(j->event->role));
    f = add(j, rule, severity, region);
    text = begin(j, f);
    fnp_str_add(&text, " of %s %s", label(j), what);
    end_with_place(j, &text);
}

static void judge_early(struct judging *j)
{
    add_inside(j, FNP_RULE_STRAY_READ, FNP_WARNING,
               "read before it is written, and the contract has it as an output");
}

/* A move onto itself may do nothing; what a reference leaves alone is its business. */
static void judge_not_written(struct judging *j)
{
    const struct fnp_placed *dst = &j->outcome->buf[FNP_DST];
    const struct fnp_placed *src = &j->outcome->buf[FNP_SRC];

    if (j->contract->op == FNP_OP_REF || (src->present && src->addr == dst->addr))
        return;
    add_inside(j, FNP_RULE_WRONG_BYTES, FNP_ERROR, "never written");
}

static void judge_rewritten(struct judging *j)
{
    if (j->contract->writes == FNP_WRITES_ONCE)
        add_inside(j, FNP_RULE_REWRITTEN, FNP_ERROR, "written more than once");
}

static void judge_torn(struct judging *j)
{
    struct fnp_finding *f = add(j, FNP_RULE_TORN_WRITE, FNP_ERROR, "dst-body");
    struct fnp_str text = fnp_finding_text(f);

    snprintf(f->region, sizeof(f->region), "%s-body", fnp_role_label(j->event->role));
    fnp_str_add(&text, "aligned words of %" PRIu64 " bytes of %s stored in parts",
                j->contract->writes_atomic, label(j));
    end_with_place(j, &text);
}

static void judge_below(struct judging *j)
{
    struct fnp_finding *f = add(j, FNP_RULE_BELOW_STACK, FNP_ERROR, "stack");
    struct fnp_str text = fnp_finding_text(f);
    const char *rsp = fnp_gpr_name(FNP_RSP, j->contract->is32);

    fnp_str_add(&text, "memory below the stack %s at %s%+" PRId64,
                j->event->is_write ? "is used" : "is read", rsp, j->event->first);
    if (j->contract->redzone)
        fnp_str_add(&text, ", beyond the red zone of %" PRIu64 " bytes",
                    j->contract->redzone);
}

static void judge_above(struct judging *j)
{
    struct fnp_finding *f = add(j, FNP_RULE_STACK_SMASHED, FNP_ERROR, "stack");
    struct fnp_str text = fnp_finding_text(f);

    fnp_str_add(&text, "the caller's frame is written, at %s%+" PRId64 " of the entry",
                fnp_gpr_name(FNP_RSP, j->contract->is32), j->event->first);
}

static void judge_pending(struct judging *j)
{
    if (j->contract->order != FNP_ORDER_WEAK)
        add_inside(j, FNP_RULE_FENCE_MISSING, FNP_ERROR,
                   "stored weakly and not fenced before the return");
}

static void judge_pending_else(struct judging *j)
{
    struct fnp_finding *f;
    struct fnp_str text;

    if (j->contract->order == FNP_ORDER_WEAK)
        return;
    f = add(j, FNP_RULE_FENCE_MISSING, FNP_WARNING, "elsewhere");
    text = fnp_finding_text(f);
    fnp_str_add(&text, "weak stores that are not fenced, but overwritten or outside of "
                       "every output");
}

static void (*const judges[FNP_N_EVENTS])(struct judging *) = {
    [FNP_EVENT_READ_OUTSIDE] = judge_read,
    [FNP_EVENT_WRITE_OUTSIDE] = judge_write,
    [FNP_EVENT_SOURCE_WRITE] = judge_source,
    [FNP_EVENT_READ_EARLY] = judge_early,
    [FNP_EVENT_NOT_WRITTEN] = judge_not_written,
    [FNP_EVENT_REWRITTEN] = judge_rewritten,
    [FNP_EVENT_TORN] = judge_torn,
    [FNP_EVENT_BELOW_STACK] = judge_below,
    [FNP_EVENT_ABOVE_STACK] = judge_above,
    [FNP_EVENT_PENDING] = judge_pending,
    [FNP_EVENT_PENDING_ELSE] = judge_pending_else,
};

_Static_assert((int)FNP_N_EVENTS <= (int)FNP_CHECK_MAX,
               "each event is one finding at most");

size_t fnp_check_footprint(const struct fnp_contract *contract,
                           const struct fnp_outcome *outcome,
                           const struct fnp_footprint *footprint,
                           struct fnp_traced_finding out[FNP_CHECK_MAX])
{
    struct judging j = {
        .contract = contract, .outcome = outcome, .footprint = footprint, .out = out
    };

    for (unsigned i = 0; i < FNP_N_EVENTS; i++) {
        j.event = &footprint->events[i];
        if (j.event->count)
            judges[i](&j);
    }
    return j.count;
}
