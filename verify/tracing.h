/* SPDX-License-Identifier: MIT */
/*
 * tracing.h - the cases of a kernel that are recorded, and the findings of their traces
 *
 * Internal to verify/.  What a trace shows is confirmed, shrunk and told like anything
 * else; the case is recorded again for each step of that.
 *
 * Depends on: lane, check_code, check_trace, trace/cover.h.
 */
#ifndef FNP_VERIFY_TRACING_H
#define FNP_VERIFY_TRACING_H

#include "trace/cover.h"
#include "verify/check_code.h"
#include "verify/lane.h"

/* Recorder and shadow memory of a lane, before its pool is opened. */
enum fnp_status fnp_tracing_open(struct fnp_arena *arena,
                                 struct fnp_pool_config *config,
                                 struct fnp_tracing **out, struct fnp_err *err);

/* Gives back what was made for the last kernel; NULL: nothing. */
void fnp_tracing_close(struct fnp_tracing *t);

/* What became of a kernel's recorded cases. */
struct fnp_tracing_report {
    uint64_t cases;      /* recorded to their end */
    uint64_t unfinished; /* begun, but not recorded to their end */
    const char *why;     /* of the first of those; NULL: none */
    uint64_t why_at;     /* the instruction that `why` is of; 0: it is of none */
    uint64_t left_out;   /* the first that was not run but passed over; 0: none */
    uint64_t over_reads; /* cases that read outside of their inputs */
    uint64_t block; /* reads = aligned:N that would allow them all; 0: none would */
    struct fnp_cover_counts cover; /* zero: nothing was recorded */
    bool weak, fenced;             /* weak stores were seen, and a fence behind one */
    struct fnp_code_walk walk; /* over all its code, with what the logs added to it */
};

/*
 * Record cases of the kernel's plan and hand each new finding, with its smallest case, to
 * `add`.  `ignore` is a set of rules as in slices; those that `add` got count, too.
 */
void fnp_tracing_kernel(struct fnp_lane *lane, size_t kernel, uint64_t ignore,
                        void (*add)(void *arg, struct fnp_finding *f), void *arg,
                        struct fnp_tracing_report *report);

/* What the cases that fnp_tracing_kernel recorded last ran of the code. */
const struct fnp_cover *fnp_tracing_cover(const struct fnp_tracing *t);

/* What recorded cases and the walk say of weak stores, when nothing is wrong with them. */
void fnp_tracing_order(const struct fnp_kernel *k,
                       const struct fnp_tracing_report *report, char *text, size_t cap);

enum {
    FNP_TRACING_NOTES = 2,
    FNP_TRACING_NOTE = 160
};

/* What could not be recorded, and what was passed over; "": nothing. */
void fnp_tracing_notes(const struct fnp_kernel *k,
                       const struct fnp_tracing_report *report,
                       char out[FNP_TRACING_NOTES][FNP_TRACING_NOTE]);

/*
 * Say which instruction did it: the case of a finding that names no place is recorded,
 * and the place is the first access outside, the last store to the byte that is wrong, or
 * the last write of the register that was lost.  Left as it is when that is not found.
 */
void fnp_tracing_place(struct fnp_lane *lane, size_t kernel, const struct fnp_case *c,
                       struct fnp_finding *f);

/* The worst finding of one recorded case, not shrunk; false: nothing was seen. */
bool fnp_tracing_case(struct fnp_lane *lane, size_t kernel, const struct fnp_case *c,
                      uint64_t ignore, struct fnp_finding *out);

#endif
