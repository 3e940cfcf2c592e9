/* SPDX-License-Identifier: MIT */
/*
 * case_file.c - `.case` files: one saved case with its kernel and what to expect
 *
 * Strict about everything but keys that begin with "x-": a file that is read wrongly
 * would be a test that tests nothing.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/nearest.h"
#include "report/rules.h"
#include "subject/case.h"

#define FIRST_LINE "fencepost-case 1"

enum {
    FILE_MAX = 64 * 1024,
    LINE_MAX_LEN = 2048,
    QUOTED = 40
};

enum key {
    KEY_KERNEL,
    KEY_CONTRACT,
    KEY_CASE,
    KEY_EXPECT,
    KEY_SEEN_ON,
    N_FILE_KEYS
};

static const char *const key_names[N_FILE_KEYS] = {
    [KEY_KERNEL] = "kernel", [KEY_CONTRACT] = "contract", [KEY_CASE] = "case",
    [KEY_EXPECT] = "expect", [KEY_SEEN_ON] = "seen-on",
};

/* Where the reader stands. */
struct reader {
    const char *path;
    unsigned line;
    bool headed; /* the first line was seen */
    bool seen[N_FILE_KEYS];
    struct fnp_case_file *out;
    struct fnp_err *err;
};

static enum fnp_status complain(const struct reader *r, const char *what,
                                const char *word)
{
    return fnp_err_set(r->err, FNP_INPUT, "%s:%u: %s%s%s%s", r->path, r->line, what,
                       *word ? " \"" : "", word, *word ? "\"" : "");
}

static enum fnp_status store(const struct reader *r, char *to, size_t cap,
                             const char *value)
{
    size_t len = strlen(value);

    if (len >= cap)
        return complain(r, "this line is too long", "");
    memcpy(to, value, len + 1);
    return FNP_OK;
}

/* "pass" or SLUG[@region]; a slug nobody reports would never match. */
static enum fnp_status read_expect(const struct reader *r, char *value)
{
    const char *names[FNP_N_RULES + 1] = { "pass" };
    char *at = strchr(value, '@');
    const char *near = NULL;
    bool known = false;

    if (strlen(value) >= sizeof(r->out->expect))
        return complain(r, "this line is too long", "");
    memcpy(r->out->expect, value, strlen(value) + 1);
    if (at)
        *at = 0;
    known = fnp_rule_find(value) != FNP_N_RULES;
    if ((!at && strcmp(value, "pass") == 0) || (known && (!at || at[1])))
        return FNP_OK;
    if (known || strcmp(value, "pass") == 0)
        return complain(r, "expect is pass, SLUG or SLUG@REGION, not", r->out->expect);
    for (unsigned i = 0; i < FNP_N_RULES; i++)
        names[i + 1] = fnp_rule_info((enum fnp_rule)i)->slug;
    near = fnp_nearest(value, names, FNP_N_RULES + 1);
    return fnp_err_set(r->err, FNP_INPUT, "%s:%u: unknown slug \"%.*s\"%s%s", r->path,
                       r->line, QUOTED, value, near ? "; the nearest is " : "",
                       near ? near : "");
}

static enum fnp_status read_case(const struct reader *r, const char *value)
{
    struct fnp_err inner = { { 0 } };

    if (fnp_case_parse(value, &r->out->c, &inner) == FNP_OK)
        return FNP_OK;
    return complain(r, inner.text, "");
}

static enum fnp_status unknown_key(const struct reader *r, const char *word)
{
    const char *near = fnp_nearest(word, key_names, N_FILE_KEYS);

    return fnp_err_set(r->err, FNP_INPUT, "%s:%u: unknown key \"%.*s\"%s%s", r->path,
                       r->line, QUOTED, word, near ? "; the nearest is " : "",
                       near ? near : "");
}

static enum fnp_status read_key(struct reader *r, size_t key, char *value)
{
    if (r->seen[key])
        return complain(r, "a second line for", key_names[key]);
    r->seen[key] = true;
    if (!*value)
        return complain(r, "nothing follows", key_names[key]);
    switch (key) {
    case KEY_KERNEL:
        return store(r, r->out->kernel, sizeof(r->out->kernel), value);
    case KEY_CONTRACT:
        return store(r, r->out->contract, sizeof(r->out->contract), value);
    case KEY_CASE:
        return read_case(r, value);
    case KEY_EXPECT:
        return read_expect(r, value);
    default:
        return store(r, r->out->seen_on, sizeof(r->out->seen_on), value);
    }
}

/* Cut blanks at both ends of text, in place. */
static char *trim(char *text)
{
    size_t len = 0;

    text += strspn(text, " \t");
    len = strlen(text);
    while (len > 0 && strchr(" \t\r", text[len - 1]))
        text[--len] = 0;
    return text;
}

