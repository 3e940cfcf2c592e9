/* SPDX-License-Identifier: MIT */
/*
 * opt.h - command-line options described by a table
 *
 * "--name VALUE", "--name=VALUE" and "-x VALUE"; options and names may be mixed,
 * "--" ends the options.  An unknown option is one sentence with the nearest name.
 *
 * Depends on: status, nearest.
 */
#ifndef FNP_BASE_OPT_H
#define FNP_BASE_OPT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

/* How the value is read; `to` points at the type named here. */
enum fnp_opt_kind {
    FNP_OPT_FLAG,  /* bool, set to true */
    FNP_OPT_TEXT,  /* const char *, the last one wins; borrowed from argv */
    FNP_OPT_LIST,  /* struct fnp_opt_list, every one is kept */
    FNP_OPT_COUNT, /* uint64_t, decimal or 0x */
};

#define FNP_OPT_LIST_MAX 64

/* Borrowed from argv. */
struct fnp_opt_list {
    const char *item[FNP_OPT_LIST_MAX];
    size_t count;
};

struct fnp_opt {
    const char *name; /* without dashes */
    char letter;      /* 0: none */
    enum fnp_opt_kind kind;
    void *to;
    const char *value; /* word for the value in help, NULL for flags */
    const char *help;  /* one line */
};

/*
 * Read argv[0, argc) by options[0, count); what is no option goes to `names`.
 * Fails with FNP_INPUT and one sentence.  Nothing after "--" is read: `rest`
 * (may be NULL) is set to the index of the first word behind it, or argc.
 */
enum fnp_status fnp_opt_parse(int argc, char **argv, const struct fnp_opt *options,
                              size_t count, struct fnp_opt_list *names, int *rest,
                              struct fnp_err *err);

/* Read an unsigned number, decimal or 0x hex, no sign, no rubbish behind it. */
bool fnp_parse_u64(const char *text, uint64_t *out);

#endif
