/* SPDX-License-Identifier: MIT */
/*
 * emit_c.h - write one case of one kernel as a C program that needs only gcc
 *
 * The program is emit/replay_template.c and replay_judging.c with the kernel's pages,
 * the buffers, the machine state and the contract's demands put in as data.
 *
 * Depends on: subject, run/prepare.h, report/finding.h.
 */
#ifndef FNP_CLI_EMIT_C_H
#define FNP_CLI_EMIT_C_H

#include <stdio.h>

#include "base/arena.h"
#include "report/finding.h"
#include "run/prepare.h"
#include "subject/case.h"
#include "subject/kernel.h"

/* Everything is borrowed. */
struct fnp_emit {
    const struct fnp_kernel *kernel;
    const struct fnp_case *c;
    const struct fnp_prepared *prepared;
    const struct fnp_finding *finding; /* what the case shows here; NULL: nothing */
};

/* Write the program to `out`; whether that worked is for the caller's ferror. */
void fnp_emit_c(FILE *out, struct fnp_arena *arena, const struct fnp_emit *e);

#endif
