/* SPDX-License-Identifier: MIT */
/*
 * escape.c - replaces what a format cannot take, by a table per format
 */
#include "report/escape.h"

#include <stdbool.h>
#include <stddef.h>

#include "base/utf8.h"

/* Bytes of the character at `p`, 0 when there is none that may be passed on. */
static size_t character(const unsigned char *p)
{
    bool control = *p < 0x20 || *p == 0x7f || (*p == 0xc2 && p[1] < 0xa0);
    size_t len = control ? 0 : fnp_utf8_len(p);

    return len == 3 && p[0] == 0xef && p[1] == 0xbf && p[2] >= 0xbe ? 0 : len;
}

void fnp_put_escaped(FILE *out, const char *text, const char *const table[FNP_ESCAPES])
{
    const unsigned char *p = (const unsigned char *)text;

    while (*p) {
        size_t len = character(p);

        if (*p < FNP_ESCAPES && table[*p]) {
            fputs(table[*p++], out);
        } else if (len) {
            fwrite(p, 1, len, out);
            p += len;
        } else {
            fprintf(out, "\\x%02x", *p++);
        }
    }
}
