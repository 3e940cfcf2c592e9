/* SPDX-License-Identifier: MIT */
/*
 * writer.h - one way of printing findings, verdicts and the summary
 *
 * Writers never decide anything: severities and verdicts arrive made.
 *
 * Depends on: finding.
 */
#ifndef FNP_REPORT_WRITER_H
#define FNP_REPORT_WRITER_H

#include <stdio.h>

#include "base/status.h"
#include "report/finding.h"

struct fnp_writer;

/* Options common to all formats. */
struct fnp_writer_config {
    FILE *out;           /* borrowed */
    const char *command; /* "verify", "replay" ... */
    const char *version; /* of fencepost; NULL: not said */
    bool color;          /* text only */
    bool verbose;        /* text: a kernel's line also has its checks and promises */
    bool quiet;          /* text: findings and the summary only */
};

/* A format: text, jsonl, tap. */
struct fnp_format {
    const char *name;
    void (*begin)(struct fnp_writer *w);
    void (*finding)(struct fnp_writer *w, const char *kernel,
                    const struct fnp_finding *f);
    void (*kernel)(struct fnp_writer *w, const struct fnp_kernel_report *r);
    void (*summary)(struct fnp_writer *w, const struct fnp_summary *s);
};

/* Caller's storage; zero until fnp_writer_init. */
struct fnp_writer {
    const struct fnp_format *format;
    struct fnp_writer_config config;
    uint64_t n_kernels;  /* so far */
    uint64_t n_findings; /* sum of what the kernels' reports count */
    char promises[1024]; /* text: weakening promises in use, a line each */
};

/* FNP_INPUT with the nearest name when there is no such format. */
enum fnp_status fnp_writer_init(struct fnp_writer *w, const char *format,
                                const struct fnp_writer_config *config,
                                struct fnp_err *err);

void fnp_writer_finding(struct fnp_writer *w, const char *kernel,
                        const struct fnp_finding *f);
void fnp_writer_kernel(struct fnp_writer *w, const struct fnp_kernel_report *r);
void fnp_writer_summary(struct fnp_writer *w, const struct fnp_summary *s);

#endif
