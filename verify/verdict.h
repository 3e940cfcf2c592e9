/* SPDX-License-Identifier: MIT */
/*
 * verdict.h - verify kernels: plan, run, judge, shrink, and say pass or fail
 *
 * The composition of planner, workers, checks and shrinker.  Prints nothing; what
 * it finds goes to the caller's callbacks in kernel order.
 *
 * Depends on: plan, cursor_file, check, shrink, run/pool.h.
 */
#ifndef FNP_VERIFY_VERDICT_H
#define FNP_VERIFY_VERDICT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "report/finding.h"
#include "run/outcome.h"
#include "subject/kernel.h"
#include "verify/cursor_file.h"
#include "verify/plan.h"

struct fnp_verify_options {
    unsigned jobs;
    uint64_t seed;
    enum fnp_budget budget;
    double seconds;         /* BUDGET_SECONDS: for all kernels together */
    const char *exhaustive; /* box text for all kernels, NULL: none */
    bool declared; /* enumerate what the contracts declare; `deep` does so, too */
    struct fnp_cursor_file *cursor; /* opened and saved here, the caller closes; NULL */
    const char *version;    /* of fencepost; part of what a cursor is good for */
    bool only[FNP_N_RULES]; /* with has_only */
    bool skip[FNP_N_RULES];
    bool has_only;
    bool fail_on_warning;
    bool guess_inconclusive; /* `gate`: a guessed contract cannot pass */
    const bool *stop;        /* set by a signal handler: finish with what is known */
    /* Called in kernel order, findings of a kernel before its report. */
    void (*on_finding)(void *arg, const struct fnp_kernel *k,
                       const struct fnp_finding *f);
    void (*on_kernel)(void *arg, const struct fnp_kernel *k,
                      const struct fnp_kernel_report *r);
    /*
     * Called about ten times a second while cases run; may be NULL.  Points of boxes
     * count as cases, those that earlier runs have tried do not; `of` 0: unknown.
     */
    void (*on_progress)(void *arg, const char *kernel, uint64_t done, uint64_t of);
    void *arg;
};

/*
 * Verify kernels.  `summary` is filled except for `exit`, which the caller derives.
 * FNP_INPUT, before anything runs, for boxes and cursors that cannot be had; else it fails
 * only when fencepost itself cannot go on (exit 4).
 */
enum fnp_status fnp_verify(const struct fnp_kernels *kernels,
                           const struct fnp_verify_options *options,
                           struct fnp_summary *summary, struct fnp_err *err);

/* A case to run again; `after`, when not NULL, just before it should it be clean alone. */
struct fnp_trial {
    const struct fnp_case *c;
    const struct fnp_case *after;
};

/* The finding one case of one kernel shows (*found) or none; for replay. */
enum fnp_status fnp_verify_case(const struct fnp_kernel *kernel,
                                const struct fnp_trial *trial, bool *found,
                                struct fnp_finding *out, struct fnp_outcome *outcome,
                                struct fnp_err *err);

#endif
