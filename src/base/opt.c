/* SPDX-License-Identifier: MIT */
/*
 * opt.c - reads argv by a table of options
 *
 * Never prints and never exits.
 */
#include "base/opt.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/nearest.h"

#define NAMES_MAX 64

bool fnp_parse_u64(const char *text, uint64_t *out)
{
    bool hex = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
    const char *digits = hex ? text + 2 : text;
    unsigned long long value;

    if (!*digits ||
        digits[strspn(digits, hex ? "0123456789abcdefABCDEF" : "0123456789")] != 0) {
        return false;
    }
    errno = 0;
    value = strtoull(digits, NULL, hex ? 16 : 10);
    if (errno) {
        return false;
    }
    *out = value;
    return true;
}

/* The words still to be read and where they go. */
struct scan {
    int argc;
    char **argv;
    int at; /* the word being read */
    const struct fnp_opt *options;
    size_t count;
    struct fnp_err *err;
};

static enum fnp_status unknown(const struct scan *scan, const char *name, size_t len)
{
    const char *names[NAMES_MAX];
    size_t n_names = 0;
    char word[64];
    const char *near;

    for (size_t i = 0; i < scan->count && n_names < NAMES_MAX; i++) {
        names[n_names++] = scan->options[i].name;
    }
    if (len >= sizeof(word)) {
        len = sizeof(word) - 1;
    }
    memcpy(word, name, len);
    word[len] = 0;
    near = fnp_nearest(word, names, n_names);
    return fnp_err_set(scan->err, FNP_INPUT, "unknown option --%s%s%s%s", word,
                       near ? "; did you mean --" : "", near ? near : "",
                       near ? "?" : "");
}

static enum fnp_status list_add(struct fnp_opt_list *list, const char *text,
                                const char *what, struct fnp_err *err)
{
    if (list->count == FNP_OPT_LIST_MAX) {
        return fnp_err_set(err, FNP_INPUT, "more than %d %s", FNP_OPT_LIST_MAX, what);
    }
    list->item[list->count++] = text;
    return FNP_OK;
}

static enum fnp_status store(const struct fnp_opt *opt, const char *value,
                             struct fnp_err *err)
{
    char what[64];

    switch (opt->kind) {
    case FNP_OPT_FLAG:
        *(bool *)opt->to = true;
        return FNP_OK;
    case FNP_OPT_TEXT:
        *(const char **)opt->to = value;
        return FNP_OK;
    case FNP_OPT_LIST:
        snprintf(what, sizeof(what), "--%s options", opt->name);
        return list_add(opt->to, value, what, err);
    case FNP_OPT_COUNT:
        if (fnp_parse_u64(value, opt->to)) {
            return FNP_OK;
        }
        return fnp_err_set(err, FNP_INPUT, "--%s needs a number, not \"%s\"", opt->name,
                           value);
    }
    return FNP_OK;
}

/* `inline_value` follows "=" or the letter; NULL: the value is the next word. */
static enum fnp_status take(struct scan *scan, const struct fnp_opt *opt,
                            const char *inline_value)
{
    if (opt->kind == FNP_OPT_FLAG) {
        if (inline_value) {
            return fnp_err_set(scan->err, FNP_INPUT, "--%s takes no value", opt->name);
        }
        return store(opt, NULL, scan->err);
    }
    if (!inline_value) {
        if (scan->at + 1 >= scan->argc) {
            return fnp_err_set(scan->err, FNP_INPUT, "--%s needs a value (%s)",
                               opt->name, opt->value ? opt->value : "VALUE");
        }
        inline_value = scan->argv[++scan->at];
    }
    return store(opt, inline_value, scan->err);
}

static enum fnp_status take_long(struct scan *scan, const char *word)
{
    size_t len = strcspn(word, "=");

    for (size_t i = 0; i < scan->count; i++) {
        const struct fnp_opt *opt = &scan->options[i];

        if (strlen(opt->name) == len && memcmp(opt->name, word, len) == 0) {
            return take(scan, opt, word[len] ? word + len + 1 : NULL);
        }
    }
    return unknown(scan, word, len);
}

/* "-v", "-vq" (flags may be joined), "-j 4", "-j4". */
static enum fnp_status take_letters(struct scan *scan, const char *letters)
{
    for (; *letters; letters++) {
        const struct fnp_opt *opt = NULL;

        for (size_t i = 0; i < scan->count && !opt; i++) {
            if (scan->options[i].letter == *letters) {
                opt = &scan->options[i];
            }
        }
        if (!opt) {
            return fnp_err_set(scan->err, FNP_INPUT, "unknown option -%c", *letters);
        }
        if (opt->kind != FNP_OPT_FLAG) {
            return take(scan, opt, letters[1] ? letters + 1 : NULL);
        }
        *(bool *)opt->to = true;
    }
    return FNP_OK;
}

/* argv comes as two. */
/* NOLINTNEXTLINE(readability-function-size) */
enum fnp_status fnp_opt_parse(int argc, char **argv, const struct fnp_opt *options,
                              size_t count, struct fnp_opt_list *names, int *rest,
                              struct fnp_err *err)
{
    struct scan scan = { argc, argv, 0, options, count, err };

    if (rest) {
        *rest = argc;
    }
    for (; scan.at < argc; scan.at++) {
        const char *word = argv[scan.at];
        enum fnp_status status;

        if (strcmp(word, "--") == 0) {
            if (rest) {
                *rest = scan.at + 1;
            }
            break;
        }
        if (word[0] == '-' && word[1] == '-') {
            status = take_long(&scan, word + 2);
        } else if (word[0] == '-' && word[1]) {
            status = take_letters(&scan, word + 1);
        } else {
            status = list_add(names, word, "names", err);
        }
        if (status != FNP_OK) {
            return status;
        }
    }
    return FNP_OK;
}
