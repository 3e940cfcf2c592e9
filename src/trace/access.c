/* SPDX-License-Identifier: MIT */
#include "trace/access.h"

#include <string.h>

#include "x86/xsave.h"

struct walk {
    struct fnp_insns *insns;
    const struct fnp_steps *steps;
    const struct fnp_record *now, *next;
    const uint8_t *mask; /* of the instruction at hand; NULL: none was logged */
    uint8_t mask_bytes[sizeof(((struct fnp_record *)0)->mask)];
    uint64_t after; /* rcx behind the last instruction */
    bool is32;
};

/* The low `width` bytes. */
static uint64_t cut(uint64_t value, unsigned width)
{
    return width == 8 ? value : value & ((1ull << 8 * width) - 1);
}

static unsigned word_len(const struct walk *w)
{
    return fnp_word_len(w->is32);
}

/* Segment, base, index and displacement; without what `where` adds. */
static uint64_t plain(const struct walk *w, const struct fnp_touch *t)
{
    const uint64_t *gpr = w->now->gpr;
    uint64_t addr = (uint64_t)t->disp;

    addr += t->base != FNP_NO_REG ? gpr[t->base] : 0;
    addr += t->index != FNP_NO_REG ? gpr[t->index] * t->scale : 0;
    return addr;
}

/* BT and its kin with a register: the bit string goes both ways (SDM vol. 2A, 3.1.1.9). */
static uint64_t bit_string(const struct walk *w, const struct fnp_touch *t)
{
    uint64_t bit = t->mask != FNP_NO_REG ? w->now->gpr[t->mask] : 0;
    int64_t number = t->len == 8   ? (int64_t)bit
                     : t->len == 4 ? (int32_t)bit
                                   : (int16_t)bit;
    int64_t bits = 8 * (int64_t)t->len;
    int64_t word = number >= 0 ? number / bits : -((bits - 1 - number) / bits);

    return plain(w, t) + (uint64_t)(word * t->len);
}

static uint64_t address(const struct walk *w, const struct fnp_touch *t)
{
    switch (t->where) {
    case FNP_WHERE_PUSHED:
        return w->now->gpr[FNP_RSP] - t->len;
    case FNP_WHERE_BITS:
        return cut(bit_string(w, t), t->width);
    case FNP_WHERE_XLAT:
        return cut(plain(w, t) + (w->now->gpr[FNP_RAX] & 0xff), t->width);
    case FNP_WHERE_LINE:
        return cut(plain(w, t), t->width) & ~(uint64_t)(t->len - 1);
    default:
        return cut(plain(w, t), t->width);
    }
}

/* Bytes of it; of a string, one element. */
static uint64_t length(const struct walk *w, const struct fnp_touch *t)
{
    const uint64_t parts = w->now->gpr[FNP_RDX] << 32 | (uint32_t)w->now->gpr[FNP_RAX];

    if (t->where == FNP_WHERE_IMAGE || t->where == FNP_WHERE_COMPACT)
        return fnp_xsave_len(parts, t->where == FNP_WHERE_COMPACT);
    return t->len;
}

static void tell(const struct walk *w, const struct fnp_step *s,
                 struct fnp_traced_access *a)
{
    a->addr = cut(a->addr, word_len(w));
    if ((a->len || a->unknown) && w->steps->access)
        w->steps->access(w->steps->arg, s, a);
}

/* How often a repeated string instruction ran. */
static uint64_t rounds(const struct walk *w, const struct fnp_step *s)
{
    unsigned width = word_len(w) / (s->effect->ecx_only ? 2 : 1);
    /* A comparison or a fault may have ended it; then rcx tells how much was left. */
    uint64_t left = s->is_last ? w->after : w->next->gpr[FNP_RCX];

    return s->effect->rep ? cut(w->now->gpr[FNP_RCX], width) - cut(left, width) : 1;
}

/* Its registers show which way it went; of the last step what DF must have been. */
static bool goes_back(const struct walk *w, const struct fnp_step *s,
                      const struct fnp_touch *t)
{
    uint64_t moved = cut(w->next->gpr[t->base] - w->now->gpr[t->base], t->width);

    return s->is_last ? s->df : moved >> (8 * t->width - 1);
}

static void tell_string(const struct walk *w, const struct fnp_step *s,
                        const struct fnp_touch *t, struct fnp_traced_access *a)
{
    uint64_t count = rounds(w, s);

    a->len = count * t->len;
    if (count && goes_back(w, s, t))
        a->addr -= a->len - t->len;
    tell(w, s, a);
}

/* Is element i let through? */
static bool lets(const struct walk *w, const struct fnp_touch *t, unsigned i)
{
    const uint8_t *mask = w->mask;

    if (t->masked == FNP_MASKED_K || t->masked == FNP_MASKED_PACKED)
        return mask[i / 8] >> (i % 8) & 1;
    return mask[i * t->element + t->element - 1u] & 0x80;
}

