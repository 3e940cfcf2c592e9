/* SPDX-License-Identifier: MIT */
/*
 * box.c - declared boxes of cases, enumerated completely one after the other
 */
#include <inttypes.h>
#include <string.h>

#include "verify/plan_parts.h"

enum {
    MAX_DIMENSIONS = 24,
    MAX_ITEMS = 64,
    MAX_PARTS = 16,
    QUOTED = 40,
    PROBES = 65536
};

#define BOX_MAX (1ull << 40)

/* first, first + step, ... `count` values. */
struct item {
    uint64_t first, step, count;
};

struct dimension {
    size_t key;
    uint64_t count;
    size_t n_items;
    struct item *items;
};

/* One box of those that "+" joins. */
struct part {
    uint64_t count;
    size_t n_dimensions;
    struct dimension dimensions[MAX_DIMENSIONS];
};

struct fnp_box {
    struct fnp_case base; /* of the keys that are not named */
    size_t n_parts;
    struct part *parts;
};

bool fnp_box_case(const struct fnp_plan *plan, uint64_t i, struct fnp_case *c)
{
    const struct fnp_box *box = plan->box;
    const struct part *part = box->parts;

    for (; i >= part->count; part++)
        i -= part->count;
    *c = box->base;
    for (size_t k = 0; k < part->n_dimensions; k++) {
        const struct dimension *d = &part->dimensions[k];
        const struct item *item = d->items;
        uint64_t at = i % d->count;

        i /= d->count;
        for (; at >= item->count; item++)
            at -= item->count;
        fnp_case_key_set(c, d->key, item->first + at * item->step);
    }
    fnp_case_canonical(c);
    return fnp_case_allowed(plan->contract, c, NULL);
}

static enum fnp_status bad_item(const char *name, const char *text, size_t len,
                                struct fnp_err *err)
{
    return fnp_err_set(err, FNP_INPUT,
                       "box: %s=%.*s is not a range LO:HI or LO:HI:STEP", name,
                       (int)(len < QUOTED ? len : QUOTED), text);
}

/* LO:HI or LO:HI:STEP. */
static enum fnp_status read_range(size_t key, const char *text, size_t len,
                                  struct item *item, struct fnp_err *err)
{
    const char *name = fnp_case_keys[key].name;
    const char *end = text + len;
    const char *colon = memchr(text, ':', len);
    const char *high = colon + 1;
    const char *again = memchr(high, ':', (size_t)(end - high));
    uint64_t last = 0, step = 1;
    bool is_signed = false, ordered = false;
    enum fnp_status status = FNP_OK;

    status = fnp_case_key_read(key, text, (size_t)(colon - text), &item->first, err);
    if (!status)
        status = fnp_case_key_read(key, high, (size_t)((again ? again : end) - high),
                                   &last, err);
    if (status)
        return status;
    if (again) {
        size_t digits = (size_t)(end - again) - 1;

        if (digits == 0 || digits > 9 || strspn(again + 1, "0123456789") < digits)
            return bad_item(name, text, len, err);
        step = 0;
        for (size_t k = 1; k <= digits; k++)
            step = step * 10 + (uint64_t)(again[k] - '0');
    }
    fnp_case_key_counts(key, &is_signed);
    ordered = is_signed ? (int64_t)item->first <= (int64_t)last : item->first <= last;
    if (!ordered || step == 0)
        return bad_item(name, text, len, err);
    item->step = step;
    item->count = (last - item->first) / step;
    if (item->count < UINT64_MAX)
        item->count++;
    return FNP_OK;
}

static size_t n_items_of(const char *text, size_t len)
{
    size_t count = 1;

    for (size_t k = 0; k < len; k++)
        count += text[k] == '|';
    return count;
}

static enum fnp_status read_dimension(struct fnp_arena *arena, struct dimension *d,
                                      const char *text, size_t len, struct fnp_err *err)
{
    bool is_signed = false;
    bool counts = fnp_case_key_counts(d->key, &is_signed);
    const char *end = text + len;
    size_t n_items = n_items_of(text, len);

    if (n_items > MAX_ITEMS)
        return fnp_err_set(err, FNP_INPUT, "box: more than %d values for %s", MAX_ITEMS,
                           fnp_case_keys[d->key].name);
    d->items = fnp_arena_array(arena, n_items, sizeof(*d->items));
    for (;;) {
        const char *bar = memchr(text, '|', (size_t)(end - text));
        size_t n = (size_t)((bar ? bar : end) - text);
        struct item *item = &d->items[d->n_items];
        enum fnp_status status = FNP_OK;

        *item = (struct item){ 0, 1, 1 };
        if (counts && memchr(text, ':', n))
            status = read_range(d->key, text, n, item, err);
        else
            status = fnp_case_key_read(d->key, text, n, &item->first, err);
        if (status)
            return status;
        d->n_items++;
        if (__builtin_add_overflow(d->count, item->count, &d->count))
            d->count = UINT64_MAX;
        if (!bar)
            return FNP_OK;
        text = bar + 1;
    }
}

