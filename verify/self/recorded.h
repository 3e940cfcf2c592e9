/* SPDX-License-Identifier: MIT */
/*
 * recorded.h - is a recorded call what the kernel does by itself?
 *
 * A case runs natively, in the recording copy, and, when asked for, under single steps
 * and in a child that keeps the whole stack.  The copy must leave what the kernel leaves:
 * registers, FP state, bytes of buffers and around them, or the same fault at the same
 * instruction.
 *
 * Depends on: recorder, pool, plan.
 */
#ifndef FNP_VERIFY_SELF_RECORDED_H
#define FNP_VERIFY_SELF_RECORDED_H

#include "subject/kernel.h"
#include "trace/recorder.h"
#include "verify/plan.h"

enum {
    RECORDED_STEPS = 1, /* compare with single steps */
    RECORDED_STACK = 2, /* compare the whole stack */
    RECORDED_WHY = 300,
};

struct recorded {
    struct fnp_arena arena;
    struct fnp_kernels kernels;
    struct fnp_plan *plans;
    struct fnp_recorder *recorder;
    struct fnp_pool_config config;
    struct fnp_pool *pool;
    size_t most_steps; /* of one case that is stepped through, at most 8000 */
    uint64_t n_steps;  /* compared so far */
    uint64_t n_stacks;
    /* the last case */
    struct fnp_outcome native, copy;
    struct fnp_log log;
};

/* Resolve kernels and open everything; dies with a sentence. */
void recorded_open(struct recorded *r, const struct fnp_request *request);
void recorded_close(struct recorded *r);

/* Record kernel i from now on. */
void recorded_aim(struct recorded *r, size_t i);

enum recorded_answer {
    RECORDED_SAME,
    RECORDED_DIFFERENT, /* `why` says in what */
    RECORDED_NOT,       /* not recorded to its end: r->log.why */
};

/* Run a case of the kernel that was aimed at; `what` is a set of RECORDED_*. */
enum recorded_answer recorded_try(struct recorded *r, size_t i,
                                  const struct fnp_case *c, unsigned what,
                                  char why[RECORDED_WHY]);

/*
 * Are the blocks that the coverage mode marks those that a case's log begins?  Kernel i is
 * aimed at anew.
 */
bool recorded_cover(struct recorded *r, size_t i, const struct fnp_case *c,
                    char why[RECORDED_WHY]);

/*
 * Up to `count` cases of its plan with sizes as different as can be, none beyond 2048;
 * returns how many there were.
 */
size_t recorded_cases(const struct recorded *r, size_t i, struct fnp_case *out,
                      size_t count);

#endif
