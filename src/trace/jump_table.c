/* SPDX-License-Identifier: MIT */
#include "trace/jump_table.h"

#include <string.h>

#include "x86/bound.h"

enum {
    LOAD_BEFORE = 12,  /* instructions between the load of an entry and the jump */
    BOUND_BEFORE = 32, /* ... between the bound of the index and its use */
    BRANCH_BEHIND = 6, /* ... between a compare and the branch that uses it */
    CARRY = 2,         /* conditions of branches: jb and its opposite */
    CARRY_OR_ZERO = 6,
    LESS = 12,
    LESS_OR_EQUAL = 14,
};

/* A place in the log, mask records passed over. */
struct place {
    const struct fnp_log *log;
    struct fnp_insns *insns;
    size_t at;
    struct fnp_record record;
    struct fnp_effect effect;
};

/* The table: entry k is `len` bytes at base + k * len and leads to `from` + its value. */
struct table {
    uint64_t base, from;
    unsigned len;
    uint8_t index; /* register */
    size_t entries;
};

static bool read_at(struct place *p, size_t at)
{
    const struct fnp_effect *e;

    p->at = at;
    fnp_log_read(p->log, at, &p->record);
    e = p->record.is_mask ? NULL : fnp_insns_at(p->insns, p->record.addr);
    if (e)
        p->effect = *e;
    return e != NULL;
}

static bool step_back(struct place *p)
{
    while (p->at > 0) {
        if (read_at(p, p->at - 1))
            return true;
    }
    return false;
}

static bool step_on(struct place *p)
{
    while (p->at + 1 < p->log->count) {
        if (read_at(p, p->at + 1))
            return true;
    }
    return false;
}

/* The access that reads entries of a table, NULL: none does. */
static const struct fnp_touch *entry_touch(const struct fnp_effect *e, bool is32)
{
    for (unsigned i = 0; i < e->n_touches; i++) {
        const struct fnp_touch *t = &e->touch[i];

        if (t->read && t->where == FNP_WHERE_PLAIN && t->index != FNP_NO_REG &&
            !t->segment && t->scale == t->len &&
            (t->len == 4 || (t->len == 8 && !is32)))
            return t;
    }
    return NULL;
}

/* Go back from the jump to the instruction that read the entry. */
static const struct fnp_touch *find_load(struct place *p)
{
    bool is32 = p->insns->image->is32;
    const struct fnp_touch *t = entry_touch(&p->effect, is32);

    for (unsigned i = 0; !t && i < LOAD_BEFORE && step_back(p); i++)
        t = p->effect.flow == FNP_FLOW_NEXT && p->effect.regs_written
                ? entry_touch(&p->effect, is32)
                : NULL;
    return t;
}

static bool read_entry(const struct fnp_image *image, const struct table *t, size_t k,
                       uint64_t *out)
{
    size_t avail = 0;
    const unsigned char *bytes = fnp_image_bytes(image, t->base + k * t->len, &avail);
    int32_t word = 0;

    if (!bytes || avail < t->len)
        return false;
    if (t->len == sizeof(*out)) {
        memcpy(out, bytes, sizeof(*out));
        return true;
    }
    memcpy(&word, bytes, sizeof(word));
    *out = t->from + (uint64_t)(int64_t)word;
    if (image->is32)
        *out = (uint32_t)*out;
    return true;
}

/* Base and kind of the table, from the entry that was read and where it led to. */
static bool find_base(const struct place *load, const struct fnp_touch *touch,
                      uint64_t went_to, struct table *t)
{
    const uint64_t *gpr = load->record.gpr;
    const struct fnp_image *image = load->insns->image;
    uint64_t entry = 0;
    size_t used;

    *t = (struct table){ .len = touch->len, .index = touch->index };
    t->base =
        (uint64_t)touch->disp + (touch->base != FNP_NO_REG ? gpr[touch->base] : 0);
    if (image->is32)
        t->base = (uint32_t)t->base;
    used = gpr[touch->index];
    if (used >= FNP_JUMP_TABLE_MAX || !read_entry(image, t, used, &entry))
        return false;
    t->from = went_to - entry;
    if (image->is32)
        t->from = (uint32_t)t->from;
    return t->len == 4 || t->from == 0;
}

/* How many values a compare that the branch behind it uses leaves; 0: any. */
static size_t left_by_compare(struct place p, uint64_t limit)
{
    uint64_t target;
    unsigned condition;
    bool taken;

    for (unsigned i = 0; p.effect.flow != FNP_FLOW_BRANCH; i++) {
        if (i == BRANCH_BEHIND || !step_on(&p))
            return 0;
    }
    condition = p.effect.condition;
    target = p.effect.target;
    if (limit >= FNP_JUMP_TABLE_MAX || p.effect.short_branch || !step_on(&p))
        return 0;
    /* The odd condition is the opposite of the even one before it. */
    taken = (p.record.addr == target) != (condition & 1);
    switch (condition & ~1u) {
    case CARRY:
    case LESS:
        return taken ? limit : 0;
    case CARRY_OR_ZERO:
    case LESS_OR_EQUAL:
        return taken ? limit + 1 : 0;
    default:
        return 0;
    }
}

/* How many entries the index, as it is at p, can choose from; 0: not known. */
static size_t find_bound(struct place p, uint8_t index)
{
    for (unsigned i = 0; i < BOUND_BEFORE && step_back(&p); i++) {
        const struct fnp_code code = fnp_insns_code(p.insns->image, p.record.addr);
        const struct fnp_bound b = fnp_bound_of(&code, p.record.addr);
        bool is_ours = b.kind != FNP_BOUND_NONE && b.reg == index;
        size_t count =
            is_ours && b.kind == FNP_BOUND_COMPARE ? left_by_compare(p, b.limit) : 0;

        if (count)
            return count;
        if (is_ours && b.kind == FNP_BOUND_MASK && b.limit < FNP_JUMP_TABLE_MAX)
            return b.limit + 1;
        if (is_ours && b.kind == FNP_BOUND_COPY)
            index = b.from;
        else if (p.effect.regs_written >> index & 1)
            return 0;
    }
    return 0;
}

/* A table that has a name and a size needs no compare. */
static size_t named_size(const struct fnp_image *image, const struct table *t)
{
    const struct fnp_symbol *s = fnp_image_symbol(image, t->base);

    return s && !s->is_code && t->base - s->addr < s->size
               ? (s->size - (t->base - s->addr)) / t->len
               : 0;
}

static void add_target(struct fnp_jump_table *out, uint64_t target)
{
    for (size_t i = 0; i < out->n_targets; i++) {
        if (out->target[i] == target)
            return;
    }
    out->target[out->n_targets++] = target;
}

bool fnp_jump_table_find(struct fnp_insns *insns, const struct fnp_log *log, size_t i,
                         struct fnp_jump_table *out)
{
    struct place p = { .log = log, .insns = insns };
    struct place next = p;
    const struct fnp_touch *touch = read_at(&p, i) ? find_load(&p) : NULL;
    struct table t;
    uint64_t target = 0;

    out->n_targets = 0;
    next.at = i;
    if (!touch || !step_on(&next) || !find_base(&p, touch, next.record.addr, &t))
        return false;
    t.entries = find_bound(p, t.index);
    if (!t.entries)
        t.entries = named_size(insns->image, &t);
    for (size_t k = 0; k < t.entries && k < FNP_JUMP_TABLE_MAX; k++) {
        if (!read_entry(insns->image, &t, k, &target) || !fnp_insns_at(insns, target))
            break;
        add_target(out, target);
    }
    return out->n_targets > 0;
}
