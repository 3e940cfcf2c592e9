/* SPDX-License-Identifier: MIT */
/*
 * cmd_list.c - `fencepost list`: which kernels a request names, what a file holds
 *
 * Never runs a kernel.
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/str.h"
#include "cli/cli.h"
#include "cli/json_line.h"
#include "cli/subjects.h"
#include "subject/members.h"
#include "x86/cpuid.h"

/* Longer names push their row apart instead of all rows. */
enum {
    NAME_WIDTH = 48
};

static const char *const formats[] = { "text", "jsonl" };

/* An existing file, or a member of one. */
static bool exists(struct fnp_arena *arena, const char *path)
{
    const char *member;

    return access(path, F_OK) == 0 || fnp_members_split(arena, path, &member);
}

/* What stands before the colon of FILE:GLOB when FILE exists; NULL: it does not. */
static const char *file_of(struct fnp_arena *arena, const char *word)
{
    const char *colon = strrchr(word, ':');
    const char *path =
        colon ? fnp_arena_text(arena, word, (size_t)(colon - word)) : word;

    return exists(arena, word) ? word : colon && exists(arena, path) ? path : NULL;
}

static void needs_text(fnp_features needs, struct fnp_str *out)
{
    for (unsigned i = 0; i < FNP_N_FEATURES; i++) {
        if (needs >> i & 1) {
            fnp_str_add(out, "%s%s", out->len ? " " : "",
                        fnp_feature_name((enum fnp_feature)i));
        }
    }
}

static void print_function(const char *file, const struct fnp_function *f, int width,
                           bool json)
{
    /* What FILE lacks to name the member. */
    const char *member =
        strncmp(f->file, file, strlen(file)) ? f->file : f->file + strlen(file);
    char needs[256];
    struct fnp_str s = fnp_str_over(needs, sizeof(needs));

    needs_text(f->needs, &s);
    if (json) {
        fnp_json_begin(stdout, "function");
        fnp_json_text(stdout, "file", f->file);
        fnp_json_text(stdout, "symbol", f->name);
        fnp_json_count(stdout, "size", f->size);
        fnp_json_bool(stdout, "global", f->is_global);
        fnp_json_bool(stdout, "ifunc", f->is_ifunc);
        fnp_json_text(stdout, "guess", f->guess);
        fnp_json_text(stdout, "cpu", f->unloaded ? NULL : needs);
        fnp_json_text(stdout, "missing", f->missing);
        fnp_json_text(stdout, "unloaded", f->unloaded);
        fnp_json_end(stdout);
        return;
    }
    printf("%s%s%-*s  %8llu  %-6s  %-10s ", member, *member ? ":" : "",
           width > (int)strlen(member) ? width - (int)strlen(member) : 0, f->name,
           (unsigned long long)f->size, f->is_global ? "global" : "local",
           f->guess ? f->guess : "-");
    if (f->unloaded) {
        printf(" %s\n", f->unloaded);
    } else {
        printf(" %s%s%s\n", needs[0] ? needs : "-",
               f->missing ? "  missing here: " : "", f->missing ? f->missing : "");
    }
}

/* One table, or one line of JSON for each function. */
static enum fnp_status list_file(struct fnp_arena *arena,
                                 const struct fnp_subjects *subjects, const char *word,
                                 bool json, struct fnp_err *err)
{
    const struct fnp_request request = fnp_subjects_request(arena, subjects, &word, 1);
    struct fnp_function *list = NULL;
    size_t count = 0, width = strlen("symbol");
    const char *file = file_of(arena, word);
    enum fnp_status status =
        fnp_functions_list(arena, &request, word, &list, &count, err);

    if (status != FNP_OK) {
        return status;
    }
    for (size_t i = 0; i < count; i++) {
        size_t len = strlen(list[i].name);
        width = len > width && len <= NAME_WIDTH ? len : width;
    }
    if (!json) {
        printf("%s\n%-*s  %8s  %-6s  %-10s  cpu\n", file, (int)width, "symbol", "bytes",
               "scope", "guess");
    }
    for (size_t i = 0; i < count; i++) {
        print_function(file, &list[i], (int)width, json);
    }
    return FNP_OK;
}

