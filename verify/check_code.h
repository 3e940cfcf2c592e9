/* SPDX-License-Identifier: MIT */
/*
 * check_code.h - which promises are broken by what the code alone shows
 *
 * Judges what src/trace finds by walking over a kernel's blocks, run or not.  It runs
 * nothing, so it serves kernels whose CPU feature is missing here, too.
 *
 * Depends on: check.h, subject/kernel.h, trace/unfenced.h, trace/unsaved.h.
 */
#ifndef FNP_VERIFY_CHECK_CODE_H
#define FNP_VERIFY_CHECK_CODE_H

#include "subject/kernel.h"
#include "trace/unfenced.h"
#include "trace/unsaved.h"
#include "verify/check.h"

/* What a walk over a kernel's code found. */
struct fnp_code_walk {
    struct fnp_unfenced unfenced;
    uint32_t n_unknown; /* indirect branches that are known as far as logs have them */
    bool done;          /* false: all is zero */
};
void fnp_code_walk(struct fnp_insns *insns, struct fnp_code_walk *out);

/*
 * A way without a fence that no recorded case took: a warning, or an info when there are
 * logs of all its blocks.  False: there is none, or the contract does not ask.
 */
bool fnp_check_unfenced(const struct fnp_kernel *k, const struct fnp_code_walk *walk,
                        struct fnp_finding *out);

/*
 * Everything the code alone shows of a kernel that cannot run here: features that `cpu`
 * does not have, missing fences, lost registers.  `left_out` is a set of rules.  Returns
 * how many were filled, at most FNP_CHECK_CODE_MAX.
 */
enum {
    FNP_CHECK_CODE_MAX = 3
};
size_t fnp_check_code(const struct fnp_kernel *k, uint64_t left_out,
                      struct fnp_finding out[FNP_CHECK_CODE_MAX]);

#endif
