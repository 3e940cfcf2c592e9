/* SPDX-License-Identifier: MIT */
/*
 * selection.h - which cases of a plan are recorded
 *
 * The plan's beginning, then cases spread evenly over it, most of them short, every second
 * one moved to where only the recorder sees what it does beside its buffers.  As long as
 * a block of the code has not run, more are added: such with sizes that the code's own
 * constants name, then further ones of the plan, of any length.  Never runs anything.
 *
 * Depends on: plan.
 */
#ifndef FNP_VERIFY_SELECTION_H
#define FNP_VERIFY_SELECTION_H

#include "verify/plan.h"

/* Zero but for the plan is a valid start. */
struct fnp_selection {
    const struct fnp_plan *plan; /* borrowed */
    uint64_t tried;              /* indices looked at */
    uint64_t further;            /* ... beyond those that are recorded in any case */
    uint64_t recorded, steps;    /* by fnp_selection_took */
};

/* The next case.  `missing`: a block has not run yet.  False: there are enough. */
bool fnp_selection_next(struct fnp_selection *s, bool missing, struct fnp_case *out);

/* The case was recorded, in so many steps. */
void fnp_selection_took(struct fnp_selection *s, uint64_t steps);

#endif
