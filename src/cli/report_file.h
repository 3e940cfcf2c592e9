/* SPDX-License-Identifier: MIT */
/*
 * report_file.h - one file of --report: whole or untouched
 *
 * It is written beside its place under a temporary name and renamed at the end, so
 * nobody reads half a report and a failed run leaves the old one.  What is no regular
 * file (a device, a pipe) is written to directly.
 *
 * Depends on: base.
 */
#ifndef FNP_CLI_REPORT_FILE_H
#define FNP_CLI_REPORT_FILE_H

#include <stdbool.h>
#include <stdio.h>

#include "base/status.h"

/* Zero before use; owned texts, released by finish and drop. */
struct fnp_report_file {
    FILE *out;
    char *path; /* the final place, links resolved */
    char *temp; /* NULL: `path` is written to directly */
};

/*
 * Find out whether `path` can be written, and open it.  FNP_INPUT with one sentence
 * when not: a folder, no permission, no such folder, or the file that is standard output.
 */
enum fnp_status fnp_report_file_open(struct fnp_report_file *f, const char *path,
                                     struct fnp_err *err);

/* Both name one place. */
bool fnp_report_file_same(const struct fnp_report_file *a,
                          const struct fnp_report_file *b);

/* Write out, close and rename; FNP_FAILED when it is incomplete. */
enum fnp_status fnp_report_file_finish(struct fnp_report_file *f, struct fnp_err *err);

/* Close and remove what was written under the temporary name. */
void fnp_report_file_drop(struct fnp_report_file *f);

#endif
