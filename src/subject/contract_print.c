/* SPDX-License-Identifier: MIT */
/*
 * contract_print.c - a contract back as keys: print_KEY undoes apply_KEY
 *
 * What is printed reads back to the same contract and is never longer than the longest
 * way to write it, so that whatever fitted a line still does.
 */
#include <assert.h>
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/str.h"
#include "subject/draft.h"
#include "x86/state.h"

#define WORDS(key, ...)                                                                \
    static const char *const key##_list[] = { __VA_ARGS__ };                           \
    const struct fnp_words fnp_##key##_names = { key##_list, FNP_ARRAY_LEN(key##_list) }

WORDS(op, "copy", "move", "set", "zero", "ref");
WORDS(abi, "sysv64", "ms64", "i386", "regparm3", "regs");
WORDS(overlap, "none", "any", "forward", "backward", "same");
WORDS(returns, "none", "dst", "dst+n", "zero", "left", "ref", "value");
WORDS(state, "user", "preserve", "kernel-fpu", "mmx-live");
WORDS(order, "", "drained", "weak");
WORDS(writes, "any", "once", "atomic");
WORDS(faults, "fatal", "left");

/* Decimal or hex, whichever is shorter. */
static void add_number(struct fnp_str *out, uint64_t x)
{
    char decimal[24], hex[24];
    int decimal_len = snprintf(decimal, sizeof(decimal), "%llu", (unsigned long long)x);
    int hex_len = snprintf(hex, sizeof(hex), "0x%llx", (unsigned long long)x);

    fnp_str_add(out, "%s", hex_len < decimal_len ? hex : decimal);
}

/* Runs as ranges: "0,1,5-9". */
static void add_list(struct fnp_str *out, const uint64_t *list, size_t count)
{
    for (size_t i = 0; i < count;) {
        size_t run = 1;

        while (i + run < count && list[i + run] == list[i] + run) {
            run++;
        }
        fnp_str_add(out, i ? "," : "");
        add_number(out, list[i]);
        if (run > 1) {
            fnp_str_add(out, "-");
            add_number(out, list[i + run - 1]);
        }
        i += run;
    }
}

static void print_proto(const struct fnp_contract *c, struct fnp_str *out)
{
    fnp_str_add(out, "%s", c->proto);
}

static void print_op(const struct fnp_contract *c, struct fnp_str *out)
{
    fnp_str_add(out, "%s%s%s", fnp_op_names.list[c->op], c->op == FNP_OP_REF ? ":" : "",
                c->op == FNP_OP_REF ? c->ref : "");
}

static void print_sizes(const struct fnp_contract *c, struct fnp_str *out)
{
    const struct fnp_sizes *s = &c->sizes;

    if (!c->has_n) {
        return;
    }
    if (s->count) {
        add_list(out, s->list, s->count);
        return;
    }
    add_number(out, s->least);
    fnp_str_add(out, ":");
    if (s->most == UINT64_MAX) {
        fnp_str_add(out, "-");
    } else {
        add_number(out, s->most);
    }
    fnp_str_add(out, ":");
    add_number(out, s->step);
}

static void print_align(const struct fnp_contract *c, struct fnp_str *out)
{
    bool some = false;

    for (size_t i = 0; i < c->n_bufs; i++) {
        if (c->bufs[i].align != c->bufs[i].elem) {
            fnp_str_add(out, "%s%s:", some ? " " : "", c->bufs[i].name);
            add_number(out, c->bufs[i].align);
            some = true;
        }
    }
}

static void print_values(const struct fnp_contract *c, struct fnp_str *out)
{
    bool some = false;

    for (size_t i = 0; i < c->n_params; i++) {
        const struct fnp_param *p = &c->params[i];
        if (p->kind == FNP_PARAM_VALUE && c->values[p->value].count) {
            fnp_str_add(out, "%s%s:", some ? " " : "", p->name);
            add_list(out, c->values[p->value].item, c->values[p->value].count);
            some = true;
        }
    }
}

static void print_symbol(const struct fnp_contract *c, struct fnp_str *out)
{
    fnp_str_add(out, "%s",
                c->symbol && strcmp(c->symbol, c->name) != 0 ? c->symbol : "");
}

static void print_address(const struct fnp_contract *c, struct fnp_str *out)
{
    if (c->has_address) {
        fnp_str_add(out, "0x%llx", (unsigned long long)c->address);
    }
}

static void print_returns(const struct fnp_contract *c, struct fnp_str *out)
{
    fnp_str_add(out, "%s", fnp_returns_names.list[c->returns]);
    if (c->returns == FNP_RETURNS_VALUE) {
        fnp_str_add(out, ":");
        add_number(out, c->returns_value);
    }
    if (c->returns_reg != FNP_RAX ||
        (c->returns_void && c->returns != FNP_RETURNS_NONE)) {
        fnp_str_add(out, "@%s", fnp_gpr_name(c->returns_reg, c->is32));
    }
}

