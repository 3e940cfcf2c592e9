/* SPDX-License-Identifier: MIT */
/*
 * tally.h - what became of a sample of a kernel's cases, in brief
 *
 * Enough to ask which of them another contract would have allowed, without any of the
 * outcomes.
 *
 * Depends on: subject, report/rules.h.
 */
#ifndef FNP_VERIFY_TALLY_H
#define FNP_VERIFY_TALLY_H

#include <stddef.h>
#include <stdint.h>

#include "report/rules.h"
#include "subject/case.h"
#include "subject/contract.h"

enum {
    FNP_TALLY_MAX = 384
};

struct fnp_tally_row {
    struct fnp_case c;
    uint64_t addr[FNP_MAX_BUFS]; /* where the buffers stood; 0: there is none */
    enum fnp_rule rule;          /* the first error; FNP_N_RULES: clean */
    uint32_t gprs, vectors;      /* registers lost, as masks */
};

struct fnp_tally {
    struct fnp_tally_row rows[FNP_TALLY_MAX];
    size_t count;
};

#endif
