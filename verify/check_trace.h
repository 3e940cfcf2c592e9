/* SPDX-License-Identifier: MIT */
/*
 * check_trace.h - from the footprint of a recorded call to which promises are broken
 *
 * What the recorder sees and no comparison of memory does: single accesses.  Pure
 * functions, as in check.h; they run nothing.
 *
 * Depends on: check.h, trace/footprint.h.
 */
#ifndef FNP_VERIFY_CHECK_TRACE_H
#define FNP_VERIFY_CHECK_TRACE_H

#include "trace/footprint.h"
#include "verify/check.h"

/* What the contract says about single bytes. */
struct fnp_footprint_rules fnp_trace_rules(const struct fnp_contract *contract);

/*
 * Everything that is wrong with a footprint, in the order of the table in check_trace.c;
 * `outcome` is of the same run.  Fills what fnp_check_outcome fills; *insn and *round of
 * entry i are the instruction that did it, 0: none.  At most FNP_CHECK_MAX.
 */
struct fnp_traced_finding {
    struct fnp_finding finding;
    uint64_t insn;
    uint32_t round;
};
size_t fnp_check_footprint(const struct fnp_contract *contract,
                           const struct fnp_outcome *outcome,
                           const struct fnp_footprint *footprint,
                           struct fnp_traced_finding out[FNP_CHECK_MAX]);

#endif
