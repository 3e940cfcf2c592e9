/* SPDX-License-Identifier: MIT */
/*
 * trace_print.c - one line or one JSON object for each instruction that ran
 */
#include "cli/trace_print.h"

#include <signal.h>
#include <string.h>

#include "cli/json_line.h"

static const struct fnp_code_text *text_of(const struct fnp_trace_print *p,
                                           uint64_t addr)
{
    return fnp_code_text_at(p->texts, p->n_texts, addr);
}

/* "dst+16" in static storage. */
static const char *spot(const struct fnp_trace_print *p, uint64_t addr, bool written)
{
    static char text[160];
    struct fnp_str s = fnp_str_over(text, sizeof(text));
    const struct fnp_spot at = fnp_spot_of(&p->spots, addr, written);

    fnp_spot_text(&p->spots, &at, &s);
    return text;
}

/* The same as a member of an object, where it says more than the address does. */
static void json_spot(const struct fnp_trace_print *p, uint64_t addr, bool written)
{
    const struct fnp_spot at = fnp_spot_of(&p->spots, addr, written);

    if (at.kind != FNP_SPOT_ELSEWHERE) {
        fnp_json_text(p->out, "at", spot(p, addr, written));
    }
}

/* Flags by their names, "ZF PF"; static storage. */
static const char *flag_names(uint64_t flags)
{
    static const struct {
        uint64_t bit;
        const char *name;
    } names[] = {
        { FNP_FLAG_OF, "OF" },
        { FNP_FLAG_SF, "SF" },
        { FNP_FLAG_ZF, "ZF" },
        { FNP_FLAG_AF, "AF" },
        { FNP_FLAG_PF, "PF" },
        { FNP_FLAG_CF, "CF" },
    };
    static char text[32];
    struct fnp_str s = fnp_str_over(text, sizeof(text));

    for (size_t i = 0; i < FNP_ARRAY_LEN(names); i++) {
        if (flags & names[i].bit) {
            fnp_str_add(&s, "%s%s", s.len ? " " : "", names[i].name);
        }
    }
    return text;
}

/* What store order and the recorder have to say about an instruction; NULL: nothing. */
static const char *order_mark(const struct fnp_effect *e)
{
    switch (e->order) {
    case FNP_ORDERS_FENCE:
        return "fence";
    case FNP_ORDERS_FLUSH:
        return "flush";
    default:
        return NULL;
    }
}

static const char *kind_of(const struct fnp_traced_access *a)
{
    return a->read && a->write ? "update" : a->write ? "write" : "read";
}

static void add_access(const struct fnp_trace_print *p,
                       const struct fnp_traced_access *a, struct fnp_str *out)
{
    fnp_str_add(out, "  %s ", kind_of(a));
    if (a->unknown) {
        fnp_str_add(out, "somewhere");
    } else {
        fnp_str_add(out, "%s", spot(p, a->addr, a->write));
    }
    fnp_str_add(out, " %llu", (unsigned long long)a->len);
    if (a->len != a->element) {
        fnp_str_add(out, " by %u", a->element);
    }
    fnp_str_add(out, "%s%s", a->weak && a->write ? " weak" : "",
                a->maybe ? " perhaps" : "");
}

static void add_registers(const struct fnp_trace_print *p, uint16_t regs,
                          const uint64_t *values, struct fnp_str *out)
{
    for (unsigned i = 0; i < FNP_N_GPRS; i++) {
        if (regs >> i & 1) {
            fnp_str_add(out, "  %s=%s", fnp_gpr_name(i, p->kernel->image.is32),
                        spot(p, values[i], false));
        }
    }
}

/* What it did: accesses, marks, registers. */
static void add_doings(const struct fnp_trace_print *p, const struct fnp_listed *l,
                       struct fnp_str *out)
{
    const struct fnp_effect *e = &l->effect;
    const char *mark = order_mark(e);

    if (l->not_run) {
        fnp_str_add(out, "  not run");
        return;
    }
    for (size_t i = 0; i < l->n_accesses; i++) {
        add_access(p, &l->access[i], out);
    }
    if (mark) {
        fnp_str_add(out, "  %s", mark);
    }
    if (e->stand_in) {
        fnp_str_add(out, "  %s",
                    e->stand_in == FNP_STAND_IN_EMMS ? "emms in its place"
                                                     : "left out");
    }
    if (e->flow == FNP_FLOW_BRANCH && !l->is_last) {
        fnp_str_add(out, "  %s", l->taken ? "taken" : "not taken");
    }
    if (l->changed) {
        add_registers(p, l->changed, l->after, out);
    } else if (l->n_accesses == 0) {
        add_registers(p, e->regs_read, l->gpr, out);
    }
}

