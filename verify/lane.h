/* SPDX-License-Identifier: MIT */
/*
 * lane.h - verify one kernel from plan to findings, with a pool of its own
 *
 * Internal to verify/.  Lanes run in processes of their own, side by side; what one
 * finds is plain data in shared memory.
 *
 * Depends on: verdict.h, run/pool.h.
 */
#ifndef FNP_VERIFY_LANE_H
#define FNP_VERIFY_LANE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "run/pool.h"
#include "verify/verdict.h"

enum {
    FNP_LANE_FINDINGS = 3, /* shown for one kernel; the rest is only counted */
    FNP_CHECK_TEXT = 80,   /* bytes of a group's state */
};

/* Everything about one kernel's verification, without pointers into a lane. */
struct fnp_lane_result {
    volatile bool done;
    volatile uint64_t progress; /* indices of the plan done so far, for the live line */
    volatile uint64_t clean;    /* first points of the box that were tried and clean */
    bool anew;                  /* the cursor's line was of no use */
    struct fnp_kernel_report
        report; /* its texts point into this struct or the kernel */
    struct fnp_finding findings[FNP_LANE_FINDINGS];
    size_t n_findings;
    uint64_t n_errors; /* unwaived */
    uint64_t n_waived;
    char reason[160];
    char checks[FNP_N_CHECK_GROUPS][FNP_CHECK_TEXT];
    char notes[FNP_NOTES_MAX][160];
    uint32_t allows_used; /* bit k: entry k of contract->allows covered a finding */
};

struct fnp_tracing;

struct fnp_lane {
    const struct fnp_kernels *kernels;
    const struct fnp_plan *plans; /* one a kernel */
    const struct fnp_verify_options *options;
    struct fnp_pool *pool;
    struct fnp_tracing *tracing; /* NULL: nothing is recorded */
    unsigned workers;
    const volatile bool *stop;
    double seconds; /* for one kernel; 0: no limit */
};

/* Rules the command line leaves out, as a mask. */
uint64_t fnp_lane_left_out(const struct fnp_verify_options *o);

/* Verify kernel `index`; everything but `done` of the result is filled. */
void fnp_lane_kernel(struct fnp_lane *lane, size_t index,
                     struct fnp_lane_result *result);

/* The same for one that cannot run here: what its code alone shows; the verdict is skip. */
void fnp_lane_skipped(const struct fnp_lane *lane, size_t index,
                      struct fnp_lane_result *result);

/* The pool's callbacks; `arg` is the lane. */
bool fnp_lane_generate(void *arg, size_t kernel, uint64_t i, struct fnp_case *out);
bool fnp_lane_screen(void *arg, size_t kernel, uint64_t ignore,
                     const struct fnp_outcome *outcome);

/*
 * Make the finding that stands for a suspicious outcome: confirm it alone in a fresh
 * worker, shrink its case, run the variants, judge the group, say where.  `ignore` is
 * a set of rules as in slices.  False when nothing is left of it.
 */
bool fnp_confirm(struct fnp_lane *lane, size_t kernel, const struct fnp_outcome *seen,
                 uint64_t ignore, struct fnp_finding *out);

/* Does the case of a suspicious outcome still show something alone in a fresh worker? */
bool fnp_confirm_alone(struct fnp_lane *lane, size_t kernel,
                       const struct fnp_outcome *seen, uint64_t ignore);

/*
 * Run one case (and its variants) and judge it; for replay.  When it is clean alone and
 * `after` is not NULL, once more right behind that case.
 */
bool fnp_confirm_case(struct fnp_lane *lane, size_t kernel, const struct fnp_case *c,
                      const struct fnp_case *after, struct fnp_finding *out,
                      struct fnp_outcome *outcome);

/* Text of a case as the kernel's contract wants it written. */
void fnp_lane_case_text(const struct fnp_kernel *kernel, const struct fnp_case *c,
                        struct fnp_finding *f);

#endif
