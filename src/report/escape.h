/* SPDX-License-Identifier: MIT */
/*
 * escape.h - text that may hold any bytes, written so that a format survives it
 *
 * Names of kernels and files come from objects and command lines: control characters,
 * broken UTF-8, markup.  What a format cannot take is replaced, never passed on.
 *
 * Depends on: base.
 */
#ifndef FNP_REPORT_ESCAPE_H
#define FNP_REPORT_ESCAPE_H

#include <stdio.h>

enum {
    FNP_ESCAPES = 128
};

/*
 * Write `text` as UTF-8.  An ASCII character with an entry in `table` becomes that
 * entry; control characters without one, bytes that are not UTF-8, and the two
 * characters that XML forbids (U+FFFE, U+FFFF) become \xNN, byte by byte.
 */
void fnp_put_escaped(FILE *out, const char *text, const char *const table[FNP_ESCAPES]);

#endif
