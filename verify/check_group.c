/* SPDX-License-Identifier: MIT */
/*
 * check_group.c - what a case and its variants say together: does a finding come from
 * something that is no input, or only from hostile floating-point contents and modes?
 *
 * Also the one check that needs no outcome, the declared CPU features.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "verify/check_internal.h"

/*
 * Rules whose findings may be consequences of an undeclared input.  What a kernel does
 * to registers and flags is wrong whatever led it there, so those keep their names.
 */
static const bool depends[FNP_N_RULES] = {
    [FNP_RULE_WRONG_BYTES] = true,
    [FNP_RULE_STRAY_WRITE] = true,
    [FNP_RULE_STRAY_READ] = true,
    [FNP_RULE_SOURCE_CHANGED] = true,
    [FNP_RULE_BAD_RETURN] = true,
    [FNP_RULE_STACK_SMASHED] = true,
    [FNP_RULE_BELOW_STACK] = true,
    [FNP_RULE_SYSTEM_CALL] = true,
    [FNP_RULE_CRASH] = true,
    [FNP_RULE_HANG] = true,
    [FNP_RULE_ILLEGAL_INSTRUCTION] = true,
};

/* The findings of one outcome. */
struct judged {
    struct fnp_finding list[FNP_CHECK_MAX];
    size_t count;
};

/* The finding of `o` with this rule: its slug is returned, else what `o` shows. */
static const char *shows(const struct fnp_contract *contract,
                         const struct fnp_outcome *o, enum fnp_rule rule, bool *has)
{
    struct judged v;

    v.count = fnp_check_outcome(contract, o, v.list);
    for (size_t i = 0; i < v.count; i++) {
        if (v.list[i].rule == rule) {
            *has = true;
            return fnp_rule_info(rule)->slug;
        }
    }
    *has = false;
    return v.count ? fnp_rule_info(v.list[0].rule)->slug : "clean";
}

static bool usable(const struct fnp_outcome *v)
{
    return v && v->end != FNP_END_SKIPPED && v->end != FNP_END_DIED;
}

/* Did the same promise break in another way: other wrong bytes, a fault elsewhere? */
static bool broke_otherwise(const struct fnp_outcome *a, const struct fnp_outcome *b,
                            enum fnp_rule rule)
{
    if (a->end != b->end) {
        return true;
    }
    if (rule == FNP_RULE_WRONG_BYTES) {
        for (unsigned role = 0; role < FNP_MAX_BUFS; role++) {
            if (a->body[role].count != b->body[role].count ||
                a->body[role].hash != b->body[role].hash) {
                return true;
            }
        }
    }
    if (a->end != FNP_END_FAULT) {
        return false;
    }
    /*
     * A general protection fault comes without an address; only junk has two kinds.
     * The stack begins elsewhere with other junk.
     */
    bool has_addr = a->fault.region != FNP_REGION_NONCANONICAL &&
                    a->fault.region != FNP_REGION_STACK_LOW &&
                    a->fault.region != FNP_REGION_STACK_HIGH;

    return a->fault.region != b->fault.region || a->fault.rip != b->fault.rip ||
           (has_addr && a->fault.addr != b->fault.addr);
}

/* "junk=3 upper=zero": what sets `c` apart from `other`, as it stands in `c`. */
static void add_change(struct fnp_str *text, const struct fnp_case *c,
                       const struct fnp_case *other)
{
    static const char *const uppers[FNP_N_UPPERS] = { "junk", "zero", "ones" };
    size_t before = text->len;

    if (c->junk != other->junk) {
        fnp_str_add(text, "junk=%u", (unsigned)c->junk);
    }
    if (c->upper != other->upper && c->upper < FNP_N_UPPERS) {
        fnp_str_add(text, "%supper=%s", text->len > before ? " " : "",
                    uppers[c->upper]);
    }
    if (c->seed != other->seed) {
        fnp_str_add(text, "%sseed=%" PRIu32, text->len > before ? " " : "", c->seed);
    }
    if (text->len == before) {
        fnp_str_add(text, "others");
    }
}

static void rename_finding(struct fnp_finding *f, enum fnp_rule rule,
                           const char *region)
{
    f->rule = rule;
    if (f->severity == FNP_ERROR) {
        f->severity = fnp_rule_info(rule)->severity;
    }
    snprintf(f->region, sizeof(f->region), "%s", region);
    f->reg[0] = 0;
}

/* "result depends on WHAT: SLUG with upper=junk, clean with upper=zero (MESSAGE)" */
static void undeclared(struct fnp_finding *f, const char *what, const char *region,
                       const struct fnp_outcome *base, const struct fnp_outcome *v,
                       const char *variant_shows)
{
    char old[sizeof(f->message)];
    struct fnp_str text;

    snprintf(old, sizeof(old), "%s", f->message);
    text = fnp_finding_text(f);
    fnp_str_add(&text, "result depends on %s: %s", what, fnp_rule_info(f->rule)->slug);
    if (!fnp_case_equal(&base->c, &v->c)) {
        fnp_str_add(&text, " with ");
        add_change(&text, &base->c, &v->c);
    }
    fnp_str_add(&text, ", %s with ", variant_shows);
    add_change(&text, &v->c, &base->c);
    fnp_str_add(&text, " (%s)", old);
    rename_finding(f, FNP_RULE_UNDECLARED_INPUT, region);
}

