/* SPDX-License-Identifier: MIT */
/*
 * outputs.h - the writers of one run: --format on stdout, each --report in its file
 *
 * Depends on: base, report.
 */
#ifndef FNP_CLI_OUTPUTS_H
#define FNP_CLI_OUTPUTS_H

#include <stddef.h>

#include "base/opt.h"
#include "base/status.h"
#include "report/writer.h"

enum {
    FNP_OUTPUTS_MAX = 9
};

/* Zero before use; close releases the files. */
struct fnp_outputs {
    struct fnp_writer writers[FNP_OUTPUTS_MAX];
    FILE *files[FNP_OUTPUTS_MAX]; /* owned, NULL for stdout */
    const char *paths[FNP_OUTPUTS_MAX];
    size_t count;
};

/*
 * Open stdout in `format` and every "FORMAT=FILE" of `reports`.  A bad
 * format or a file that cannot be made is FNP_INPUT; nothing is left open then.
 */
enum fnp_status fnp_outputs_open(struct fnp_outputs *o, const char *format,
                                 const struct fnp_opt_list *reports,
                                 const struct fnp_writer_config *config,
                                 struct fnp_err *err);

void fnp_outputs_finding(struct fnp_outputs *o, const char *kernel,
                         const struct fnp_finding *f);
void fnp_outputs_kernel(struct fnp_outputs *o, const struct fnp_kernel_report *r);
void fnp_outputs_summary(struct fnp_outputs *o, const struct fnp_summary *s);

/* Write out and close the report files; FNP_FAILED names one that is incomplete. */
enum fnp_status fnp_outputs_close(struct fnp_outputs *o, struct fnp_err *err);

#endif
