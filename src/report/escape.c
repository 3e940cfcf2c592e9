/* SPDX-License-Identifier: MIT */
/*
 * escape.c - replaces what a format cannot take, by a table per format
 */
#include "report/escape.h"

#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

/* The forms of UTF-8 behind ASCII (RFC 3629): overlong ones and surrogates are left out. */
static const struct {
    unsigned char least, most; /* first byte */
    unsigned char low, high;   /* second byte; all further ones are 80..bf */
    unsigned char len;
} forms[] = {
    { 0xc2, 0xc2, 0xa0, 0xbf, 2 }, /* U+0080..U+009f are control characters */
    { 0xc3, 0xdf, 0x80, 0xbf, 2 },
    { 0xe0, 0xe0, 0xa0, 0xbf, 3 },
    { 0xe1, 0xec, 0x80, 0xbf, 3 },
    { 0xed, 0xed, 0x80, 0x9f, 3 },
    { 0xee, 0xef, 0x80, 0xbf, 3 },
    { 0xf0, 0xf0, 0x90, 0xbf, 4 },
    { 0xf1, 0xf3, 0x80, 0xbf, 4 },
    { 0xf4, 0xf4, 0x80, 0x8f, 4 },
};

/* Bytes of the character at `p`, 0 when there is none that may be passed on. */
static size_t character(const unsigned char *p)
{
    for (size_t i = 0; i < FNP_ARRAY_LEN(forms); i++) {
        if (p[0] < forms[i].least || p[0] > forms[i].most) {
            continue;
        }
        if (p[1] < forms[i].low || p[1] > forms[i].high) {
            return 0;
        }
        for (size_t k = 2; k < forms[i].len; k++) {
            if (p[k] < 0x80 || p[k] > 0xbf) {
                return 0;
            }
        }
        return p[0] == 0xef && p[1] == 0xbf && p[2] >= 0xbe ? 0 : forms[i].len;
    }
    return 0;
}

void fnp_put_escaped(FILE *out, const char *text, const char *const table[FNP_ESCAPES])
{
    const unsigned char *p = (const unsigned char *)text;

    while (*p) {
        size_t len = *p >= 0x20 && *p < 0x7f ? 1 : character(p);

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