/* Is it part of rounds that are left out?  The first of them says so. */
static bool is_hidden(struct fnp_trace_print *p, size_t step)
{
    const struct fnp_rounds *r = &p->rounds[p->next_round];

    if (p->next_round == p->n_rounds || step < r->at) {
        return false;
    }
    if (step == r->at) {
        fprintf(p->out, "        ... %zu more rounds of %zu instruction%s\n", r->rounds,
                r->steps / r->rounds, r->steps == r->rounds ? "" : "s");
    }
    p->next_round += step + 1 == r->at + r->steps;
    return true;
}

void fnp_trace_print_step(struct fnp_trace_print *p, const struct fnp_listed *listed)
{
    const struct fnp_code_text *t = text_of(p, listed->addr);
    char doings[1024];
    struct fnp_str s = fnp_str_over(doings, sizeof(doings));

    if (is_hidden(p, listed->step)) {
        return;
    }
    add_doings(p, listed, &s);
    fprintf(p->out, "%6zu  %-22s  ", listed->step, fnp_code_place(t));
    fprintf(p->out, s.len || t->line.line ? "%-32s" : "%s", t->insn);
    fprintf(p->out, "%s", doings);
    if (t->line.line) {
        fprintf(p->out, "  %s", fnp_code_source(t));
    }
    fprintf(p->out, "\n");
}

/* ---- the end */

static const char *signal_name(int sig)
{
    const char *name = sigabbrev_np(sig);

    return name ? name : "?";
}

/* How the kernel ended, or why the log ends before it. */
static void add_end(const struct fnp_trace_print *p, struct fnp_str *out)
{
    const struct fnp_outcome *outcome = p->spots.outcome;
    const struct fnp_fault *fault = &outcome->fault;

    switch (p->log->ended) {
    case FNP_RECORDED_REFUSED:
        fnp_str_add(out, "the log ends before the kernel does: %s is not recorded",
                    p->log->why);
        return;
    case FNP_RECORDED_SYSCALL:
        fnp_str_add(out, "the log ends before the kernel does: a system call");
        return;
    case FNP_RECORDED_LONG:
        fnp_str_add(out, "the log ends before the kernel does: it is full");
        return;
    case FNP_RECORDED_NOT:
        fnp_str_add(out, "no log: %s", p->log->why);
        return;
    default:
        break;
    }
    if (outcome->end == FNP_END_FAULT) {
        fnp_str_add(out, "ended by SIG%s", signal_name(fault->sig));
        if (fnp_fault_is_data(fault)) {
            fnp_str_add(out, ", %s",
                        fault->access == FNP_ACCESS_WRITE ? "writing" : "reading");
            fnp_str_add(out, " %s", spot(p, fault->addr, true));
        }
        return;
    }
    fnp_str_add(out, outcome->end == FNP_END_RETURNED ? "returned"
                                                      : "stopped by the time limit");
}

static void print_bytes(const struct fnp_trace_print *p, const char *name,
                        uint64_t read, uint64_t written, uint64_t outside)
{
    if (read + written == 0) {
        return;
    }
    fprintf(p->out, "  %-9s read %llu, written %llu bytes", name,
            (unsigned long long)read, (unsigned long long)written);
    if (outside) {
        fprintf(p->out, ", %llu of them outside", (unsigned long long)outside);
    }
    fprintf(p->out, "\n");
}

void fnp_trace_print_sums(struct fnp_trace_print *p,
                          const struct fnp_listing_sums *sums)
{
    char end[256];
    struct fnp_str s = fnp_str_over(end, sizeof(end));

    add_end(p, &s);
    fprintf(p->out, "%s: %zu instruction%s, %s\n", p->kernel->name, sums->steps,
            sums->steps == 1 ? "" : "s", end);
    for (unsigned role = 0; role < FNP_MAX_BUFS; role++) {
        print_bytes(p, fnp_role_label(role), sums->buffer[role].read,
                    sums->buffer[role].written, sums->buffer[role].outside);
    }
    print_bytes(p, "stack", sums->stack.read, sums->stack.written, 0);
    print_bytes(p, "code+data", sums->image.read, sums->image.written, 0);
    print_bytes(p, "elsewhere", sums->elsewhere.read, sums->elsewhere.written, 0);
    if (sums->unknown) {
        fprintf(p->out, "  accesses at unknown addresses %llu\n",
                (unsigned long long)sums->unknown);
    }
    if (sums->weak || sums->fences) {
        fprintf(p->out, "  order     weak stores %llu, fences %llu\n",
                (unsigned long long)sums->weak, (unsigned long long)sums->fences);
    }
    if (sums->n_left_out) {
        const struct fnp_code_text *t = text_of(p, sums->first_left_out);

        fprintf(p->out, "  replaced  %llu, the first is %s at %s\n",
                (unsigned long long)sums->n_left_out, t->insn, fnp_code_place(t));
    }
}

/* ---- JSON */