static enum fnp_status read_word(struct fnp_arena *arena, struct part *part,
                                 const char *word, size_t len, struct fnp_err *err)
{
    const char *equals = memchr(word, '=', len);
    size_t name = equals ? (size_t)(equals - word) : len;
    size_t key = fnp_case_key_find(word, name);
    struct dimension *d = &part->dimensions[part->n_dimensions];

    /* The parser of cases knows how to complain about keys. */
    if (!equals || key == fnp_case_n_keys) {
        struct fnp_case unused;
        char text[QUOTED + 8];
        struct fnp_str str = fnp_str_over(text, sizeof(text));

        fnp_str_add(&str, "v1 %.*s", (int)(len < QUOTED ? len : QUOTED), word);
        return fnp_case_parse(text, &unused, err);
    }
    for (size_t k = 0; k < part->n_dimensions; k++) {
        if (part->dimensions[k].key == key)
            return fnp_err_set(err, FNP_INPUT, "box: key \"%s\" is given twice",
                               fnp_case_keys[key].name);
    }
    if (part->n_dimensions == MAX_DIMENSIONS)
        return fnp_err_set(err, FNP_INPUT, "box: more than %d keys", MAX_DIMENSIONS);
    d->key = key;
    part->n_dimensions++;
    return read_dimension(arena, d, equals + 1, len - name - 1, err);
}

/* The next word between blanks; *len 0: there is none. */
static const char *next_word(const char *text, size_t *len)
{
    static const char blanks[] = " \t";

    text += strspn(text, blanks);
    *len = strcspn(text, blanks);
    return text;
}

static bool is_plus(const char *word, size_t len)
{
    return len == 1 && *word == '+';
}

static size_t n_parts_of(const char *text)
{
    size_t count = 1, len = 0;

    for (text = next_word(text, &len); len; text = next_word(text + len, &len))
        count += is_plus(text, len);
    return count;
}

static enum fnp_status finish_part(struct part *part, struct fnp_err *err)
{
    if (part->n_dimensions == 0)
        return fnp_err_set(err, FNP_INPUT, "box: it names no key");
    part->count = 1;
    for (size_t k = 0; k < part->n_dimensions; k++) {
        if (__builtin_mul_overflow(part->count, part->dimensions[k].count,
                                   &part->count))
            part->count = UINT64_MAX;
    }
    return FNP_OK;
}

static enum fnp_status read_box(struct fnp_arena *arena, struct fnp_box *box,
                                const char *text, struct fnp_err *err)
{
    struct part *part = NULL;
    enum fnp_status status = FNP_OK;
    size_t len = 0;

    box->n_parts = n_parts_of(text);
    if (box->n_parts > MAX_PARTS)
        return fnp_err_set(err, FNP_INPUT, "box: more than %d boxes", MAX_PARTS);
    part = box->parts = fnp_arena_array(arena, box->n_parts, sizeof(*box->parts));
    for (text = next_word(text, &len); len && !status;
         text = next_word(text + len, &len)) {
        if (is_plus(text, len))
            status = finish_part(part++, err);
        else
            status = read_word(arena, part, text, len, err);
    }
    return status ? status : finish_part(part, err);
}

/* Looks at the first cases only: enough to notice a box that lies outside. */
static enum fnp_status find_any(const struct fnp_plan *plan, uint64_t first,
                                uint64_t count, struct fnp_err *err)
{
    struct fnp_err why = { { 0 } };
    struct fnp_case c;

    for (uint64_t i = 0; i < count && i < PROBES; i++) {
        if (fnp_box_case(plan, first + i, &c))
            return FNP_OK;
    }
    fnp_box_case(plan, first, &c);
    fnp_case_allowed(plan->contract, &c, &why);
    return fnp_err_set(err, FNP_INPUT, "box: no case of it is allowed: %s", why.text);
}

enum fnp_status fnp_plan_box(struct fnp_arena *arena, struct fnp_plan *plan,
                             const char *text, struct fnp_err *err)
{
    struct fnp_box *box = fnp_arena_alloc(arena, sizeof(*box));
    uint64_t count = 0;
    enum fnp_status status = read_box(arena, box, text, err);

    for (size_t k = 0; !status && k < box->n_parts; k++) {
        if (box->parts[k].count > BOX_MAX - count)
            return fnp_err_set(err, FNP_INPUT, "box: more than 2^40 cases");
        count += box->parts[k].count;
    }
    if (status)
        return status;
    box->base = fnp_case_default();
    if (plan->n_sizes > 0)
        fnp_plan_fit(plan, &box->base);
    plan->box = box;
    for (size_t k = 0, first = 0; !status && k < box->n_parts; k++) {
        status = find_any(plan, first, box->parts[k].count, err);
        first += box->parts[k].count;
    }
    if (status) {
        plan->box = NULL;
        return status;
    }
    plan->box_count = count;
    plan->count += count;
    return FNP_OK;
}

void fnp_plan_leave_box(struct fnp_plan *plan)
{
    plan->box_untried = plan->box_count;
    plan->count -= plan->box_count;
    plan->box_count = 0;
    plan->box = NULL;
}
