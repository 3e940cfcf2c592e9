/* SPDX-License-Identifier: MIT */
/*
 * promise.c - the table of promises that are often meant and not written down
 *
 * `reads = aligned:N` is not among them: a guard begins at a page, and no aligned block
 * that holds a byte of the buffer reaches into it, so what the guards show is never
 * within such a block.
 */
#include "verify/promise.h"

#include <string.h>

#include "base/str.h"
#include "verify/kept.h"
#include "verify/plan.h"

enum {
    LEAST_CLEAN = 16, /* cases that keep the promise and pass */
    FAIL_ONE_IN = 5,  /* of the cases that break it, at least so many fail */
    MOST_ALIGN = 64,
    MOST_STEP = 4096,
    MOST_LEAST = 4096,
    VALUE_TEXT = 256
};

#define BIT(rule) ((uint64_t)1 << FNP_RULE_##rule)

/* What came out of a call, as opposed to the state it left behind. */
#define RESULTS                                                                        \
    (BIT(WRONG_BYTES) | BIT(STRAY_WRITE) | BIT(STRAY_READ) | BIT(SOURCE_CHANGED) |     \
     BIT(BAD_RETURN) | BIT(CRASH) | BIT(HANG) | BIT(ILLEGAL_INSTRUCTION))

/*
 * Makes variant `step` of a weaker contract; false behind the last one.  A variant that
 * makes no sense leaves the contract as it is.
 */
typedef bool fnp_weaken_fn(const struct fnp_tally *tally, unsigned step,
                           struct fnp_contract *c);

/* ---- about the calls */

static bool weaken_overlap(const struct fnp_tally *tally, unsigned step,
                           struct fnp_contract *c)
{
    static const enum fnp_overlap weaker[] = { FNP_OVERLAP_FORWARD,
                                               FNP_OVERLAP_BACKWARD, FNP_OVERLAP_SAME,
                                               FNP_OVERLAP_NONE };

    (void)tally;
    if (step == FNP_ARRAY_LEN(weaker)) {
        return false;
    }
    if (c->overlap == FNP_OVERLAP_ANY || weaker[step] == FNP_OVERLAP_NONE) {
        c->overlap = weaker[step];
    }
    return true;
}

/* 2, 4, 8 ... for dst, then src, then both. */
static bool weaken_align(const struct fnp_tally *tally, unsigned step,
                         struct fnp_contract *c)
{
    uint64_t align = (uint64_t)2 << step / 3;
    unsigned which = step % 3 + 1;

    (void)tally;
    for (size_t i = 0; i < c->n_bufs; i++) {
        if ((which >> c->bufs[i].role & 1) && c->bufs[i].align < align) {
            c->bufs[i].align = align;
        }
    }
    return align <= MOST_ALIGN;
}

static uint64_t longest_failing(const struct fnp_tally *tally)
{
    uint64_t n = 0;

    for (size_t i = 0; i < tally->count; i++) {
        const struct fnp_tally_row *row = &tally->rows[i];
        if (row->rule < FNP_N_RULES && (RESULTS >> row->rule & 1) && row->c.n > n) {
            n = row->c.n;
        }
    }
    return n;
}

static void take_step(struct fnp_sizes *s, uint64_t step, uint64_t least)
{
    if (step > s->step && step % s->step == 0) {
        s->least = (s->least + step - 1) & ~(step - 1);
        s->least = s->least < least ? least : s->least;
        s->step = step;
    }
}

/* From behind the longest one that fails. */
static void take_least(struct fnp_sizes *s, uint64_t least)
{
    uint64_t steps = least > s->least ? (least - s->least + s->step - 1) / s->step : 0;

    if (least <= MOST_LEAST) {
        s->least += steps * s->step;
    }
}

static void take_most(struct fnp_sizes *s, uint64_t most)
{
    s->most = s->most > most ? most : s->most;
}

/* 1:-, 0:-:2, 2:-:2, 0:-:4 ..., 0:2^31-1, 0:2^32-1 */
static bool weaken_sizes(const struct fnp_tally *tally, unsigned step,
                         struct fnp_contract *c)
{
    const unsigned n_steps = 24; /* two for each of 2, 4 ... 4096 */
    uint64_t power = step ? (uint64_t)2 << (step - 1) / 2 : 1;

    if (!c->has_n || c->sizes.count) {
        return false;
    }
    if (step == 0) {
        take_least(&c->sizes, longest_failing(tally) + 1);
    } else if (step <= n_steps) {
        take_step(&c->sizes, power, step % 2 ? 0 : power);
    } else {
        take_most(&c->sizes, step == n_steps + 1 ? INT32_MAX : UINT32_MAX);
    }
    return step <= n_steps + 2;
}

static bool weaken_values(const struct fnp_tally *tally, unsigned step,
                          struct fnp_contract *c)
{
    (void)tally;
    if (c->n_values && !c->values[0].count) {
        c->values[0].item[0] = 0;
        c->values[0].count = 1;
    }
    return step == 0;
}

/* ---- about what the call leaves behind */

static bool weaken_state(const struct fnp_tally *tally, unsigned step,
                         struct fnp_contract *c)
{
    (void)tally;
    if (c->state == FNP_STATE_USER) {
        c->state = FNP_STATE_MMX_LIVE;
    } else if (c->state == FNP_STATE_PRESERVE) {
        c->state = FNP_STATE_KERNEL_FPU;
    }
    return step == 0;
}

