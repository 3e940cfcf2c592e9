/* SPDX-License-Identifier: MIT */
/*
 * str.c - bounded text with sticky overflow
 *
 * Never allocates.
 */
#include "base/str.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

struct fnp_str fnp_str_over(char *text, size_t cap)
{
    assert(cap > 0);
    text[0] = 0;
    return (struct fnp_str){ .text = text, .cap = cap };
}

void fnp_str_add(struct fnp_str *str, const char *format, ...)
{
    size_t room = str->cap - str->len;
    va_list args;
    int len;

    va_start(args, format);
    len = vsnprintf(str->text + str->len, room, format, args);
    va_end(args);
    if (len < 0) {
        str->text[str->len] = 0;
        str->overflow = true;
    } else if ((size_t)len >= room) {
        str->len = str->cap - 1;
        str->overflow = true;
    } else {
        str->len += (size_t)len;
    }
}

static void add_bytes(struct fnp_str *str, const char *bytes, size_t len)
{
    size_t room = str->cap - 1 - str->len;

    if (len > room) {
        str->overflow = true;
        len = room;
    }
    memcpy(str->text + str->len, bytes, len);
    str->len += len;
    str->text[str->len] = 0;
}

/* Nothing a shell would look at, wherever the word stands. */
static bool is_plain_word(const char *text)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyz"
                                "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                "0123456789"
                                "_-+./:,@%=";

    return text[0] && text[strspn(text, plain)] == 0;
}

void fnp_str_add_quoted(struct fnp_str *str, const char *text)
{
    if (is_plain_word(text)) {
        add_bytes(str, text, strlen(text));
        return;
    }
    add_bytes(str, "'", 1);
    for (;;) {
        size_t len = strcspn(text, "'");

        add_bytes(str, text, len);
        text += len;
        if (!*text) {
            break;
        }
        add_bytes(str, "'\\''", 4);
        text++;
    }
    add_bytes(str, "'", 1);
}

void fnp_str_add_hex(struct fnp_str *str, const unsigned char *bytes, size_t len)
{
    static const char digits[] = "0123456789abcdef";

    for (size_t i = 0; i < len; i++) {
        const char pair[2] = { digits[bytes[i] >> 4], digits[bytes[i] & 15] };

        if (str->cap - 1 - str->len < sizeof(pair)) {
            str->overflow = true; /* never half a byte */
            return;
        }
        add_bytes(str, pair, sizeof(pair));
    }
}