static const char *junk_words(const struct fnp_case *a, const struct fnp_case *b)
{
    if (a->upper == b->upper) {
        return "junk in caller-saved registers";
    }
    return a->junk == b->junk
               ? "unused argument bits"
               : "junk in caller-saved registers or unused argument bits";
}

/*
 * Junk in caller-saved registers and in unused argument bits must not matter.  A
 * variant that does not show the rule tells more than one that breaks it otherwise.
 */
static bool from_junk(const struct fnp_contract *contract, const struct fnp_group *g,
                      struct fnp_finding *f)
{
    const struct fnp_outcome *otherwise = NULL;

    for (size_t i = 0; i < FNP_ARRAY_LEN(g->junk); i++) {
        const struct fnp_outcome *v = g->junk[i];
        const char *slug;
        bool has;

        if (!usable(v)) {
            continue;
        }
        slug = shows(contract, v, f->rule, &has);
        if (!has) {
            undeclared(f, junk_words(&v->c, &g->base->c), "input", g->base, v, slug);
            return true;
        }
        if (!otherwise && broke_otherwise(g->base, v, f->rule)) {
            otherwise = v;
        }
    }
    if (otherwise) {
        undeclared(f, junk_words(&otherwise->c, &g->base->c), "input", g->base,
                   otherwise, "another one");
    }
    return otherwise != NULL;
}

/*
 * Do the wrong bytes of one buffer depend on old destination bytes?  What was never
 * written does so by its nature, and is told apart from bytes merged with old ones
 * (or-ed, say) by staying unwritten over other old bytes.  A mixture is left alone.
 * A variant with another seed or value wants other bytes, so there only equal wanted
 * bytes prove anything else.
 */
static bool old_bytes_matter(const struct fnp_diff *a, const struct fnp_diff *b,
                             bool same_source)
{
    if (a->count == 0 || a->hash == b->hash) {
        return false;
    }
    if (a->stale == a->count) {
        return b->stale < b->count;
    }
    if (same_source) {
        return a->stale == 0;
    }
    return a->stale == 0 && b->stale == 0 && a->count == b->count &&
           a->first == b->first && a->last == b->last && a->n_bytes == b->n_bytes &&
           a->n_bytes > 0 && memcmp(a->want, b->want, a->n_bytes) == 0 &&
           memcmp(a->got, b->got, a->n_bytes) != 0;
}

static bool from_old_bytes(const struct fnp_group *g, struct fnp_finding *f)
{
    bool same_source = fnp_case_equal(&g->base->c, &g->other->c);

    for (unsigned role = 0; role < FNP_MAX_BUFS; role++) {
        const struct fnp_diff *b = &g->other->body[role];

        if (old_bytes_matter(&g->base->body[role], b, same_source)) {
            undeclared(f, "old destination bytes or an earlier call", "old", g->base,
                       g->other, b->count ? "other wrong bytes" : "clean");
            return true;
        }
    }
    return false;
}

/* A register nobody set returns what it held: that is no use of junk. */
static bool never_set(const struct fnp_contract *contract, const struct fnp_outcome *o)
{
    unsigned reg = contract->returns_reg & 15;

    return o->in.gpr[reg] == o->out.gpr[reg];
}

/* Does the case start with anything that could disturb a copy through FP registers? */
static bool fp_hostile(const struct fnp_case *c)
{
    return c->fill == FNP_FILL_SNAN || c->fill == FNP_FILL_DENORMAL ||
           c->fill == FNP_FILL_UNNORMAL || c->fill == FNP_FILL_INF ||
           c->fill == FNP_FILL_SPECIAL || c->mxcsr != FNP_MXCSR_DEFAULT ||
           c->fcw != FNP_FCW_DEFAULT || c->x87 || c->ymm;
}

/*
 * Is the first wrong byte that of a signalling NaN made quiet?  Bit 22 of a float or bit
 * 51 of a double is set and nothing else changed in a byte whose neighbour holds an
 * exponent of all ones (Intel SDM vol. 1, 4.8.3.4).  Any contents can hold such bytes.
 */
static bool quieted(const struct fnp_diff *d)
{
    uint8_t want = d->want[0], set = d->got[0] ^ want;

    if (d->count == 0 || d->n_bytes < 2 || (d->want[1] & 0x7f) != 0x7f ||
        d->got[1] != d->want[1] || (want & set)) {
        return false;
    }
    return (set == 0x40 && (want & 0x80)) || (set == 0x08 && (want & 0xf0) == 0xf0);
}

