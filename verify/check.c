/* SPDX-License-Identifier: MIT */
/*
 * check.c - the table of checks, and what one outcome alone says
 *
 * Judges what was observed; never runs a kernel, never looks anywhere else.
 */
#include "verify/check.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "verify/check_internal.h"

/*
 * The rows are in the order of reporting: the first finding of a case stands for it,
 * the others become its `also`, so a cause must come before its consequences.
 *
 * - What ended the run comes first; after it there is little else to see.
 * - A wrong rsp explains anything.
 * - Memory of others before memory of its own: a loop that runs on writes too much and
 *   may well write wrong bytes too, while a kernel that only stores wrong bytes never
 *   strays.  The return value follows from both.
 * - Registers and flags have no effect within one call.
 * - A warning is last.
 *
 * `carried` rows move to the front when the case calls the kernel several times: the
 * state one call leaves behind (DF, live MMX registers, a control word) is then what
 * the next one starts with, and wrong bytes are its consequence.
 */
static const struct {
    fnp_check_fn *judge;
    bool carried;
} checks[] = {
    { fnp_judge_end,       false }, /* crash hang system-call ..., see check_end.c */
    { fnp_judge_rsp,       false }, /* stack-moved */
    { fnp_judge_stray,     false }, /* stray-write: around the buffers */
    { fnp_judge_frame,     false }, /* stack-smashed */
    { fnp_judge_tool,      false }, /* stray-write: fencepost's own memory */
    { fnp_judge_source,    false }, /* source-changed */
    { fnp_judge_bytes,     false }, /* wrong-bytes */
    { fnp_judge_return,    false }, /* bad-return */
    { fnp_judge_registers, false }, /* register-lost */
    { fnp_judge_segments,  false }, /* register-lost: fs gs ds es */
    { fnp_judge_df,        true  }, /* df-set */
    { fnp_judge_flags,     true  }, /* flags-changed */
    { fnp_judge_mmx,       true  }, /* mmx-dirty */
    { fnp_judge_x87,       true  }, /* x87-changed */
    { fnp_judge_mxcsr,     true  }, /* mxcsr-changed */
    { fnp_judge_vectors,   false }, /* vector-changed */
    { fnp_judge_upper,     false }, /* upper-dirty */
};

struct fnp_finding *fnp_judging_add(struct fnp_judging *j, enum fnp_rule rule,
                                    const char *region)
{
    bool keep = j->out && j->count < FNP_CHECK_MAX;
    struct fnp_finding *f = keep ? &j->out[j->count] : &j->scratch;

    j->count += j->count < FNP_CHECK_MAX;
    *f = (struct fnp_finding){ .rule = rule };
    /* No C object is longer than PTRDIFF_MAX, so such a call is never a legal one. */
    f->severity = j->o->c.n > INT64_MAX ? FNP_WARNING : fnp_rule_info(rule)->severity;
    snprintf(f->region, sizeof(f->region), "%s", region);
    return f;
}

struct fnp_str fnp_finding_text(struct fnp_finding *f)
{
    return fnp_str_over(f->message, sizeof(f->message));
}

void fnp_finding_register(struct fnp_finding *f, const char *reg, uint64_t want,
                          uint64_t got, unsigned width)
{
    int digits = (int)(2 * width);

    snprintf(f->reg, sizeof(f->reg), "%s", reg);
    snprintf(f->want, sizeof(f->want), "%0*" PRIx64, digits, want);
    snprintf(f->got, sizeof(f->got), "%0*" PRIx64, digits, got);
}

void fnp_add_bytes(struct fnp_str *text, uint64_t count)
{
    fnp_str_add(text, "%" PRIu64 " byte%s", count, count == 1 ? "" : "s");
}

static const struct fnp_buf *find_buf(const struct fnp_contract *contract,
                                      unsigned role)
{
    for (size_t i = 0; i < contract->n_bufs; i++) {
        if (contract->bufs[i].role == role) {
            return &contract->bufs[i];
        }
    }
    return NULL;
}

const char *fnp_buf_label(const struct fnp_contract *contract, unsigned role)
{
    const struct fnp_buf *buf = find_buf(contract, role);

    return buf && buf->name[0] ? buf->name : fnp_role_label(role);
}

bool fnp_role_written(const struct fnp_contract *contract, unsigned role)
{
    const struct fnp_buf *buf = find_buf(contract, role);

    return buf && buf->writes;
}

void fnp_add_place(struct fnp_str *text, const struct fnp_contract *contract,
                   unsigned role, int64_t offset)
{
    fnp_str_add(text, "%s%+" PRId64, fnp_buf_label(contract, role), offset);
}

void fnp_region_beside(char region[24], unsigned role, int64_t offset, uint64_t len)
{
    const char *part = offset < 0 ? "head" : (uint64_t)offset >= len ? "tail" : "body";

    snprintf(region, 24, "%s-%s", fnp_role_label(role), part);
}

/*
 * No C object is longer than PTRDIFF_MAX.  A kernel may end such a call in any way
 * (guards against it are common); only claiming to have done it is worth a word.
 */
static bool beyond_objects(const struct fnp_outcome *o)
{
    return o->huge && o->c.n > INT64_MAX && o->end != FNP_END_RETURNED;
}

static void judge(struct fnp_judging *j)
{
    bool repeated = j->o->c.repeat > 0;

    if (j->o->end == FNP_END_SKIPPED || beyond_objects(j->o)) {
        return;
    }
    for (size_t i = 0; repeated && i < FNP_ARRAY_LEN(checks); i++) {
        if (checks[i].carried) {
            checks[i].judge(j);
        }
    }
    for (size_t i = 0; i < FNP_ARRAY_LEN(checks); i++) {
        if (!repeated || !checks[i].carried) {
            checks[i].judge(j);
        }
    }
}

size_t fnp_check_outcome(const struct fnp_contract *contract,
                         const struct fnp_outcome *outcome,
                         struct fnp_finding out[FNP_CHECK_MAX])
{
    struct fnp_judging j;

    /* Not an initialiser: it would clear `scratch` as well, for every clean case. */
    j.contract = contract;
    j.o = outcome;
    j.out = out;
    j.count = 0;
    fnp_judge_reference(&j);
    /* Compared with a reference that is worth nothing, anything would be wrong. */
    if (j.count == 0)
        judge(&j);
    return j.count;
}

bool fnp_finding_same(const struct fnp_finding *a, const struct fnp_finding *b)
{
    return a->rule == b->rule && strcmp(a->region, b->region) == 0 &&
           strcmp(a->reg, b->reg) == 0;
}

bool fnp_finding_waived(const struct fnp_contract *contract,
                        const struct fnp_finding *finding, const char **reason,
                        size_t *index)
{
    for (size_t i = 0; i < contract->n_allows; i++) {
        const struct fnp_allow *allow = &contract->allows[i];

        if (allow->rule != finding->rule) {
            continue;
        }
        if (allow->symbol && (!finding->where.known ||
                              strcmp(allow->symbol, finding->where.symbol) != 0)) {
            continue;
        }
        if (allow->has_offset &&
            (!finding->where.known || allow->offset != finding->where.offset)) {
            continue;
        }
        if (reason) {
            *reason = allow->reason;
        }
        if (index) {
            *index = i;
        }
        return true;
    }
    return false;
}
