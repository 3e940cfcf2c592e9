/* SPDX-License-Identifier: MIT */
/*
 * promise.h - promises nobody wrote down under which what was found would be allowed
 *
 * Pure: from a contract and a tally to weaker contracts that are worth an experiment.
 * Whether they hold is for the caller to find out, whether they were meant is for the
 * reader.
 *
 * Depends on: tally, plan.h (which cases a contract allows), kept.h.
 */
#ifndef FNP_VERIFY_PROMISE_H
#define FNP_VERIFY_PROMISE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "verify/tally.h"

struct fnp_promise_search {
    size_t row; /* of the table of promises */
    unsigned step;
};

struct fnp_promise {
    const char *key;    /* of the contract */
    uint64_t rules;     /* what it would allow, a set of enum fnp_rule */
    uint64_t cases;     /* of the tally that show one of them */
    enum fnp_rule rule; /* the one they all show; FNP_N_RULES: several */
    struct fnp_contract weaker;
};

/*
 * The next weaker contract, most telling first.  A promise about the calls (sizes,
 * alignment, overlap, values) is one only when every failing case breaks it, cases that
 * keep it pass, and those that break it fail often enough for this to be no accident.
 * `told` is a set of rules that need no promise any more.  False: there is none left.
 */
bool fnp_promise_next(const struct fnp_contract *contract,
                      const struct fnp_tally *tally, uint64_t told,
                      struct fnp_promise_search *search, struct fnp_promise *out);

#endif
