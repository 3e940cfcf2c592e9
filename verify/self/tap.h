/* SPDX-License-Identifier: MIT */
/*
 * tap.h - the whole test framework: numbered TAP lines and a plan at the end
 *
 * Depends on: nothing.
 */
#ifndef FNP_VERIFY_SELF_TAP_H
#define FNP_VERIFY_SELF_TAP_H

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>

static unsigned tap_count, tap_failed;

/* One check: print "ok N - name" or "not ok N - name". */
__attribute__((format(printf, 2, 3))) static inline void tap_ok(bool ok,
                                                                const char *format, ...)
{
    va_list args;

    tap_count++;
    tap_failed += !ok;
    printf("%sok %u - ", ok ? "" : "not ", tap_count);
    va_start(args, format);
    vprintf(format, args);
    va_end(args);
    putchar('\n');
    fflush(
        stdout); /* what was printed survives a crash, and is not printed twice by a fork */
}

/* Print the plan; the exit status: 1 when a check failed or none ran. */
static inline int tap_done(void)
{
    printf("1..%u\n", tap_count);
    return tap_failed > 0 || tap_count == 0;
}

#endif
