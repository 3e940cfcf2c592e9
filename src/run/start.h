/* SPDX-License-Identifier: MIT */
/*
 * start.h - the machine state a case starts with: arguments, junk, FP state
 *
 * Depends on: lab, context.
 */
#ifndef FNP_RUN_START_H
#define FNP_RUN_START_H

#include "run/lab.h"

/*
 * Fill fnp_context.in_* for the kernel (or with `entry` another code address); with
 * `full` also the XSAVE image.  Also writes stack arguments, the frame pattern above
 * and the pattern below the return address.
 */
void fnp_start_make(const struct fnp_lab *lab, const struct fnp_case *c, uint64_t entry,
                    bool full);

/*
 * The start state as an outcome shows it.  To be called after the kernel ran: reading
 * registers back while their stores are still in flight costs as much as the call.
 */
void fnp_start_observe(bool full, struct fnp_state *in);

/*
 * Registers and stack are set up anew for the next case: after anything but a clean
 * return, and for another kernel.  A clean one leaves both as they were, apart from the
 * bytes below the return address, which then hold what it pushed.
 */
void fnp_start_forget(void);

/* The frame bytes as they were before the call, where they stand and how many. */
const unsigned char *fnp_start_frame(uint64_t *at, size_t *len);

/*
 * What lay before the call where nothing may be written: from the stack's guard, at
 * *at, up to the red zone.  *len is 0 for code that may move rsp.
 */
const unsigned char *fnp_start_below(const struct fnp_lab *lab, uint64_t *at,
                                     size_t *len);

#endif
