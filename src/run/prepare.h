/* SPDX-License-Identifier: MIT */
/*
 * prepare.h - everything a case puts into memory and registers, as data, without
 * running it
 *
 * Depends on: outcome, subject/kernel.h.
 */
#ifndef FNP_RUN_PREPARE_H
#define FNP_RUN_PREPARE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/status.h"
#include "run/outcome.h"
#include "subject/kernel.h"

struct fnp_prepared {
    struct fnp_placed buf[FNP_MAX_BUFS];
    const unsigned char *bytes[FNP_MAX_BUFS]; /* whole field [lo, hi) before the call */
    const unsigned char
        *expect[FNP_MAX_BUFS]; /* outputs: the bytes wanted; NULL for inputs */
    struct fnp_state start;    /* rsp: pointing at the return address */
    unsigned char stack_args[8 * FNP_MAX_PARAMS];
    unsigned stack_args_at, stack_args_len; /* bytes from the return address's end */
    unsigned callee_bytes; /* from there on, that the kernel may write */
    uint64_t want_return;
    bool has_want_return;
};

/*
 * Lay the case out and compute its contents; the result lives in `arena`.
 * FNP_INPUT for a case that has no layout, a huge one, and op = ref, whose result only
 * running the reference tells.
 */
enum fnp_status fnp_prepare(const struct fnp_kernel *kernel, const struct fnp_case *c,
                            struct fnp_arena *arena, struct fnp_prepared *out,
                            struct fnp_err *err);

#endif
