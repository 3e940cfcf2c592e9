/* SPDX-License-Identifier: MIT */
/*
 * cli.c - usage texts, option reading and complaints shared by all commands
 *
 * Never judges, never runs anything.
 */
#include "cli/cli.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/nearest.h"
#include "base/str.h"

enum {
    HELP_COLUMN = 30,
    LINE_WIDTH = 88,
    MAX_OPTIONS = 96
};

static void print_option(const struct fnp_opt *o)
{
    char left[80];
    struct fnp_str s = fnp_str_over(left, sizeof(left));

    if (o->letter) {
        fnp_str_add(&s, "-%c, ", o->letter);
    }
    fnp_str_add(&s, "--%s", o->name);
    if (o->value) {
        fnp_str_add(&s, " %s", o->value);
    }
    printf("  %-*s  %s\n", HELP_COLUMN - 4, left, o->help);
}

/* Options with no help text, or with an empty one when `special`. */
static void print_block(const struct fnp_usage *u, const char *heading, bool special)
{
    size_t column = 0;

    printf("\n%s\n", heading);
    for (size_t i = 0; i < u->count; i++) {
        const char *help = u->options[i].help;
        if (special ? !help || help[0] : help != NULL) {
            continue;
        }
        size_t width = strlen(u->options[i].name) + 3;
        if (column && column + width > LINE_WIDTH) {
            printf("\n");
            column = 0;
        }
        column += (size_t)printf("%s--%s", column ? " " : "  ", u->options[i].name);
    }
    printf("\n");
}

static void print_usage(const struct fnp_usage *u)
{
    printf("usage: fencepost %s %s\n\n%s\noptions:\n", u->command, u->words, u->text);
    for (size_t i = 0; i < u->count; i++) {
        if (u->options[i].help && u->options[i].help[0]) {
            print_option(&u->options[i]);
        }
    }
    print_option(
        &(struct fnp_opt){ .name = "help", .letter = 'h', .help = "this text" });
    if (u->block) {
        print_block(u, u->block, false);
        print_block(u, "contract keys that only tests of fencepost itself use:", true);
    }
}

bool fnp_cli_parse(const struct fnp_usage *usage, int argc, char **argv,
                   struct fnp_opt_list *names, int *code)
{
    struct fnp_opt table[MAX_OPTIONS];
    struct fnp_err err = { "" };
    bool help = false;

    if (usage->count >= FNP_ARRAY_LEN(table)) {
        fnp_die("too many options for one table");
    }
    if (usage->count) {
        memcpy(table, usage->options, usage->count * sizeof(*table));
    }
    table[usage->count] = (struct fnp_opt){
        .name = "help",
        .letter = 'h',
        .kind = FNP_OPT_FLAG,
        .to = &help,
        .help = "this text",
    };
    *names = (struct fnp_opt_list){ 0 };
    int rest = argc;
    enum fnp_status status =
        fnp_opt_parse(argc, argv, table, usage->count + 1, names, &rest, &err);
    if (status == FNP_OK && help) {
        print_usage(usage);
        *code = fnp_cli_finish(0);
        return false;
    }
    if (status == FNP_OK && rest < argc) {
        status = fnp_err_set(&err, FNP_INPUT, "%s takes nothing behind --: %s",
                             usage->command, argv[rest]);
    }
    if (status != FNP_OK) {
        *code = fnp_cli_complain(status, &err);
        return false;
    }
    return true;
}

int fnp_cli_complain(enum fnp_status status, const struct fnp_err *err)
{
    fflush(stdout);
    fprintf(stderr, "fencepost: %s\n", err->text[0] ? err->text : "failed");
    return (int)status;
}

int fnp_cli_refuse(const char *format, ...)
{
    char text[sizeof(((struct fnp_err *)0)->text)];
    struct fnp_err err;
    va_list args;

    va_start(args, format);
    vsnprintf(text, sizeof(text), format, args);
    va_end(args);
    return fnp_cli_complain(fnp_err_set(&err, FNP_INPUT, "%s", text), &err);
}

const char *fnp_cli_hint(const char *word, const char *const *names, size_t count)
{
    static char text[96];
    const char *near = fnp_nearest(word, names, count);

    if (!near) {
        return "";
    }
    snprintf(text, sizeof(text), "; did you mean %s?", near);
    return text;
}

void fnp_cli_wrap(int column, const char *text)
{
    int at = column;

    while (*text) {
        int len = (int)strcspn(text, " ");
        if (at > column && at + 1 + len > LINE_WIDTH) {
            at = printf("\n%*s", column, "") - 1;
        }
        at += printf("%s%.*s", at > column ? " " : "", len, text);
        text += len + (text[len] == ' ');
    }
    printf("\n");
}

int fnp_cli_finish(int code)
{
    if (fflush(stdout) == 0 && !ferror(stdout)) {
        return code;
    }
    fprintf(stderr, "fencepost: cannot write to standard output: %s\n",
            strerror(errno));
    return code > 128 ? code : FNP_FAILED;
}