static void json_registers(const struct fnp_trace_print *p, const char *name,
                           uint16_t regs, const uint64_t *values)
{
    bool is_first = true;

    if (regs == 0) {
        return;
    }
    fnp_json_list(p->out, name);
    for (unsigned i = 0; i < FNP_N_GPRS; i++) {
        if (!(regs >> i & 1)) {
            continue;
        }
        fnp_json_item(p->out, is_first, "register",
                      fnp_gpr_name(i, p->kernel->image.is32));
        fnp_json_hex(p->out, "value", values[i]);
        json_spot(p, values[i], false);
        fnp_json_item_end(p->out);
        is_first = false;
    }
    fnp_json_list_end(p->out);
}

static void json_accesses(const struct fnp_trace_print *p, const struct fnp_listed *l)
{
    if (l->n_accesses == 0) {
        return;
    }
    fnp_json_list(p->out, "accesses");
    for (size_t i = 0; i < l->n_accesses; i++) {
        const struct fnp_traced_access *a = &l->access[i];

        fnp_json_item(p->out, i == 0, "kind", kind_of(a));
        if (!a->unknown) {
            fnp_json_hex(p->out, "address", a->addr);
            json_spot(p, a->addr, a->write);
        }
        fnp_json_count(p->out, "bytes", a->len);
        if (a->len != a->element) {
            fnp_json_count(p->out, "element", a->element);
        }
        if (a->weak && a->write) {
            fnp_json_bool(p->out, "weak", true);
        }
        if (a->maybe) {
            fnp_json_bool(p->out, "maybe", true);
        }
        fnp_json_item_end(p->out);
    }
    fnp_json_list_end(p->out);
}

void fnp_trace_json_step(struct fnp_trace_print *p, const struct fnp_listed *listed)
{
    const struct fnp_effect *e = &listed->effect;

    fnp_json_begin(p->out, "step");
    fnp_json_count(p->out, "step", listed->step);
    fnp_code_text_json(p->out, text_of(p, listed->addr));
    if (listed->not_run) {
        fnp_json_bool(p->out, "run", false);
    } else {
        json_accesses(p, listed);
        fnp_json_text(p->out, "order", order_mark(e));
    }
    if (e->stand_in) {
        fnp_json_text(p->out, "replaced",
                      e->stand_in == FNP_STAND_IN_EMMS ? "emms" : "nothing");
    }
    if (e->flow == FNP_FLOW_BRANCH && !listed->is_last) {
        fnp_json_bool(p->out, "taken", listed->taken);
    }
    json_registers(p, "uses", e->regs_read, listed->gpr);
    json_registers(p, "sets", listed->changed, listed->after);
    fnp_json_text(p->out, "flags", flag_names(listed->flags));
    fnp_json_end(p->out);
}

static void json_bytes(const struct fnp_trace_print *p, bool *is_first,
                       const char *name, const uint64_t bytes[3])
{
    if (bytes[0] + bytes[1] == 0) {
        return;
    }
    fnp_json_item(p->out, *is_first, "region", name);
    fnp_json_count(p->out, "read", bytes[0]);
    fnp_json_count(p->out, "written", bytes[1]);
    fnp_json_count(p->out, "outside", bytes[2]);
    fnp_json_item_end(p->out);
    *is_first = false;
}

void fnp_trace_json_sums(struct fnp_trace_print *p, const struct fnp_listing_sums *sums)
{
    char end[256];
    struct fnp_str s = fnp_str_over(end, sizeof(end));
    bool is_first = true;

    add_end(p, &s);
    fnp_json_begin(p->out, "trace");
    fnp_json_text(p->out, "kernel", p->kernel->name);
    fnp_json_text(p->out, "case", p->case_text);
    fnp_json_count(p->out, "steps", sums->steps);
    fnp_json_bool(p->out, "complete", p->log->ended == FNP_RECORDED_ALL);
    fnp_json_text(p->out, "end", end);
    fnp_json_list(p->out, "bytes");
    for (unsigned role = 0; role < FNP_MAX_BUFS; role++) {
        json_bytes(p, &is_first, fnp_role_label(role),
                   (const uint64_t[3]){ sums->buffer[role].read,
                                        sums->buffer[role].written,
                                        sums->buffer[role].outside });
    }
    json_bytes(p, &is_first, "stack",
               (const uint64_t[3]){ sums->stack.read, sums->stack.written });
    json_bytes(p, &is_first, "image",
               (const uint64_t[3]){ sums->image.read, sums->image.written });
    json_bytes(p, &is_first, "elsewhere",
               (const uint64_t[3]){ sums->elsewhere.read, sums->elsewhere.written });
    fnp_json_list_end(p->out);
    fnp_json_count(p->out, "unknown", sums->unknown);
    fnp_json_count(p->out, "weak", sums->weak);
    fnp_json_count(p->out, "fences", sums->fences);
    fnp_json_count(p->out, "replaced", sums->n_left_out);
    fnp_json_end(p->out);
}