/* What may change by now, and what did. */
static bool weaken_clobbers(const struct fnp_tally *tally, unsigned step,
                            struct fnp_contract *c)
{
    const uint32_t there = c->is32 ? 0xff : 0xffff; /* registers of the mode */
    uint32_t gprs = there & ~fnp_kept_gprs(c) & ~(1u << FNP_RSP);
    uint32_t vectors = there & ~fnp_kept_xmm(c);

    if (c->state == FNP_STATE_PRESERVE) {
        vectors = 0;
    }
    for (size_t i = 0; i < tally->count; i++) {
        gprs |= tally->rows[i].gprs;
        vectors |= c->state == FNP_STATE_PRESERVE ? 0 : tally->rows[i].vectors;
    }
    c->has_clobbers = true;
    c->clobbers = gprs;
    c->clobbers_vector = vectors;
    return step == 0;
}

static bool weaken_redzone(const struct fnp_tally *tally, unsigned step,
                           struct fnp_contract *c)
{
    uint64_t usual = fnp_contract_usual_redzone(c); /* 0 where the ABI grants none */

    (void)tally;
    c->redzone = c->redzone < usual ? usual : c->redzone;
    return step == 0;
}

static bool weaken_returns(const struct fnp_tally *tally, unsigned step,
                           struct fnp_contract *c)
{
    static const enum fnp_returns other[] = { FNP_RETURNS_DST, FNP_RETURNS_DST_N,
                                              FNP_RETURNS_ZERO, FNP_RETURNS_NONE };

    (void)tally;
    if (step == FNP_ARRAY_LEN(other)) {
        return false;
    }
    if (c->returns_width == sizeof(uint64_t) || other[step] >= FNP_RETURNS_ZERO ||
        other[step] == FNP_RETURNS_NONE) {
        c->returns = other[step];
    }
    return true;
}

/* ---- the table */

/* Calls first: when their promise explains something, it says more than the others. */
static const struct {
    const char *key;
    uint64_t rules;
    bool by_case;
    fnp_weaken_fn *weaken;
} promises[] = {
    { "overlap",  RESULTS,                                  true,  weaken_overlap  },
    /* Aligned buffers end where their blocks do, so that an over-read hits no guard. */
    { "align",    RESULTS & ~BIT(STRAY_READ),               true,  weaken_align    },
    { "sizes",    RESULTS,                                  true,  weaken_sizes    },
    { "values",   RESULTS,                                  true,  weaken_values   },
    { "returns",  BIT(BAD_RETURN),                          false, weaken_returns  },
    { "state",    BIT(MMX_DIRTY),                           false, weaken_state    },
    { "state",    BIT(VECTOR_CHANGED) | BIT(X87_CHANGED),   false, weaken_state    },
    { "clobbers", BIT(REGISTER_LOST) | BIT(VECTOR_CHANGED), false, weaken_clobbers },
    { "redzone",  BIT(BELOW_STACK),                         false, weaken_redzone  },
};

static bool keeps(const struct fnp_contract *weaker, const struct fnp_tally_row *row)
{
    for (size_t i = 0; i < weaker->n_bufs; i++) {
        if (row->addr[weaker->bufs[i].role] % weaker->bufs[i].align) {
            return false;
        }
    }
    return fnp_case_allowed(weaker, &row->c, NULL);
}

/* Do the failing cases and those that break the promise belong together? */
static bool explains(const struct fnp_contract *weaker, const struct fnp_tally *tally,
                     uint64_t rules)
{
    size_t clean = 0, breaking = 0, failing = 0;

    for (size_t i = 0; i < tally->count; i++) {
        const struct fnp_tally_row *row = &tally->rows[i];
        bool fails = row->rule < FNP_N_RULES && (rules >> row->rule & 1);
        bool kept = keeps(weaker, row);

        if (fails && kept) {
            return false;
        }
        clean += kept;
        breaking += !kept;
        failing += fails;
    }
    return clean >= LEAST_CLEAN && failing * FAIL_ONE_IN >= breaking;
}

static void count_cases(const struct fnp_tally *tally, struct fnp_promise *out)
{
    out->cases = 0;
    out->rule = FNP_N_RULES;
    for (size_t i = 0; i < tally->count; i++) {
        enum fnp_rule rule = tally->rows[i].rule;

        if (rule == FNP_N_RULES || !(out->rules >> rule & 1)) {
            continue;
        }
        out->rule = out->cases++ && rule != out->rule ? FNP_N_RULES : rule;
    }
}

/* The same promise as before, only written again? */
static bool is_same(const struct fnp_contract *a, const struct fnp_contract *b,
                    const char *key)
{
    char left[VALUE_TEXT], right[VALUE_TEXT];
    struct fnp_str x = fnp_str_over(left, sizeof(left));
    struct fnp_str y = fnp_str_over(right, sizeof(right));

    fnp_contract_value(a, key, &x);
    fnp_contract_value(b, key, &y);
    return !strcmp(left, right);
}

bool fnp_promise_next(const struct fnp_contract *contract,
                      const struct fnp_tally *tally, uint64_t told,
                      struct fnp_promise_search *search, struct fnp_promise *out)
{
    while (search->row < FNP_ARRAY_LEN(promises)) {
        bool by_case = promises[search->row].by_case;

        out->key = promises[search->row].key;
        out->rules = promises[search->row].rules & ~told;
        out->weaker = *contract;
        count_cases(tally, out);
        if (!out->cases ||
            !promises[search->row].weaken(tally, search->step++, &out->weaker)) {
            search->row++;
            search->step = 0;
            continue;
        }
        if (!is_same(contract, &out->weaker, out->key) &&
            (!by_case || explains(&out->weaker, tally, out->rules))) {
            return true;
        }
    }
    return false;
}