static void print_abi(const struct fnp_contract *c, struct fnp_str *out)
{
    fnp_str_add(out, "%s", fnp_abi_names.list[c->abi]);
    for (size_t i = 0; c->abi == FNP_ABI_REGS && i < c->n_params; i++) {
        const struct fnp_param *p = &c->params[i];

        fnp_str_add(out, "%s %s=", i ? "" : ":", fnp_gpr_name(p->reg, c->is32));
        if (p->kind == FNP_PARAM_CONST) {
            add_number(out, p->constant);
        } else {
            fnp_str_add(out, "%s", p->name);
        }
    }
}

static void print_clobbers(const struct fnp_contract *c, struct fnp_str *out)
{
    for (unsigned i = 0; i < FNP_N_GPRS; i++) {
        if (c->clobbers >> i & 1) {
            fnp_str_add(out, "%s%s", out->len ? " " : "", fnp_gpr_name(i, c->is32));
        }
    }
    for (unsigned i = 0; i < 16; i++) {
        unsigned last = i;

        if (!(c->clobbers_vector >> i & 1)) {
            continue;
        }
        while (c->clobbers_vector >> (last + 1) & 1) {
            last++;
        }
        fnp_str_add(out, "%sxmm%u", out->len ? " " : "", i);
        if (last > i) {
            fnp_str_add(out, "-xmm%u", last);
        }
        i = last;
    }
    if (c->has_clobbers && !out->len) {
        fnp_str_add(out, "none");
    }
}

static void print_redzone(const struct fnp_contract *c, struct fnp_str *out)
{
    fnp_str_add(out, "%llu", (unsigned long long)c->redzone);
}

static void print_reads(const struct fnp_contract *c, struct fnp_str *out)
{
    if (c->reads_aligned) {
        fnp_str_add(out, "aligned:%llu", (unsigned long long)c->reads_aligned);
    }
}

static void print_writes(const struct fnp_contract *c, struct fnp_str *out)
{
    fnp_str_add(out, "%s", fnp_writes_names.list[c->writes]);
    if (c->writes == FNP_WRITES_ATOMIC) {
        fnp_str_add(out, ":%llu", (unsigned long long)c->writes_atomic);
    }
}

static void print_cpu(const struct fnp_contract *c, struct fnp_str *out)
{
    bool some = false;

    for (unsigned i = 0; i < FNP_N_FEATURES; i++) {
        if (c->cpu >> i & 1) {
            fnp_str_add(out, "%s%s", some ? " " : "",
                        fnp_feature_name((enum fnp_feature)i));
            some = true;
        }
    }
    if (c->has_cpu && !some) {
        fnp_str_add(out, "none");
    }
}

static void print_defines(const struct fnp_contract *c, bool is_stub,
                          struct fnp_str *out)
{
    bool some = false;

    for (size_t i = 0; i < c->n_defines; i++) {
        const struct fnp_define *d = &c->defines[i];
        if (d->is_stub == is_stub) {
            fnp_str_add(out, "%s%s", some ? " " : "", d->name);
            some = true;
            if (d->has_value) {
                fnp_str_add(out, ":");
                add_number(out, d->value);
            }
        }
    }
}

static void print_set(const struct fnp_contract *c, struct fnp_str *out)
{
    print_defines(c, false, out);
}

static void print_stub(const struct fnp_contract *c, struct fnp_str *out)
{
    print_defines(c, true, out);
}

/* SLUG[@SYMBOL+0xOFF] "reason", ...; without the spaces when a line is too short. */
static void add_allows(const struct fnp_contract *c, const char *comma,
                       struct fnp_str *out)
{
    for (size_t i = 0; i < c->n_allows; i++) {
        const struct fnp_allow *allow = &c->allows[i];

        fnp_str_add(out, "%s%s", i ? comma : "", fnp_rule_info(allow->rule)->slug);
        if (allow->symbol) {
            fnp_str_add(out, "@%s", allow->symbol);
        }
        if (allow->has_offset) {
            fnp_str_add(out, "+0x%llx", (unsigned long long)allow->offset);
        }
        if (allow->reason) {
            fnp_str_add(out, "%s\"%s\"", *comma && comma[1] ? " " : "", allow->reason);
        }
    }
}

static void print_allow(const struct fnp_contract *c, struct fnp_str *out)
{
    char text[512];
    struct fnp_str wide = fnp_str_over(text, sizeof(text));

    add_allows(c, ", ", &wide);
    if (wide.overflow || wide.len + strlen("allow = ") > FNP_INI_LINE_MAX) {
        add_allows(c, ",", out);
    } else {
        fnp_str_add(out, "%s", text);
    }
}

/* ---- texts and words */

#define TEXT_KEY(key)                                                                  \
    static void print_##key(const struct fnp_contract *c, struct fnp_str *out)         \
    {                                                                                  \
        fnp_str_add(out, "%s", c->key ? c->key : "");                                  \
    }

