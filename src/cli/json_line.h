/* SPDX-License-Identifier: MIT */
/*
 * json_line.h - flat JSON objects, one a line, for the answers of list and doctor
 *
 * Findings, verdicts and summaries are written by report/; these answers have no
 * writer there because they are no results of checks.
 *
 * Depends on: nothing.
 */
#ifndef FNP_CLI_JSON_LINE_H
#define FNP_CLI_JSON_LINE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* Begin an object with "schema":1 and its type; end it with fnp_json_end. */
void fnp_json_begin(FILE *out, const char *type);
void fnp_json_end(FILE *out);

/* One member; a NULL text leaves it out.  Bytes that are no UTF-8 become '?'. */
void fnp_json_text(FILE *out, const char *name, const char *text);
void fnp_json_count(FILE *out, const char *name, uint64_t value);
void fnp_json_bool(FILE *out, const char *name, bool value);

#endif
