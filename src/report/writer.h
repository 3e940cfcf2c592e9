/* SPDX-License-Identifier: MIT */
/*
 * writer.h - one way of printing findings, verdicts and the summary
 *
 * Writers never decide anything: severities and verdicts arrive made.  The findings of
 * a kernel come before its verdict, the summary comes last.
 *
 * Depends on: finding, base/str.h.
 */
#ifndef FNP_REPORT_WRITER_H
#define FNP_REPORT_WRITER_H

#include <stdio.h>

#include "base/status.h"
#include "base/str.h"
#include "report/finding.h"

struct fnp_writer;

/* Options common to all formats. */
struct fnp_writer_config {
    FILE *out;           /* borrowed */
    const char *command; /* "verify", "replay" ... */
    const char *version; /* of fencepost; NULL: not said */
    const char *srcroot; /* folder that file names are relative to; NULL: as they are */
    bool color;          /* text only */
    bool verbose;        /* text: a kernel's line also has its checks and promises */
    bool quiet;          /* text: findings and the summary only */
    bool bare;           /* text: findings only */
    bool guesses_said;   /* text: notes on guessed contracts were printed before */
};

/* A format: text, jsonl ... */
struct fnp_format {
    const char *name;
    bool places; /* shows fnp_origin's source line, so it is worth looking up */
    void (*finding)(struct fnp_writer *w, const struct fnp_origin *origin,
                    const struct fnp_finding *f);
    void (*kernel)(struct fnp_writer *w, const struct fnp_kernel_report *r);
    void (*summary)(struct fnp_writer *w, const struct fnp_summary *s);
};

/* Text held back until what belongs above it is known. */
struct fnp_part {
    FILE *file; /* NULL: nothing was written to it */
    char *text;
    size_t len;
};

enum {
    FNP_WRITER_PARTS = 2
};

/* What a failure is called: the first of a kernel's most severe unwaived findings. */
struct fnp_worst {
    bool known;
    enum fnp_rule rule;
    enum fnp_severity severity;
    char message[256];
    char file[160]; /* empty: unknown */
    unsigned line;
};

/* Caller's storage; zero until fnp_writer_init, close releases it. */
struct fnp_writer {
    const struct fnp_format *format;
    struct fnp_writer_config config;
    uint64_t n_kernels; /* so far */
    uint64_t n_verdicts[FNP_N_VERDICTS];
    uint64_t n_findings; /* sum of what the kernels' reports count */
    char promises[1024]; /* text: weakening promises in use, a line each */
    struct fnp_part parts[FNP_WRITER_PARTS];
    struct fnp_worst worst; /* junit: of the kernel whose findings are coming in */
};

/* The format of that name, else NULL and FNP_INPUT's sentence with the nearest name. */
const struct fnp_format *fnp_format_find(const char *name, struct fnp_err *err);

/* "text, jsonl, ... or markdown": every format there is. */
void fnp_format_list(struct fnp_str *out);

/* Nothing is written yet. */
void fnp_writer_init(struct fnp_writer *w, const struct fnp_format *format,
                     const struct fnp_writer_config *config);

void fnp_writer_finding(struct fnp_writer *w, const struct fnp_origin *origin,
                        const struct fnp_finding *f);
void fnp_writer_kernel(struct fnp_writer *w, const struct fnp_kernel_report *r);
void fnp_writer_summary(struct fnp_writer *w, const struct fnp_summary *s);

/* Release what the writer held back.  `out` stays open. */
void fnp_writer_close(struct fnp_writer *w);

#endif