TEXT_KEY(object)
TEXT_KEY(drain)
TEXT_KEY(cc)
TEXT_KEY(cflags)
TEXT_KEY(box)
TEXT_KEY(cases)
TEXT_KEY(origin)
TEXT_KEY(expect)
TEXT_KEY(twin)

#define WORD_KEY(key)                                                                  \
    static void print_##key(const struct fnp_contract *c, struct fnp_str *out)         \
    {                                                                                  \
        fnp_str_add(out, "%s", fnp_##key##_names.list[c->key]);                        \
    }

WORD_KEY(overlap)
WORD_KEY(state)
WORD_KEY(order)
WORD_KEY(faults)

/* ---- whole contracts */

/* These say nothing of their own: a profile and a model are written as what they give. */
static void print_profile(const struct fnp_contract *c, struct fnp_str *out)
{
    (void)c;
    (void)out;
}

static void print_like(const struct fnp_contract *c, struct fnp_str *out)
{
    (void)c;
    (void)out;
}

static const struct {
    const char *name;
    void (*print)(const struct fnp_contract *c, struct fnp_str *out);
} printers[] = {
#define KEY(name) { #name, print_##name },
    FNP_CONTRACT_KEYS(KEY)
#undef KEY
};

void fnp_contract_value(const struct fnp_contract *c, const char *key,
                        struct fnp_str *out)
{
    enum fnp_contract_key_id id = fnp_contract_key_find(key);

    assert(id < FNP_N_CONTRACT_KEYS);
    printers[id].print(c, out);
}

/* Room for every key at its longest. */
enum {
    TEXT_ROOM = 16384,
    VALUE_ROOM = 4096
};

/* One line; without spaces where a contract file could not hold them. */
static void add_line(struct fnp_str *out, const char *key, const char *value)
{
    bool fits = strlen("clobbers = ") + strlen(value) <= FNP_INI_LINE_MAX;

    if (fits) {
        fnp_str_add(out, "%-8s = %s\n", key, value);
    } else {
        fnp_str_add(out, "%s=%s\n", key, value);
    }
}

/* Every key that does not say what is so without it. */
static char *write_keys(struct fnp_arena *arena, const struct fnp_contract *c,
                        const char *head)
{
    char *text = fnp_arena_alloc(arena, TEXT_ROOM);
    struct fnp_str out = fnp_str_over(text, TEXT_ROOM);
    struct fnp_contract usual;

    fnp_contract_defaults(&usual);
    usual.has_n = true;
    usual.overlap = fnp_contract_usual_overlap(c->op);
    usual.redzone = fnp_contract_usual_redzone(c);
    fnp_str_add(&out, "%s", head);
    for (size_t i = 0; i < FNP_ARRAY_LEN(printers); i++) {
        char value[VALUE_ROOM], other[64];
        struct fnp_str v = fnp_str_over(value, sizeof(value));
        struct fnp_str o = fnp_str_over(other, sizeof(other));

        printers[i].print(c, &v);
        if (i != FNP_KEY_proto && i != FNP_KEY_op) {
            printers[i].print(&usual, &o);
        }
        if (v.len && strcmp(value, other) != 0) {
            add_line(&out, printers[i].name, value);
        }
        assert(!v.overflow);
    }
    assert(!out.overflow);
    return text;
}

/* The contract's name as a section may be called. */
static const char *section_name(struct fnp_arena *arena, const char *name)
{
    size_t len = strlen(name);
    char *text = fnp_arena_text(arena, name, len < 49 ? len : 49);

    for (char *at = text; *at; at++) {
        if (iscntrl((unsigned char)*at) || strchr(" ;[]*?", *at)) {
            *at = '_';
        }
    }
    return *text ? text : "_";
}

char *fnp_contract_ini(struct fnp_arena *arena, const struct fnp_contract *c)
{
    struct fnp_contract copy = *c;

    copy.name = section_name(arena, c->name);
    return write_keys(arena, &copy, fnp_arena_printf(arena, "[%s]\n", copy.name));
}

char *fnp_contract_essence(struct fnp_arena *arena, const struct fnp_contract *c)
{
    struct fnp_contract copy = *c;
    const char *end = strchr(c->proto, '(');
    const char *start = end;

    while (start > c->proto && isspace((unsigned char)start[-1])) {
        start--;
    }
    while (start > c->proto && !isspace((unsigned char)start[-1]) && start[-1] != '*') {
        start--;
    }
    copy.proto =
        fnp_arena_printf(arena, "%.*s%s", (int)(start - c->proto), c->proto, end);
    copy.object = copy.symbol = copy.cc = copy.cflags = NULL;
    copy.origin = copy.expect = copy.twin = NULL;
    copy.has_address = false;
    return write_keys(arena, &copy, "");
}