static void print_kernel(const struct fnp_kernel *k, bool json)
{
    static const char *const ops[] = {
        [FNP_OP_COPY] = "copy", [FNP_OP_MOVE] = "move", [FNP_OP_SET] = "set",
        [FNP_OP_ZERO] = "zero", [FNP_OP_REF] = "ref",
    };
    const struct fnp_contract *c = &k->contract;
    char needs[256];
    struct fnp_str s = fnp_str_over(needs, sizeof(needs));

    needs_text(k->needs, &s);
    if (json) {
        fnp_json_begin(stdout, "listed");
        fnp_json_text(stdout, "kernel", k->name);
        fnp_json_text(stdout, "op", ops[c->op]);
        fnp_json_text(stdout, "proto", c->proto);
        fnp_json_text(stdout, "contract", c->read_from);
        fnp_json_text(stdout, "cpu", needs);
        fnp_json_text(stdout, "origin", c->origin);
        fnp_json_text(stdout, "missing", k->missing);
        fnp_json_text(stdout, "equal_to", k->equal_to ? k->equal_to->name : NULL);
        fnp_json_text(stdout, "code", k->image.code[0] ? k->image.code : NULL);
        fnp_json_end(stdout);
        return;
    }
    printf("%-32s %-5s %s", k->name, ops[c->op],
           c->proto ? c->proto : "(no prototype)");
    if (c->guess) {
        printf("  guessed: %s", c->guess);
    }
    if (needs[0]) {
        printf("  cpu: %s", needs);
    }
    if (c->origin) {
        printf("  from: %s", c->origin);
    }
    if (k->skip) {
        printf("  skipped: it %s", k->skip);
    }
    if (k->equal_to) {
        printf("  same code as %s", k->equal_to->name);
    }
    printf("\n");
}

static int list(struct fnp_arena *arena, const struct fnp_subjects *subjects,
                const char *format, const struct fnp_opt_list *names)
{
    struct fnp_kernels kernels = { 0 };
    struct fnp_opt_list rest = { .count = 0 };
    struct fnp_err err = { "" };
    enum fnp_status status = FNP_OK;
    bool json = format && !strcmp(format, "jsonl");
    bool files = false;

    if (format && !json && strcmp(format, "text") != 0) {
        return fnp_cli_refuse("unknown format %s for list%s", format,
                              fnp_cli_hint(format, formats, FNP_ARRAY_LEN(formats)));
    }
    for (size_t i = 0; status == FNP_OK && i < names->count; i++) {
        if (file_of(arena, names->item[i])) {
            files = true;
            status = list_file(arena, subjects, names->item[i], json, &err);
        } else {
            rest.item[rest.count++] = names->item[i];
        }
    }
    if (status == FNP_OK && (rest.count || !files || subjects->builtin)) {
        status = fnp_subjects_resolve(arena, subjects, rest.item, rest.count, &kernels,
                                      &err);
    }
    if (status != FNP_OK) {
        return fnp_cli_complain(status, &err);
    }
    fnp_subjects_notes(stderr, "fencepost: ", subjects);
    for (size_t i = 0; i < kernels.count; i++) {
        print_kernel(&kernels.list[i], json);
    }
    return fnp_cli_finish(0);
}

int fnp_cmd_list(int argc, char **argv)
{
    const char *format = NULL;
    const struct fnp_opt own[] = {
        { "format", 0, FNP_OPT_TEXT, &format, "NAME", "text or jsonl" },
    };
    struct fnp_arena arena = { NULL };
    struct fnp_subjects subjects = { .verb = "list" };
    struct fnp_opt_list names;
    int code;

    fnp_subjects_options(&arena, &subjects, own, FNP_ARRAY_LEN(own));
    const struct fnp_usage usage = {
        .command = "list",
        .words = "[OPTION]... [SUBJECT|FILE|FILE:GLOB]...",
        .text = "List kernels with their operation, prototype and the CPU features "
                "they need;\n"
                "or the functions of a file: size, scope, the contract that would be "
                "guessed from\nthe name, and the CPU features of the code.\n"
                "\n" FNP_SUBJECT_HELP,
        .options = subjects.options,
        .count = subjects.n_options,
        .block = "contract keys, for FILE:SYMBOL subjects:",
    };
    if (fnp_cli_parse(&usage, argc, argv, &names, &code)) {
        code = list(&arena, &subjects, format, &names);
    }
    fnp_arena_release(&arena);
    return code;
}
