/* SPDX-License-Identifier: MIT */
/*
 * pool.h - worker processes that run slices of cases and report what they saw
 *
 * The supervisor never runs a kernel.  A worker that dies costs one case: it is
 * reported, the worker replaced, and the rest of the slice goes on.  Neither side
 * judges: `screen` is the caller's pure function that says which outcomes are
 * worth sending back.
 *
 * Depends on: outcome, subject/kernel.h.
 */
#ifndef FNP_RUN_POOL_H
#define FNP_RUN_POOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "run/outcome.h"
#include "subject/kernel.h"

enum {
    FNP_POOL_CASES = 64,
    FNP_POOL_OUTCOMES = 64
};

/* Shared memory whose protection in workers is not ours. */
struct fnp_pool_region {
    void *addr;
    size_t len;
    int prot; /* PROT_READ ... */
};

/* Everything a worker must know; all of it is set before the first fork. */
struct fnp_pool_config {
    unsigned jobs; /* worker processes, at least 1 */
    const struct fnp_kernel *kernels;
    size_t n_kernels;
    /* Case i of a kernel; false: this index has no case.  Pure: called in workers. */
    bool (*generate)(void *arg, size_t kernel, uint64_t i, struct fnp_case *out);
    /*
     * Is this outcome worth a report?  Pure: called in workers.  `ignore` is the
     * slice's, a set whose meaning is the caller's.
     */
    bool (*screen)(void *arg, size_t kernel, uint64_t ignore,
                   const struct fnp_outcome *outcome);
    void *arg;
    unsigned
        full_every; /* full state every so many cases of a slice; 1: each; 0 means 16 */
    unsigned hang_ms;                      /* CPU time one case may take; 0 means 60 */
    const struct fnp_pool_region *regions; /* set in each worker before it is sealed */
    size_t n_regions;
};

/* Cases [first, first + count) of one kernel. */
struct fnp_slice {
    uint32_t kernel;
    uint64_t first, count;
    uint32_t
        stop_after; /* screened outcomes after which the slice ends early; 0: FNP_POOL_OUTCOMES;
                            one that hangs always ends it */
    uint64_t ignore; /* handed to `screen` */
    bool thorough;   /* compare whole fields and own memory after every case */
};

struct fnp_reply {
    struct fnp_slice slice;
    uint64_t n_run;                     /* cases that ran, the one that died included */
    uint64_t n_skipped;                 /* cases that had no layout */
    uint64_t n_least, n_most;           /* sizes n that ran, huge ones left out */
    const struct fnp_outcome *outcomes; /* screened ones; valid until the next call */
    size_t n_outcomes;
    bool died; /* the worker died in the last of n_run cases */
    bool
        dirty; /* something outside the compared windows changed; run it again thorough */
};

struct fnp_pool;

/*
 * Make what all workers share (patterns, contents).  Optional: a process that forks
 * others which open pools calls it first, and they need not.
 */
enum fnp_status fnp_pool_warm(struct fnp_err *err);

enum fnp_status fnp_pool_open(const struct fnp_pool_config *config,
                              struct fnp_pool **out, struct fnp_err *err);

/* Stops and reaps every worker.  A pool takes every child of its process for its own. */
void fnp_pool_close(struct fnp_pool *pool);

/* Workers without work. */
unsigned fnp_pool_idle(const struct fnp_pool *pool);

/* Give a slice to an idle worker; there must be one. */
void fnp_pool_submit(struct fnp_pool *pool, const struct fnp_slice *slice);

/*
 * Wait for one reply, at most timeout_ms (< 0: as long as it takes).  False on
 * time-out or when a signal came in between.
 */
bool fnp_pool_wait(struct fnp_pool *pool, int timeout_ms, struct fnp_reply *reply);

/*
 * Let the cases of fnp_pool_run call `entry`, a copy of the kernel's code, instead of the
 * kernel itself; 0: the kernel again.
 */
void fnp_pool_enter(struct fnp_pool *pool, uint64_t entry);

/* How explicit cases are run. */
enum fnp_run_flags {
    FNP_RUN_FRESH = 1,     /* in a worker that has run nothing before */
    FNP_RUN_THOROUGH = 2,  /* compare whole fields and own memory */
    FNP_RUN_STOP = 4,      /* stop after the first case that `screen` objects to */
    FNP_RUN_OTHER_OLD = 8, /* outputs hold other bytes before the call */
    FNP_RUN_CARRY =
        16, /* the kernel's own data keeps what the case before left in it */
};

/*
 * Run cases[0, count), count <= FNP_POOL_CASES, with full state, and wait: one
 * outcome each, in order.  Must not be called while a slice is out.  Returns how
 * many ran (less than count only with FNP_RUN_STOP).  A case that kills its worker
 * has end FNP_END_DIED.
 */
size_t fnp_pool_run(struct fnp_pool *pool, size_t kernel, const struct fnp_case *cases,
                    size_t count, unsigned flags, struct fnp_outcome *outcomes);

#endif
