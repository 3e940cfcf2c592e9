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

/* "41,212": decimal with a comma every three digits, whatever the locale. */
void fnp_add_grouped(struct fnp_str *text, uint64_t number);

/* "1 case", "1,500 cases" */
void fnp_add_counted(struct fnp_str *text, uint64_t count, const char *noun);

/* "copy_page+0x12  movntq %mm0,(%rdi)  copy_page.S:41  (iteration 65)" */
void fnp_add_where(struct fnp_str *text, const struct fnp_where *where);

/* "12 pass, 0 fail, 1 skip, 0 inconclusive  (18,000 cases, seed 1, CPU, 0.9 s)" */
void fnp_add_summary(struct fnp_str *text, const struct fnp_writer *w,
                     const struct fnp_summary *s);

#endif
