/* SPDX-License-Identifier: MIT */
/*
 * check_memory.c - judge memory after the call: the outputs, the inputs, what lies
 * around them, the caller's stack frame, and the return value that points into them
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "verify/check_internal.h"

/* Bytes shown in a message; want and got of the finding hold up to 16. */
enum {
    SHOWN_BYTES = 8
};

/* How many of want and got belong to one run of wrong bytes from `first` on. */
static size_t shown(const struct fnp_diff *d, size_t limit)
{
    uint64_t span = (uint64_t)(d->last - d->first) + 1;
    size_t n = d->n_bytes < sizeof(d->want) ? d->n_bytes : sizeof(d->want);

    if (n > limit) {
        n = limit;
    }
    return span < n ? (size_t)span : n;
}

static void set_hex(char *out, size_t cap, const uint8_t *bytes, size_t len)
{
    struct fnp_str text = fnp_str_over(out, cap);

    fnp_str_add_hex(&text, bytes, len);
}

/* first, count, want and got of a finding from a difference. */
static void set_diff(struct fnp_finding *f, const struct fnp_diff *d)
{
    size_t n = shown(d, sizeof(d->want));

    f->has_first = true;
    f->first = d->first;
    f->count = d->count;
    set_hex(f->want, sizeof(f->want), d->want, n);
    set_hex(f->got, sizeof(f->got), d->got, n);
}

/* ": want 0a0b got 0000" */
static void add_values(struct fnp_str *text, const struct fnp_diff *d)
{
    size_t n = shown(d, SHOWN_BYTES);

    if (n == 0) {
        return;
    }
    fnp_str_add(text, ": want ");
    fnp_str_add_hex(text, d->want, n);
    fnp_str_add(text, " got ");
    fnp_str_add_hex(text, d->got, n);
}

static void stray(struct fnp_judging *j, unsigned role, const struct fnp_diff *d)
{
    const char *name = fnp_buf_label(j->contract, role);
    char region[24];
    struct fnp_finding *f;
    struct fnp_str text;

    if (d->count == 0) {
        return;
    }
    fnp_region_beside(region, role, d->first, j->o->buf[role].len);
    f = fnp_judging_add(j, FNP_RULE_STRAY_WRITE, region);
    text = fnp_finding_text(f);
    fnp_add_bytes(&text, d->count);
    fnp_str_add(&text, d->first < 0 ? " before the start of %s" : " past the end of %s",
                name);
    fnp_str_add(&text, ", first at ");
    fnp_add_place(&text, j->contract, role, d->first);
    set_diff(f, d);
}

void fnp_judge_stray(struct fnp_judging *j)
{
    for (unsigned role = 0; role < FNP_MAX_BUFS; role++) {
        stray(j, role, &j->o->head[role]);
        stray(j, role, &j->o->tail[role]);
    }
    for (unsigned role = 0; role < FNP_MAX_BUFS; role++) {
        stray(j, role, &j->o->far_off[role]);
    }
}

void fnp_judge_frame(struct fnp_judging *j)
{
    const struct fnp_diff *d = &j->o->frame;
    struct fnp_finding *f;
    struct fnp_str text;

    if (d->count == 0) {
        return;
    }
    if (d->first < 0) {
        f = fnp_judging_add(j, FNP_RULE_BELOW_STACK, "stack");
        text = fnp_finding_text(f);
        fnp_add_bytes(&text, d->count);
        fnp_str_add(&text, " below the stack changed, first at %s%+" PRId64,
                    fnp_gpr_name(FNP_RSP, j->contract->is32),
                    d->first + fnp_word_len(j->contract->is32));
        set_diff(f, d);
        return;
    }
    f = fnp_judging_add(j, FNP_RULE_STACK_SMASHED, "stack");
    text = fnp_finding_text(f);
    fnp_add_bytes(&text, d->count);
    fnp_str_add(&text,
                " of the caller's frame changed, first at stack argument%+" PRId64,
                d->first);
    set_diff(f, d);
}

void fnp_judge_tool(struct fnp_judging *j)
{
    struct fnp_finding *f;
    struct fnp_str text;

    if (j->o->tool.count == 0) {
        return;
    }
    f = fnp_judging_add(j, FNP_RULE_STRAY_WRITE, "tool");
    text = fnp_finding_text(f);
    fnp_str_add(&text, "wrote fencepost's own memory");
}

