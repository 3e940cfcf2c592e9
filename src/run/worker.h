/* SPDX-License-Identifier: MIT */
/*
 * worker.h - the process that runs kernels, and the memory it shares with its
 * supervisor
 *
 * Depends on: pool.
 */
#ifndef FNP_RUN_WORKER_H
#define FNP_RUN_WORKER_H

#include "run/pool.h"

/* Shared between the two; one side writes at a time, a byte on the socket hands over. */
struct fnp_channel {
    /* to the worker */
    struct fnp_slice slice;
    uint32_t n_cases; /* explicit cases instead of generated ones; 0: none */
    uint32_t flags;   /* enum fnp_run_flags */
    uint64_t entry;   /* of explicit cases; 0: the kernel's own */
    struct fnp_case cases[FNP_POOL_CASES];
    /* from the worker */
    volatile uint64_t at;  /* index of the case that runs, from the slice's first */
    volatile bool patient; /* that one may take long */
    uint64_t n_run, n_skipped;
    uint64_t n_least, n_most; /* least > most: no size ran */
    uint32_t n_outcomes;
    bool dirty;
    bool ready;         /* set up and sealed */
    struct fnp_err err; /* why it is not ready */
    struct fnp_outcome outcomes[FNP_POOL_OUTCOMES];
};

/* Serve slices until the socket closes.  Runs in the forked child. */
_Noreturn void fnp_worker_main(const struct fnp_pool_config *config,
                               struct fnp_channel *channel, int socket);

#endif
