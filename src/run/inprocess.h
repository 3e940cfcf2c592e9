/* SPDX-License-Identifier: MIT */
/*
 * inprocess.h - one case in the calling process, for a debugger
 *
 * Depends on: subject/kernel.h.
 */
#ifndef FNP_RUN_INPROCESS_H
#define FNP_RUN_INPROCESS_H

#include "subject/case.h"
#include "subject/kernel.h"

/* Called when everything is in place and the kernel is about to be entered: put a breakpoint here. */
void fnp_before_kernel(void);

/* 0 when the kernel returned, 1 when a signal ended it, 2 when the case could not be set up. */
int fnp_run_in_process(const struct fnp_kernel *kernel, const struct fnp_case *c);

#endif
