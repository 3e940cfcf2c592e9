/* SPDX-License-Identifier: MIT */
#include "verify/check_code.h"

#include <inttypes.h>
#include <stdio.h>

#include "verify/check_internal.h"
#include "verify/kept.h"
#include "verify/where.h"

void fnp_code_walk(struct fnp_insns *insns, struct fnp_code_walk *out)
{
    struct fnp_walk walk;

    fnp_walk_make(insns, &walk);
    *out = (struct fnp_code_walk){ .n_unknown = walk.n_unknown, .done = true };
    fnp_unfenced_find(&walk, &out->unfenced);
}

static struct fnp_str begin(struct fnp_finding *f, enum fnp_rule rule,
                            enum fnp_severity severity)
{
    *f = (struct fnp_finding){ .rule = rule, .severity = severity };
    snprintf(f->region, sizeof(f->region), "code");
    return fnp_finding_text(f);
}

/* "symbol+0x12" */
static void add_addr(struct fnp_str *text, const struct fnp_kernel *k, uint64_t addr)
{
    const struct fnp_symbol *symbol = fnp_image_symbol(&k->image, addr);

    if (symbol)
        fnp_str_add(text, "%.60s+0x%" PRIx64, symbol->name, addr - symbol->addr);
    else
        fnp_str_add(text, "0x%" PRIx64, addr);
}

/* "from SITE to the return at RET" */
static void add_way(struct fnp_str *text, const struct fnp_kernel *k,
                    const struct fnp_unfenced *u)
{
    fnp_str_add(text, "from ");
    add_addr(text, k, u->site);
    fnp_str_add(text,
                u->calls ? " to the call of unknown code at " : " to the return at ");
    add_addr(text, k, u->out);
}

static bool is_asked(const struct fnp_kernel *k, const struct fnp_unfenced *u)
{
    return u->n_dirty && k->contract.order != FNP_ORDER_WEAK;
}

bool fnp_check_unfenced(const struct fnp_kernel *k, const struct fnp_code_walk *walk,
                        struct fnp_finding *out)
{
    const struct fnp_unfenced *u = &walk->unfenced;
    struct fnp_str text;

    if (!is_asked(k, u))
        return false;
    text = begin(out, FNP_RULE_FENCE_MISSING, u->unreached ? FNP_WARNING : FNP_INFO);
    fnp_str_add(&text, "possible: a path ");
    add_way(&text, k, u);
    fnp_str_add(&text, " has no fence");
    if (u->unreached) {
        fnp_str_add(&text, " and no recorded case took it: none reached ");
        add_addr(&text, k, u->unreached);
    } else {
        fnp_str_add(&text, "; all of it ran, but never as a whole: likely no case can");
    }
    fnp_where_at(k, u->site, &out->where);
    return true;
}

/* Of a kernel that never runs here there is no witness to wait for. */
static bool check_unfenced_skipped(const struct fnp_kernel *k,
                                   const struct fnp_unfenced *u,
                                   struct fnp_finding *out)
{
    bool sure = u->never && !u->on_stack;
    struct fnp_str text;

    if (!is_asked(k, u))
        return false;
    text = begin(out, FNP_RULE_FENCE_MISSING, sure ? FNP_ERROR : FNP_WARNING);
    fnp_str_add(&text, sure ? "no path " : "possible: a path ");
    add_way(&text, k, u);
    fnp_str_add(&text, sure ? " has a fence" : " has no fence");
    fnp_where_at(k, u->site, &out->where);
    return true;
}

static bool check_unsaved(const struct fnp_kernel *k, const struct fnp_walk *walk,
                          struct fnp_finding *out)
{
    uint32_t kept = fnp_kept_gprs(&k->contract) & ~(1u << FNP_RSP);
    struct fnp_unsaved lost;
    const char *name;
    struct fnp_str text;

    if (!fnp_unsaved_find(walk, (uint16_t)kept, &lost))
        return false;
    name = fnp_gpr_name(lost.reg, k->image.is32);
    text = begin(out, FNP_RULE_REGISTER_LOST, FNP_ERROR);
    snprintf(out->region, sizeof(out->region), "%s", name);
    snprintf(out->reg, sizeof(out->reg), "%s", name);
    fnp_str_add(&text, "%s gets a new value at ", name);
    add_addr(&text, k, lost.insn);
    fnp_str_add(&text, ", and nothing before has saved the old one");
    fnp_where_at(k, lost.insn, &out->where);
    return true;
}

size_t fnp_check_code(const struct fnp_kernel *k, uint64_t left_out,
                      struct fnp_finding out[FNP_CHECK_CODE_MAX])
{
    struct fnp_arena arena = { 0 };
    struct fnp_insns insns = { .arena = &arena, .image = &k->image };
    struct fnp_unfenced unfenced;
    struct fnp_walk walk;
    size_t n = 0;

    fnp_walk_make(&insns, &walk);
    fnp_unfenced_find(&walk, &unfenced);
    if (!(left_out >> FNP_RULE_CPU_UNDECLARED & 1))
        n += fnp_check_cpu(&k->contract, k->scan.needs, &out[n]);
    if (!(left_out >> FNP_RULE_FENCE_MISSING & 1))
        n += check_unfenced_skipped(k, &unfenced, &out[n]);
    if (!(left_out >> FNP_RULE_REGISTER_LOST & 1))
        n += check_unsaved(k, &walk, &out[n]);
    fnp_arena_release(&arena);
    return n;
}
