/* SPDX-License-Identifier: MIT */
/*
 * status.c - one printable sentence per failure
 *
 * Never prints, except for the last words of fnp_die.
 */
#include "base/status.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

/* Bytes of damaged files end up in sentences; a terminal must not obey them. */
static void make_printable(char *text)
{
    for (char *p = text; *p; p++) {
        unsigned char c = (unsigned char)*p;

        if (c < 0x20 || c == 0x7f) {
            *p = '?';
        }
    }
}

enum fnp_status fnp_err_set(struct fnp_err *err, enum fnp_status status,
                            const char *format, ...)
{
    va_list args;

    if (!err) {
        return status;
    }
    va_start(args, format);
    if (vsnprintf(err->text, sizeof(err->text), format, args) < 0) {
        err->text[0] = 0;
    }
    va_end(args);
    make_printable(err->text);
    return status;
}

void fnp_die(const char *format, ...)
{
    char text[512];
    va_list args;

    va_start(args, format);
    if (vsnprintf(text, sizeof(text), format, args) < 0) {
        text[0] = 0;
    }
    va_end(args);
    make_printable(text);
    fflush(stdout);
    fprintf(stderr, "fencepost: %s\n", text);
    exit(FNP_FAILED);
}