/* One line without its newline, in a buffer that may be written. */
static enum fnp_status read_line(struct reader *r, char *line)
{
    char *word = trim(line);
    char *value = word + strcspn(word, " \t");
    size_t key = 0;

    if (!*word || *word == '#')
        return FNP_OK;
    if (!r->headed) {
        r->headed = strcmp(word, FIRST_LINE) == 0;
        if (r->headed)
            return FNP_OK;
        if (strncmp(word, FIRST_LINE, strlen(FIRST_LINE) - 1) == 0)
            return complain(r, "this version knows only", FIRST_LINE);
        return complain(r, "a case file begins with", FIRST_LINE);
    }
    if (*value) {
        *value = 0;
        value = trim(value + 1);
    }
    if (strncmp(word, "x-", 2) == 0)
        return FNP_OK;
    while (key < N_FILE_KEYS && strcmp(word, key_names[key]) != 0)
        key++;
    if (key == N_FILE_KEYS)
        return unknown_key(r, word);
    return read_key(r, key, value);
}

static bool printable(const char *line, size_t len)
{
    for (size_t i = 0; i < len; i++) {
        unsigned char c = (unsigned char)line[i];

        if ((c < ' ' && c != '\t' && (c != '\r' || i + 1 < len)) || c == 127)
            return false;
    }
    return true;
}

enum fnp_status fnp_case_file_parse(const char *path, const char *text, size_t len,
                                    struct fnp_case_file *out, struct fnp_err *err)
{
    struct reader r = { .path = path, .out = out, .err = err };
    const char *end = text + len;

    memset(out, 0, sizeof(*out));
    out->c = fnp_case_default();
    while (text < end) {
        char line[LINE_MAX_LEN];
        const char *newline = memchr(text, '\n', (size_t)(end - text));
        size_t n = (size_t)((newline ? newline : end) - text);
        enum fnp_status status = FNP_OK;

        r.line++;
        if (n >= sizeof(line))
            return complain(&r, "this line is too long", "");
        if (!printable(text, n))
            return complain(&r, "this line holds control characters", "");
        memcpy(line, text, n);
        line[n] = 0;
        status = read_line(&r, line);
        if (status)
            return status;
        text = newline ? newline + 1 : end;
    }
    if (!r.headed)
        return fnp_err_set(err, FNP_INPUT, "%s: empty, not a case file", path);
    for (size_t key = 0; key < N_FILE_KEYS; key++) {
        if (!r.seen[key] && key != KEY_CONTRACT && key != KEY_SEEN_ON)
            return fnp_err_set(err, FNP_INPUT, "%s: the line \"%s ...\" is missing",
                               path, key_names[key]);
    }
    return FNP_OK;
}

enum fnp_status fnp_case_file_read(const char *path, struct fnp_case_file *out,
                                   struct fnp_err *err)
{
    static char text[FILE_MAX + 1]; /* called by the one thread of a command */
    FILE *file = fopen(path, "rb");
    size_t len = 0;
    int failed = 0;

    if (!file)
        return fnp_err_set(err, FNP_INPUT, "%s: %s", path, strerror(errno));
    errno = 0;
    len = fread(text, 1, sizeof(text), file);
    failed = ferror(file) ? errno : 0;
    fclose(file);
    if (failed)
        return fnp_err_set(err, FNP_INPUT, "%s: %s", path, strerror(failed));
    if (len > FILE_MAX)
        return fnp_err_set(err, FNP_INPUT, "%s: longer than any case file", path);
    return fnp_case_file_parse(path, text, len, out, err);
}

enum fnp_rule fnp_case_file_expects(const struct fnp_case_file *f, const char **region)
{
    const char *at = strchr(f->expect, '@');
    char slug[sizeof(f->expect)];

    snprintf(slug, sizeof(slug), "%.*s",
             (int)(at ? at - f->expect : (long)strlen(f->expect)), f->expect);
    *region = at ? at + 1 : NULL;
    return fnp_rule_find(slug);
}

void fnp_case_file_text(const struct fnp_case_file *f, bool with_n, struct fnp_str *out)
{
    fnp_str_add(out, FIRST_LINE "\nkernel %s\n", f->kernel);
    if (*f->contract)
        fnp_str_add(out, "contract %s\n", f->contract);
    fnp_str_add(out, "case ");
    fnp_case_text(&f->c, with_n, out);
    fnp_str_add(out, "\nexpect %s\n", f->expect);
    if (*f->seen_on)
        fnp_str_add(out, "seen-on %s\n", f->seen_on);
}
