/* SPDX-License-Identifier: MIT */
/*
 * writer_internal.h - the formats, and what they share
 *
 * Only writer*.c include it.
 *
 * Depends on: writer.h, base/str.h.
 */
#ifndef FNP_REPORT_WRITER_INTERNAL_H
#define FNP_REPORT_WRITER_INTERNAL_H

#include <stdint.h>

#include "base/str.h"
#include "report/writer.h"

extern const struct fnp_format fnp_format_text;
extern const struct fnp_format fnp_format_jsonl;
extern const struct fnp_format fnp_format_tap;
extern const struct fnp_format fnp_format_junit;
extern const struct fnp_format fnp_format_gcc;
extern const struct fnp_format fnp_format_github;
extern const struct fnp_format fnp_format_markdown;

/* "41,212": decimal with a comma every three digits, whatever the locale. */
void fnp_add_grouped(struct fnp_str *text, uint64_t number);

/* "1 case", "1,500 cases" */
void fnp_add_counted(struct fnp_str *text, uint64_t count, const char *noun);

/* "copy_page+0x12  movntq %mm0,(%rdi)  copy_page.S:41  (iteration 65)" */
void fnp_add_where(struct fnp_str *text, const struct fnp_where *where);

/* "sizes = 0:-:64 would allow all 37 wrong-bytes seen; write it only if it was meant" */
void fnp_add_offer(struct fnp_str *text, const struct fnp_offer *offer);

/*
 * What the contract may have been meant to say, number i: "promise" or "hint", its text
 * put in place of what `text` held.  NULL behind the last one.
 */
const char *fnp_suggestion(struct fnp_str *text, const struct fnp_kernel_report *r,
                           size_t i);

/* All of them, a line each behind `prefix`. */
void fnp_put_suggestions(FILE *out, const char *prefix,
                         const struct fnp_kernel_report *r);

/* "12 pass, 0 fail, 1 skip, 0 inconclusive  (18,000 cases, seed 1, CPU, 0.9 s)" */
void fnp_add_summary(struct fnp_str *text, const struct fnp_writer *w,
                     const struct fnp_summary *s);

/*
 * "order not checked: one CPU" for each check that is not plainly right, or for `all`;
 * `lead` stands before each.
 */
void fnp_add_checks(struct fnp_str *text, const struct fnp_kernel_report *r,
                    const char *lead, bool all);

/* The finding in the text format, without colour. */
void fnp_put_finding(FILE *out, const struct fnp_origin *origin,
                     const struct fnp_finding *f);

/* "mxcsr changed (waived: known)": the message and what takes weight from it. */
void fnp_add_message(struct fnp_str *text, const struct fnp_finding *f);

/* Where a finding is shown. */
struct fnp_place {
    const char *file; /* NULL: the kernel is built in, and nothing is known */
    unsigned line;    /* 0: unknown; then `file` is the object */
};

/* The faulting instruction's line, else the kernel's first one, else the object. */
struct fnp_place fnp_place_of(const struct fnp_origin *origin,
                              const struct fnp_finding *f);

/* Open for writing, made when it is used first; out of memory dies. */
FILE *fnp_part_file(struct fnp_part *part);

/* What was written so far, "" when nothing was; valid until the next write. */
const char *fnp_part_text(struct fnp_part *part);

/* Empty and released. */
void fnp_part_reset(struct fnp_part *part);

#endif
