/* SPDX-License-Identifier: MIT */
/*
 * trace_print.h - a recorded case for people, or as JSON lines
 *
 * Depends on: code_text, trace/listing.h, trace/rounds.h.
 */
#ifndef FNP_CLI_TRACE_PRINT_H
#define FNP_CLI_TRACE_PRINT_H

#include <stdio.h>

#include "cli/code_text.h"
#include "subject/kernel.h"
#include "trace/listing.h"
#include "trace/rounds.h"

/* What is needed to print; all of it borrowed. */
struct fnp_trace_print {
    FILE *out;
    const struct fnp_kernel *kernel;
    const char *case_text;
    const struct fnp_log *log;
    struct fnp_spots spots;
    const struct fnp_code_text *texts; /* of every instruction that ran */
    size_t n_texts;
    const struct fnp_rounds *rounds; /* in order; none are left out of JSON */
    size_t n_rounds;
    size_t next_round; /* 0 at the beginning */
};

/* One step; a line that says how many rounds are left out stands for all of them. */
void fnp_trace_print_step(struct fnp_trace_print *p, const struct fnp_listed *listed);
void fnp_trace_json_step(struct fnp_trace_print *p, const struct fnp_listed *listed);

/* Sums, and how it ended. */
void fnp_trace_print_sums(struct fnp_trace_print *p,
                          const struct fnp_listing_sums *sums);
void fnp_trace_json_sums(struct fnp_trace_print *p,
                         const struct fnp_listing_sums *sums);

#endif
