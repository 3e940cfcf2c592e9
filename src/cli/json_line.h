/* SPDX-License-Identifier: MIT */
/*
 * json_line.h - JSON objects, one a line, for answers that are no results of checks
 *
 * Findings, verdicts and summaries are written by report/; what list, doctor, survey,
 * trace and cover say has no writer there.
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
void fnp_json_hex(FILE *out, const char *name, uint64_t value); /* as text, "0x1f" */

/*
 * A list of objects: begin it, for each object begin an item with its first member,
 * write others as above, end the item; end the list.
 */
void fnp_json_list(FILE *out, const char *name);
void fnp_json_item(FILE *out, bool is_first, const char *name, const char *text);
void fnp_json_item_end(FILE *out);
void fnp_json_list_end(FILE *out);

#endif
