/* SPDX-License-Identifier: MIT */
/*
 * status.h - how a fallible call reports failure: a status and one sentence
 *
 * A finding about a kernel is data, never an error; errors are bad input and
 * trouble of our own.  Impossible states are asserts, also in release builds.
 *
 * Depends on: nothing.
 */
#ifndef FNP_BASE_STATUS_H
#define FNP_BASE_STATUS_H

/* What a fallible call returns.  The values are the exit codes they lead to. */
enum fnp_status {
    FNP_OK = 0,
    FNP_INPUT = 2,   /* bad usage or bad input; the sentence says what and where */
    FNP_NOTHING = 3, /* nothing to check, or it cannot be checked on this machine */
    FNP_FAILED = 4,  /* fencepost itself or the system failed */
};

/* One printable sentence without newline; empty when nothing went wrong. */
struct fnp_err {
    char text[512];
};

/*
 * Fill `err` (may be NULL) and return `status`, so that callers can write
 * `return fnp_err_set(err, FNP_INPUT, "...")`.  Over-long text is cut and
 * control characters (bytes of a damaged file) are shown as '?'.
 */
enum fnp_status fnp_err_set(struct fnp_err *err, enum fnp_status status,
                            const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Print "fencepost: <sentence>" on stderr and exit with 4. */
_Noreturn void fnp_die(const char *format, ...) __attribute__((format(printf, 1, 2)));

#define FNP_ARRAY_LEN(a) (sizeof(a) / sizeof((a)[0]))

#endif
