/* SPDX-License-Identifier: MIT */
/*
 * lines.h - source file and line of an instruction, out of an object's DWARF
 *
 * libdw reads the file in a process of its own, because damaged debug information is
 * nothing a verdict may fall over.
 *
 * Depends on: image (struct fnp_object), libdw.
 */
#ifndef FNP_SUBJECT_LINES_H
#define FNP_SUBJECT_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "subject/image.h"

struct fnp_line {
    char file[160]; /* as the compiler was given it */
    unsigned line;  /* 1 is the first */
};

/* The line of the instruction `offset` bytes behind `symbol`; false when unknown. */
bool fnp_lines_find(const struct fnp_object *object, const char *symbol,
                    uint64_t offset, struct fnp_line *out);

/* One of many: what is looked for, and the answer. */
struct fnp_line_query {
    const char *symbol; /* borrowed; NULL: nothing is looked for */
    uint64_t offset;
    struct fnp_line line; /* line 0: unknown */
};

/* The same for many instructions at once, for the price of one process. */
void fnp_lines_find_all(const struct fnp_object *object, struct fnp_line_query *queries,
                        size_t count);

#endif
