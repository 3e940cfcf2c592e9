/* SPDX-License-Identifier: MIT */
/*
 * outputs.h - the writers of one run: --format on stdout, each --report in its file
 *
 * Depends on: base, report.
 */
#ifndef FNP_CLI_OUTPUTS_H
#define FNP_CLI_OUTPUTS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/opt.h"
#include "base/status.h"
#include "cli/report_file.h"
#include "report/writer.h"

enum {
    FNP_OUTPUTS_MAX = 17,
    FNP_OUTPUT_OPTIONS = 4
};

/* The options of every command that prints findings, as read; zero before use. */
struct fnp_output_args {
    const char *format; /* NULL: not given */
    const char *color, *srcroot;
    struct fnp_opt_list reports;
    char formats[96]; /* help: the formats there are */
};

/* Zero before use; finish or drop releases everything. */
struct fnp_outputs {
    struct fnp_writer writers[FNP_OUTPUTS_MAX];    /* the first one is stdout's */
    struct fnp_report_file files[FNP_OUTPUTS_MAX]; /* none for stdout */
    size_t count;
    char srcroot[4096];
};

/* Fill `rows` with the options; they point into `args`. */
void fnp_outputs_options(struct fnp_output_args *args,
                         struct fnp_opt rows[FNP_OUTPUT_OPTIONS]);

/*
 * Open stdout and every "FORMAT=FILE"; "FORMAT=-" is another way to say --format FORMAT.
 * `config` is that of stdout, its color and srcroot come from `args`.  A bad format, a
 * file that cannot be made or is named twice, and two formats for stdout are FNP_INPUT;
 * nothing is left then.
 */
enum fnp_status fnp_outputs_open(struct fnp_outputs *o,
                                 const struct fnp_output_args *args,
                                 const struct fnp_writer_config *config,
                                 struct fnp_err *err);

/* Stdout is for people. */
bool fnp_outputs_is_text(const struct fnp_outputs *o);

/* Some writer shows the source line of a kernel. */
bool fnp_outputs_want_places(const struct fnp_outputs *o);

void fnp_outputs_finding(struct fnp_outputs *o, const struct fnp_origin *origin,
                         const struct fnp_finding *f);
void fnp_outputs_kernel(struct fnp_outputs *o, const struct fnp_kernel_report *r);
void fnp_outputs_summary(struct fnp_outputs *o, const struct fnp_summary *s);

/* Put the report files in their places; FNP_FAILED names one that is incomplete. */
enum fnp_status fnp_outputs_finish(struct fnp_outputs *o, struct fnp_err *err);

/* The run came to nothing: the report files stay as they were before it. */
void fnp_outputs_drop(struct fnp_outputs *o);

#endif