static bool any_quieted(const struct fnp_outcome *o)
{
    for (unsigned role = 0; role < FNP_MAX_BUFS; role++) {
        if (quieted(&o->body[role])) {
            return true;
        }
    }
    return false;
}

/* The neutral variant is right, where the base is not. */
static bool right_when_neutral(const struct fnp_contract *contract,
                               const struct fnp_group *g)
{
    bool has;

    if (!usable(g->neutral) || !fp_hostile(&g->base->c) ||
        g->neutral->end != FNP_END_RETURNED) {
        return false;
    }
    shows(contract, g->neutral, FNP_RULE_WRONG_BYTES, &has);
    return !has;
}

static void lossy(struct fnp_finding *f, const char *why)
{
    char old[sizeof(f->message)];
    struct fnp_str text;

    snprintf(old, sizeof(old), "%s", f->message);
    text = fnp_finding_text(f);
    fnp_str_add(&text, "%s; %s", old, why);
    rename_finding(f, FNP_RULE_LOSSY_COPY, "dst");
}

/* Give a finding of the base the name of its cause, when the variants show one. */
static void name_cause(const struct fnp_contract *contract, const struct fnp_group *g,
                       struct fnp_finding *f)
{
    /* Damage to our own memory and deaths may come from an earlier case. */
    if (!depends[f->rule] || strcmp(f->region, "tool") == 0 ||
        g->base->end == FNP_END_DIED) {
        return;
    }
    if (f->rule == FNP_RULE_BAD_RETURN && never_set(contract, g->base)) {
        return;
    }
    if (from_junk(contract, g, f)) {
        return;
    }
    if (f->rule != FNP_RULE_WRONG_BYTES || g->base->end != FNP_END_RETURNED) {
        return;
    }
    if (usable(g->other) && g->other->end == FNP_END_RETURNED && from_old_bytes(g, f)) {
        return;
    }
    if (g->integer_only) {
        return;
    }
    if (any_quieted(g->base)) {
        lossy(f, "a signalling NaN was made quiet");
    } else if (right_when_neutral(contract, g)) {
        lossy(f, "right with plain contents and default FP state");
    }
}

static void add_also(struct fnp_finding *f, enum fnp_rule rule, const bool *skip)
{
    if (rule == f->rule || (skip && skip[rule]) || f->n_also == FNP_ALSO_MAX) {
        return;
    }
    for (size_t i = 0; i < f->n_also; i++) {
        if (f->also[i] == rule) {
            return;
        }
    }
    f->also[f->n_also++] = rule;
}

bool fnp_check_group_except(const struct fnp_contract *contract,
                            const struct fnp_group *group, const bool *skip,
                            struct fnp_finding *out)
{
    struct judged base;

    base.count = fnp_check_outcome(contract, group->base, base.list);
    for (size_t i = 0; i < base.count; i++) {
        *out = base.list[i];
        name_cause(contract, group, out);
        if (skip && skip[out->rule]) {
            continue;
        }
        for (size_t k = 0; k < base.count; k++) {
            add_also(out, base.list[k].rule, skip);
        }
        return true;
    }
    return false;
}

bool fnp_check_group(const struct fnp_contract *contract, const struct fnp_group *group,
                     struct fnp_finding *out)
{
    return fnp_check_group_except(contract, group, NULL, out);
}

#define BIT(NAME) ((fnp_features)1 << FNP_FEATURE_##NAME)

/* What a declared feature brings along: a kernel for avx2 may use all that came before. */
static fnp_features declared(const struct fnp_contract *contract)
{
    /* Every 64-bit CPU has these, and no dispatcher tests them. */
    const fnp_features always =
        BIT(FPU) | BIT(TSC) | BIT(CX8) | BIT(CMOV) | BIT(LAHF_LM);
    const fnp_features all = fnp_features_close(contract->cpu | always);

    /* A 32-bit one without SSE may be older; LAHF is missing in 64-bit mode only. */
    if (contract->is32 && !(all & BIT(SSE))) {
        return (all & ~always) | contract->cpu | BIT(FPU) | BIT(LAHF_LM);
    }
    return all;
}

bool fnp_check_cpu(const struct fnp_contract *contract, fnp_features needs,
                   struct fnp_finding *out)
{
    fnp_features missing = needs & ~declared(contract);
    struct fnp_str text;

    if (!contract->has_cpu || missing == 0) {
        return false;
    }
    *out = (struct fnp_finding){ .rule = FNP_RULE_CPU_UNDECLARED };
    out->severity = fnp_rule_info(out->rule)->severity;
    snprintf(out->region, sizeof(out->region), "cpu");
    text = fnp_finding_text(out);
    fnp_str_add(&text, "needs");
    for (unsigned i = 0; i < FNP_N_FEATURES; i++) {
        if (missing >> i & 1) {
            fnp_str_add(&text, " %s", fnp_feature_name((enum fnp_feature)i));
        }
    }
    fnp_str_add(&text, ", which `cpu` does not declare");
    return true;
}
