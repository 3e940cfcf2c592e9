/* SPDX-License-Identifier: MIT */
/*
 * survey.h - what every case of a box shows, told by the values of one key
 *
 * verify stops at a broken kernel; a survey runs its box to the end and says at which
 * values of the key which promises break, how often, and in which simplest case.  It
 * gives no verdict.
 *
 * Depends on: plan, check, report/finding.h.
 */
#ifndef FNP_VERIFY_SURVEY_H
#define FNP_VERIFY_SURVEY_H

#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/status.h"
#include "report/finding.h"
#include "subject/kernel.h"

enum {
    FNP_SURVEY_VALUES = 256 /* different values the key may have in a box */
};

/* One outcome at some values of the key. */
struct fnp_survey_line {
    enum fnp_rule rule;         /* FNP_N_RULES: no promise broke in any case */
    const char *values;         /* as a box writes them: "snan|inf", "1:15|17:31" */
    uint64_t count;             /* cases that show it (clean: that ran) ... */
    uint64_t of;                /* ... of so many at these values */
    struct fnp_finding finding; /* of the simplest of them; empty when clean */
};

/* Owned by the arena. */
struct fnp_survey {
    uint64_t cases;                /* that ran */
    struct fnp_survey_line *lines; /* the clean one first, then in the order of rules */
    size_t n_lines;
};

/*
 * Run the box of the kernel's contract; the kernel must not be one that is missing a
 * feature.  A contract without a box, a key that is none, or one with more values than
 * FNP_SURVEY_VALUES is FNP_INPUT.
 */
enum fnp_status fnp_survey_make(struct fnp_arena *arena,
                                const struct fnp_kernel *kernel, const char *key,
                                struct fnp_survey *out, struct fnp_err *err);

#endif
