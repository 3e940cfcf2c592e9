/* SPDX-License-Identifier: MIT */
/*
 * str.h - text appended to a caller's buffer, bounded, overflow remembered
 *
 * Depends on: nothing.
 */
#ifndef FNP_BASE_STR_H
#define FNP_BASE_STR_H

#include <stdbool.h>
#include <stddef.h>

/* Invariant: len < cap and text[len] == 0. */
struct fnp_str {
    char *text;    /* borrowed */
    size_t cap;    /* bytes of text, at least 1 */
    size_t len;    /* bytes before the NUL */
    bool overflow; /* something did not fit; sticky */
};

/* An empty string over `text`, which must outlive it. */
struct fnp_str fnp_str_over(char *text, size_t cap);

/* Append formatted text; what does not fit is dropped and `overflow` is set. */
void fnp_str_add(struct fnp_str *str, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Append `text` so that a POSIX shell reads it as one word; plain words stay plain. */
void fnp_str_add_quoted(struct fnp_str *str, const char *text);

/* Append `len` bytes as lower-case hex digits. */
void fnp_str_add_hex(struct fnp_str *str, const unsigned char *bytes, size_t len);

#endif
