/* SPDX-License-Identifier: MIT */
/*
 * suggest.h - say which contract a failing kernel might have been meant to have
 *
 * Runs a sample of cases under contracts that differ from the declared one; what it
 * says was tried.  The verdict stays what it is.
 *
 * Depends on: lane.h, promise.h, neighbour.h.
 */
#ifndef FNP_VERIFY_SUGGEST_H
#define FNP_VERIFY_SUGGEST_H

#include "verify/lane.h"

/*
 * Fill hint or offers of a failing kernel's report.  `ignore`: rules nobody is told
 * about; `seen[0, n_seen)`: outcomes known to fail.  To be called when nothing else is
 * to be run for this kernel: its workers are then started anew, with other contracts.
 */
void fnp_suggest(struct fnp_lane *lane, size_t kernel, uint64_t ignore,
                 const struct fnp_outcome *seen, size_t n_seen,
                 struct fnp_kernel_report *report);

#endif
