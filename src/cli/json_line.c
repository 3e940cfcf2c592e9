/* SPDX-License-Identifier: MIT */
/*
 * json_line.c - writes JSON objects member by member
 */
#include "cli/json_line.h"

#include <stddef.h>

#include "base/utf8.h"

static void put_text(FILE *out, const char *text)
{
    const unsigned char *s = (const unsigned char *)text;

    putc('"', out);
    while (*s) {
        size_t len = fnp_utf8_len(s);
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

void fnp_json_hex(FILE *out, const char *name, uint64_t value)
{
    fprintf(out, ",\"%s\":\"0x%llx\"", name, (unsigned long long)value);
}

void fnp_json_list(FILE *out, const char *name)
{
    fprintf(out, ",\"%s\":[", name);
}

void fnp_json_item(FILE *out, bool is_first, const char *name, const char *text)
{
    fprintf(out, "%s{\"%s\":", is_first ? "" : ",", name);
    put_text(out, text);
}

void fnp_json_item_end(FILE *out)
{
    putc('}', out);
}

void fnp_json_list_end(FILE *out)
{
    putc(']', out);
}
