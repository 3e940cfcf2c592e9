/* SPDX-License-Identifier: MIT */
/*
 * cover_print.h - the coverage of one kernel for people, or as JSON lines
 *
 * Depends on: code_text, verify/coverage.h.
 */
#ifndef FNP_CLI_COVER_PRINT_H
#define FNP_CLI_COVER_PRINT_H

#include <stdio.h>

#include "base/arena.h"
#include "verify/coverage.h"

/* `verbose`: every instruction with its count, too. */
void fnp_cover_print(FILE *out, struct fnp_arena *arena, const struct fnp_coverage *c,
                     bool verbose);
void fnp_cover_json(FILE *out, struct fnp_arena *arena, const struct fnp_coverage *c,
                    bool verbose);

#endif
