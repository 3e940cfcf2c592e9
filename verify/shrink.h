/* SPDX-License-Identifier: MIT */
/*
 * shrink.h - the smallest case, in canonical order, that still shows a finding
 *
 * Proposes cases; the caller runs and judges them.  Every proposal is within the
 * contract and canonical.
 *
 * Depends on: case, contract, plan.h (fnp_case_allowed).
 */
#ifndef FNP_VERIFY_SHRINK_H
#define FNP_VERIFY_SHRINK_H

#include <stddef.h>

#include "subject/case.h"
#include "subject/contract.h"

/*
 * Run cases[0, count), count <= 64, in order until one shows the finding; returns its
 * index, or count when none does.
 */
typedef size_t fnp_shrink_try(void *arg, const struct fnp_case *cases, size_t count);

/*
 * Field-wise descent in canonical order, then a joint search over size and dst
 * alignment, so that one fault found from different starts gives one case.
 * `max_tries` bounds the cases run.  `c` is replaced by the smallest case found.
 */
void fnp_shrink(const struct fnp_contract *contract, struct fnp_case *c,
                size_t max_tries, fnp_shrink_try *attempt, void *arg);

#endif
