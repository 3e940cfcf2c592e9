/* SPDX-License-Identifier: MIT */
/*
 * neighbour.c - tables of what is mistaken for what
 */
#include "verify/neighbour.h"

#include <ctype.h>
#include <string.h>

#include "base/str.h"

enum {
    MOST_SWAPPED = 4, /* parameters; with more of them a guess is no hint */
};

/* Makes number `i` of one kind; what makes no sense leaves the contract as it is. */
typedef void fnp_neighbour_fn(struct fnp_arena *arena, unsigned i,
                              struct fnp_contract *c);

static const struct {
    enum fnp_abi is, may_be;
} abis[] = {
    { FNP_ABI_SYSV64,   FNP_ABI_MS64     },
    { FNP_ABI_MS64,     FNP_ABI_SYSV64   },
    { FNP_ABI_I386,     FNP_ABI_REGPARM3 },
    { FNP_ABI_REGPARM3, FNP_ABI_I386     },
};

static void other_abi(struct fnp_arena *arena, unsigned i, struct fnp_contract *c)
{
    bool usual = c->redzone == fnp_contract_usual_redzone(c);

    (void)arena;
    if (c->abi != abis[i].is) {
        return;
    }
    c->abi = abis[i].may_be;
    if (usual) {
        c->redzone = fnp_contract_usual_redzone(c);
    }
}

/* Parameter `i` as it was written: from *at on, *len characters. */
static const char *written(const char *proto, size_t i, size_t *len)
{
    const char *at = strchr(proto, '(') + 1;

    for (; i; i--) {
        at += strcspn(at, ",");
        at += *at == ',';
    }
    at += strspn(at, " \t");
    *len = strcspn(at, ",)");
    while (*len && isspace((unsigned char)at[*len - 1])) {
        (*len)--;
    }
    return at;
}

/* The prototype with the texts of two parameters, a before b, exchanged. */
static const char *exchange(struct fnp_arena *arena, const char *proto, size_t a,
                            size_t b)
{
    size_t a_len = 0, b_len = 0;
    const char *first = written(proto, a, &a_len);
    const char *second = written(proto, b, &b_len);
    const char *between = first + a_len;

    return fnp_arena_printf(arena, "%.*s%.*s%.*s%.*s%s", (int)(first - proto), proto,
                            (int)b_len, second, (int)(second - between), between,
                            (int)a_len, first, second + b_len);
}

/* Two of a kind keep their meaning by their place, so there is nothing to exchange. */
static bool differ(const struct fnp_contract *c, const struct fnp_param *a,
                   const struct fnp_param *b)
{
    return a->kind != b->kind || (a->kind == FNP_PARAM_BUF &&
                                  c->bufs[a->buf].writes != c->bufs[b->buf].writes);
}

static void other_order(struct fnp_arena *arena, unsigned i, struct fnp_contract *c)
{
    size_t a = i / MOST_SWAPPED, b = i % MOST_SWAPPED;
    struct fnp_param kept;

    if (c->abi == FNP_ABI_REGS || c->n_params > MOST_SWAPPED) {
        return;
    }
    if (a < b && b < c->n_params && differ(c, &c->params[a], &c->params[b])) {
        c->proto = exchange(arena, c->proto, a, b);
        kept = c->params[a];
        c->params[a] = c->params[b];
        c->params[b] = kept;
    }
}

/* n/8, n/4, n/2 in place of n. */
static void other_unit(struct fnp_arena *arena, unsigned i, struct fnp_contract *c)
{
    uint64_t unit = 8u >> i;

    for (size_t k = 0; k < c->n_params; k++) {
        struct fnp_param *p = &c->params[k];
        size_t len = 0;
        const char *text;

        if (p->kind != FNP_PARAM_LEN || p->divisor != 1 || c->sizes.count ||
            unit % c->sizes.step) {
            continue;
        }
        text = written(c->proto, k, &len) + len;
        c->proto = fnp_arena_printf(arena, "%.*s/%u%s", (int)(text - c->proto),
                                    c->proto, (unsigned)unit, text);
        p->divisor = unit;
        c->sizes.step = unit;
        c->sizes.least = (c->sizes.least + unit - 1) / unit * unit;
    }
}

static const struct {
    const char *key;
    fnp_neighbour_fn *make;
    unsigned count;
} kinds[] = {
    { "abi",   other_abi,   FNP_ARRAY_LEN(abis)        },
    { "proto", other_order, MOST_SWAPPED *MOST_SWAPPED },
    { "proto", other_unit,  3                          },
};

static bool is_other(const struct fnp_contract *a, const struct fnp_contract *b)
{
    return a->abi != b->abi || a->proto != b->proto;
}

bool fnp_neighbour_next(struct fnp_arena *arena, const struct fnp_contract *contract,
                        unsigned *at, struct fnp_contract *out, const char **key)
{
    for (;; ++*at) {
        unsigned i = *at;
        size_t kind = 0;

        while (kind < FNP_ARRAY_LEN(kinds) && i >= kinds[kind].count) {
            i -= kinds[kind++].count;
        }
        if (kind == FNP_ARRAY_LEN(kinds)) {
            return false;
        }
        *out = *contract;
        *key = kinds[kind].key;
        kinds[kind].make(arena, i, out);
        if (is_other(contract, out)) {
            ++*at;
            return true;
        }
    }
}
