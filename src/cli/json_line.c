/* SPDX-License-Identifier: MIT */
/*
 * json_line.c - writes flat JSON objects
 */
#include "cli/json_line.h"

#include <stddef.h>

#include "base/status.h"

/* Well-formed UTF-8: first byte, then the range of the second (Unicode, table 3-7). */
static const struct {
    unsigned char lo, hi, second_lo, second_hi;
    unsigned len;
} sequences[] = {
    { 0x01, 0x7f, 0x00, 0xff, 1 },
    { 0xc2, 0xdf, 0x80, 0xbf, 2 },
    { 0xe0, 0xe0, 0xa0, 0xbf, 3 },
    { 0xe1, 0xec, 0x80, 0xbf, 3 },
    { 0xed, 0xed, 0x80, 0x9f, 3 },
    { 0xee, 0xef, 0x80, 0xbf, 3 },
    { 0xf0, 0xf0, 0x90, 0xbf, 4 },
    { 0xf1, 0xf3, 0x80, 0xbf, 4 },
    { 0xf4, 0xf4, 0x80, 0x8f, 4 },
};

/* Length of the sequence at `s`, 0 when it is none. */
static unsigned utf8_len(const unsigned char *s)
{
    size_t i = 0;

    while (i < FNP_ARRAY_LEN(sequences) &&
           (s[0] < sequences[i].lo || s[0] > sequences[i].hi)) {
        i++;
    }
    if (i == FNP_ARRAY_LEN(sequences) || s[1] < sequences[i].second_lo ||
        s[1] > sequences[i].second_hi) {
        return 0;
    }
    for (unsigned k = 2; k < sequences[i].len; k++) {
        if ((s[k] & 0xc0) != 0x80) {
            return 0;
        }
    }
    return sequences[i].len;
}

static void put_text(FILE *out, const char *text)
{
    const unsigned char *s = (const unsigned char *)text;

    putc('"', out);
    while (*s) {
        unsigned len = utf8_len(s);
        if (*s == '"' || *s == '\\') {
            fprintf(out, "\\%c", *s++);
        } else if (*s < 0x20) {
            fprintf(out, "\\u%04x", *s++);
        } else if (len == 0) {
            putc('?', out);
            s++;
        } else {
            fwrite(s, 1, len, out);
            s += len;
        }
    }
    putc('"', out);
}

void fnp_json_begin(FILE *out, const char *type)
{
    fprintf(out, "{\"schema\":1");
    fnp_json_text(out, "type", type);
}

void fnp_json_end(FILE *out)
{
    fprintf(out, "}\n");
}

void fnp_json_text(FILE *out, const char *name, const char *text)
{
    if (text) {
        fprintf(out, ",\"%s\":", name);
        put_text(out, text);
    }
}

void fnp_json_count(FILE *out, const char *name, uint64_t value)
{
    fprintf(out, ",\"%s\":%llu", name, (unsigned long long)value);
}

void fnp_json_bool(FILE *out, const char *name, bool value)
{
    fprintf(out, ",\"%s\":%s", name, value ? "true" : "false");
}
