/* SPDX-License-Identifier: MIT */
/*
 * single.h - record one case of one kernel, with a pool of its own
 *
 * Depends on: recorder.
 */
#ifndef FNP_TRACE_SINGLE_H
#define FNP_TRACE_SINGLE_H

#include "trace/recorder.h"

/*
 * Run the case once in the recording copy.  The log stays valid as long as nothing else
 * is recorded; how it ended is in it.  FNP_FAILED when there can be no worker.
 */
enum fnp_status fnp_record_case(struct fnp_arena *arena,
                                const struct fnp_kernel *kernel,
                                const struct fnp_case *c, struct fnp_outcome *outcome,
                                struct fnp_log *log, struct fnp_err *err);

#endif