/* As many elements as the mask lets through. */
static void tell_packed(const struct walk *w, const struct fnp_step *s,
                        const struct fnp_touch *t, struct fnp_traced_access *a)
{
    uint64_t count = 0;

    for (unsigned i = 0; i < t->len / t->element; i++)
        count += lets(w, t, i);
    a->len = count * t->element;
    a->element = t->element;
    tell(w, s, a);
}

/* Each run of elements that the mask lets through. */
static void tell_masked(const struct walk *w, const struct fnp_step *s,
                        const struct fnp_touch *t, struct fnp_traced_access *a)
{
    unsigned count = t->element ? (unsigned)t->len / t->element : 0;
    uint64_t base = a->addr;

    if (!w->mask || count == 0) {
        a->maybe = true;
        tell(w, s, a);
        return;
    }
    if (t->masked == FNP_MASKED_PACKED) {
        tell_packed(w, s, t, a);
        return;
    }
    for (unsigned i = 0; i < count;) {
        unsigned first = i;

        while (i < count && lets(w, t, i))
            i++;
        a->addr = base + first * t->element;
        a->len = (uint64_t)(i - first) * t->element;
        a->element = t->element;
        tell(w, s, a);
        i += i == first;
    }
}

static void tell_touch(const struct walk *w, const struct fnp_step *s,
                       const struct fnp_touch *t)
{
    struct fnp_traced_access a = {
        .addr = address(w, t),
        .len = length(w, t),
        .element = t->len,
        .read = t->read,
        .write = t->write,
        .weak = t->weak,
        .maybe = t->maybe,
        .unknown = t->segment || t->where == FNP_WHERE_VECTOR,
    };

    if (t->where == FNP_WHERE_STRING)
        tell_string(w, s, t, &a);
    else if (t->masked)
        tell_masked(w, s, t, &a);
    else
        tell(w, s, &a);
}

/* The stack pointer behind the last step, which nothing recorded: a call pushes. */
static uint64_t last_rsp(const struct walk *w, const struct fnp_effect *e)
{
    uint64_t rsp = w->now->gpr[FNP_RSP];

    for (unsigned i = 0; i < e->n_touches; i++) {
        if (e->touch[i].where == FNP_WHERE_PUSHED)
            rsp -= e->touch[i].len;
    }
    return rsp;
}

/* Where an indirect branch goes, which the code alone does not say. */
static void keep_way(const struct walk *w, const struct fnp_step *s)
{
    bool branches =
        s->effect->flow == FNP_FLOW_JUMP || s->effect->flow == FNP_FLOW_CALL;

    if (branches && !s->effect->is_direct)
        fnp_insns_go(w->insns, s->addr, s->is_last ? 0 : w->next->addr);
}

static bool tell_step(struct walk *w, struct fnp_step *s)
{
    s->addr = w->now->addr;
    s->gpr = w->now->gpr;
    s->flags = w->now->flags;
    s->effect = fnp_insns_step(w->insns, s->addr);
    if (!s->effect)
        return false;
    s->rsp_after = s->is_last ? last_rsp(w, s->effect) : w->next->gpr[FNP_RSP];
    if (w->steps->step)
        w->steps->step(w->steps->arg, s);
    /* What was left out touched nothing. */
    for (unsigned i = 0; i < s->effect->n_touches && !s->effect->stand_in; i++)
        tell_touch(w, s, &s->effect->touch[i]);
    s->df = s->effect->sets_df || (s->df && !s->effect->clears_df);
    keep_way(w, s);
    s->index++;
    return true;
}

/* The record of the next instruction from *at on; its mask goes to w->mask_bytes. */
static bool read_next(const struct fnp_log *log, size_t *at, struct fnp_record *out,
                      uint8_t *mask, bool *has_mask)
{
    *has_mask = false;
    while (*at < log->count) {
        fnp_log_read(log, (*at)++, out);
        if (!out->is_mask)
            return true;
        memcpy(mask, out->mask, sizeof(out->mask));
        *has_mask = true;
    }
    return false;
}

bool fnp_trace_walk(struct fnp_insns *insns, const struct fnp_log *log,
                    const struct fnp_steps *steps)
{
    struct walk w = {
        .insns = insns, .steps = steps, .after = log->after, .is32 = log->is32
    };
    struct fnp_record records[2];
    struct fnp_step step = { 0 };
    uint8_t mask[sizeof(w.mask_bytes)] = { 0 };
    size_t at = 0;
    bool has_mask = false;
    bool more = read_next(log, &at, &records[0], mask, &has_mask);

    for (unsigned i = 0; more; i ^= 1) {
        w.now = &records[i];
        w.next = &records[i ^ 1];
        w.mask = has_mask ? w.mask_bytes : NULL;
        if (has_mask)
            memcpy(w.mask_bytes, mask, sizeof(mask));
        more = read_next(log, &at, &records[i ^ 1], mask, &has_mask);
        step.is_last = !more;
        if (!tell_step(&w, &step))
            return false;
    }
    return true;
}
