/* SPDX-License-Identifier: MIT */
/*
 * signals.h - survive whatever a kernel does: faults, hangs, system calls
 *
 * The handler stores what it saw into fnp_context.signal and leaves through
 * fnp_escape; it never allocates, formats or judges.  The exception is memory of an
 * aliased buffer (alias.h), which it maps where the kernel has come to.
 *
 * Depends on: context.
 */
#ifndef FNP_RUN_SIGNALS_H
#define FNP_RUN_SIGNALS_H

#include "base/status.h"

/* How system calls of a kernel are kept from taking effect. */
enum fnp_fence {
    FNP_FENCE_NONE,
    FNP_FENCE_DISPATCH,
    FNP_FENCE_SECCOMP
};

/*
 * Install the handlers on an alternate stack, start the coarse timer (one signal
 * every FNP_TICK_MS of this process's own CPU time), and raise the fence.
 */
#define FNP_TICK_MS 10
enum fnp_status fnp_signals_install(unsigned hang_ms, enum fnp_fence *fence,
                                    struct fnp_err *err);

/* Stop the timer; for debugging a case in process. */
void fnp_signals_stop_timer(void);

#endif