void fnp_judge_source(struct fnp_judging *j)
{
    for (unsigned role = 0; role < FNP_MAX_BUFS; role++) {
        const struct fnp_diff *d = &j->o->body[role];
        char region[24];
        struct fnp_finding *f;
        struct fnp_str text;

        if (!j->o->judged_bytes || d->count == 0 ||
            fnp_role_written(j->contract, role)) {
            continue;
        }
        snprintf(region, sizeof(region), "%s-body", fnp_role_label(role));
        f = fnp_judging_add(j, FNP_RULE_SOURCE_CHANGED, region);
        text = fnp_finding_text(f);
        fnp_add_bytes(&text, d->count);
        fnp_str_add(&text, " of %s changed, first at ",
                    fnp_buf_label(j->contract, role));
        fnp_add_place(&text, j->contract, role, d->first);
        add_values(&text, d);
        set_diff(f, d);
    }
}

/*
 * "dst-first64", "dst-body", "dst-last64".  In a buffer below 128 bytes the nearer end
 * counts, so that a fault of the tail keeps its region while its case shrinks.
 */
static void body_region(char region[24], unsigned role, int64_t first, uint64_t len)
{
    uint64_t from_start = (uint64_t)first;
    uint64_t from_end = len - 1 - from_start;
    const char *part = "body";

    if (from_end < 64 && from_end <= from_start) {
        part = "last64";
    } else if (from_start < 64) {
        part = "first64";
    }
    snprintf(region, 24, "%s-%s", fnp_role_label(role), part);
}

static void wrong_bytes(struct fnp_judging *j, unsigned role)
{
    const struct fnp_diff *d = &j->o->body[role];
    bool missing = d->stale == d->count;
    char region[24];
    struct fnp_finding *f;
    struct fnp_str text;

    body_region(region, role, d->first, j->o->buf[role].len);
    f = fnp_judging_add(j, FNP_RULE_WRONG_BYTES, region);
    text = fnp_finding_text(f);
    fnp_add_bytes(&text, d->count);
    if (missing) {
        fnp_str_add(&text, " never written");
    } else {
        fnp_str_add(&text, d->count == 1 ? " differs" : " differ");
        fnp_str_add(&text, " from the reference");
        if (d->stale) {
            fnp_str_add(&text, " (%" PRIu64 " never written)", d->stale);
        }
    }
    fnp_str_add(&text, ", first at ");
    fnp_add_place(&text, j->contract, role, d->first);
    if (!missing) {
        add_values(&text, d);
    }
    set_diff(f, d);
}

/* A huge case maps only a window of the buffers, so returning is the wrong end. */
static void returned_early(struct fnp_judging *j)
{
    struct fnp_finding *f = fnp_judging_add(j, FNP_RULE_WRONG_BYTES, "dst-huge");
    struct fnp_str text = fnp_finding_text(f);

    fnp_str_add(&text, "returned although n=%" PRIu64 " bytes cannot have been written",
                j->o->c.n);
}

void fnp_judge_bytes(struct fnp_judging *j)
{
    if (j->o->end != FNP_END_RETURNED) {
        return;
    }
    if (j->o->huge) {
        returned_early(j);
        return;
    }
    for (unsigned role = 0; j->o->judged_bytes && role < FNP_MAX_BUFS; role++) {
        if (j->o->body[role].count && fnp_role_written(j->contract, role)) {
            wrong_bytes(j, role);
        }
    }
}

/* A value, and what it points at when it lies in or just behind a buffer. */
static void add_pointer(struct fnp_str *text, const struct fnp_judging *j,
                        uint64_t value)
{
    fnp_str_add(text, "0x%" PRIx64, value);
    for (unsigned role = 0; role < FNP_MAX_BUFS; role++) {
        const struct fnp_placed *buf = &j->o->buf[role];

        if (buf->present && value >= buf->addr && value - buf->addr <= buf->len) {
            fnp_str_add(text, " (");
            fnp_add_place(text, j->contract, role, (int64_t)(value - buf->addr));
            fnp_str_add(text, ")");
            return;
        }
    }
}

void fnp_judge_return(struct fnp_judging *j)
{
    const struct fnp_contract *c = j->contract;
    uint64_t mask = fnp_return_mask(c);
    unsigned reg = c->returns_reg & 15;
    uint64_t want = j->o->want_return & mask;
    uint64_t got = fnp_result(c, j->o->out.gpr) & mask;
    struct fnp_finding *f;
    struct fnp_str text;

    if (j->o->end != FNP_END_RETURNED || j->o->huge || !j->o->has_want_return ||
        want == got) {
        return;
    }
    f = fnp_judging_add(j, FNP_RULE_BAD_RETURN, "return");
    text = fnp_finding_text(f);
    fnp_str_add(&text, "returned ");
    add_pointer(&text, j, got);
    fnp_str_add(&text, ", want ");
    add_pointer(&text, j, want);
    if (j->o->in.gpr[reg] == j->o->out.gpr[reg]) {
        fnp_str_add(&text, "; %s was never set", fnp_gpr_name(reg, c->is32));
    }
    fnp_finding_register(f, fnp_gpr_name(reg, c->is32), want, got,
                         c->returns_width ? c->returns_width : 8);
}
