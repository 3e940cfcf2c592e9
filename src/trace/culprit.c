/* SPDX-License-Identifier: MIT */
#include "trace/culprit.h"

struct search {
    struct fnp_culprit_wanted wanted;
    uint64_t insn;
    size_t step; /* of the last hit; valid with insn */
    uint32_t round;
};

static void hit(struct search *s, const struct fnp_step *step)
{
    s->insn = step->addr;
    s->step = step->index;
}

static void on_step(void *arg, const struct fnp_step *step)
{
    struct search *s = arg;

    if (step->effect->regs_written & s->wanted.regs)
        hit(s, step);
}

static void on_access(void *arg, const struct fnp_step *step,
                      const struct fnp_traced_access *a)
{
    struct search *s = arg;

    if (a->write && s->wanted.byte && s->wanted.byte - a->addr < a->len)
        hit(s, step);
}

/* How often the instruction had run by then. */
static void count_round(void *arg, const struct fnp_step *step)
{
    struct search *s = arg;

    s->round += step->addr == s->insn && step->index <= s->step;
}

bool fnp_culprit_find(struct fnp_insns *insns, const struct fnp_log *log,
                      const struct fnp_culprit_wanted *wanted, struct fnp_culprit *out)
{
    struct search s = { .wanted = *wanted };
    const struct fnp_steps find = { on_step, on_access, &s };
    const struct fnp_steps count = { count_round, NULL, &s };

    *out = (struct fnp_culprit){ 0 };
    if (!fnp_trace_walk(insns, log, &find) ||
        (s.insn && !fnp_trace_walk(insns, log, &count)))
        return false;
    *out = (struct fnp_culprit){ .insn = s.insn, .round = s.round };
    return true;
}
