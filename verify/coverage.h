/* SPDX-License-Identifier: MIT */
/*
 * coverage.h - what the recorded cases of kernels ran of their code
 *
 * The cases are those that `verify` records (tracing.h), and nothing is judged.
 *
 * Depends on: verdict (options), trace/cover.h.
 */
#ifndef FNP_VERIFY_COVERAGE_H
#define FNP_VERIFY_COVERAGE_H

#include "trace/cover.h"
#include "verify/verdict.h"

/* Of one kernel; valid while it is told. */
struct fnp_coverage {
    const struct fnp_kernel *kernel;
    const struct fnp_cover *cover;
    uint64_t cases;      /* recorded to their end */
    uint64_t unfinished; /* ... not to their end */
    const char *why;     /* of the first of those; NULL: none */
};

/*
 * Record the cases of each kernel's plan (options: seed, budget, stop) and tell what they
 * ran.  Kernels that cannot run here are passed over.  Fails when fencepost itself cannot
 * go on.
 */
enum fnp_status fnp_coverage(const struct fnp_kernels *kernels,
                             const struct fnp_verify_options *options,
                             void (*tell)(void *arg, const struct fnp_coverage *c),
                             void *arg, struct fnp_err *err);

/* The state of FNP_CHECK_COVERAGE in `text` (FNP_CHECK_TEXT bytes), and the counts. */
void fnp_coverage_put(const struct fnp_cover_counts *counts,
                      struct fnp_kernel_report *report, char *text);

#endif
