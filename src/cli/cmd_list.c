/* SPDX-License-Identifier: MIT */
/*
 * cmd_list.c - `fencepost list`: which kernels a request names, what a file holds
 *
 * Never runs a kernel.
 */
#include <stdio.h>
#include <string.h>

#include "base/str.h"
#include "cli/cli.h"
#include "cli/json_line.h"
#include "cli/subjects.h"
#include "x86/cpuid.h"

static const char *const formats[] = { "text", "jsonl" };

/* A word without ':' that no contract section can be meant by: an existing file. */
static bool is_file(const char *word)
{
    FILE *f = strchr(word, ':') ? NULL : fopen(word, "re");

    if (f) {
        fclose(f);
    }
    return f != NULL;
}

static void print_function(const char *path, const struct fnp_object_symbol *s,
                           const char *word, bool json)
{
    if (json) {
        fnp_json_begin(stdout, "function");
        fnp_json_text(stdout, "file", path);
        fnp_json_text(stdout, "symbol", s->name);
        fnp_json_count(stdout, "size", s->size);
        fnp_json_bool(stdout, "global", s->is_global);
        fnp_json_bool(stdout, "ifunc", s->is_ifunc);
        fnp_json_text(stdout, "guess", word);
        fnp_json_end(stdout);
        return;
    }
    printf("%s:%-32s %6llu bytes  %s%s%s%s\n", path, s->name,
           (unsigned long long)s->size, s->is_global ? "" : "local  ",
           s->is_ifunc ? "IFUNC resolver  " : "",
           word ? "contract guessed: " : "no guess", word ? word : "");
}

static enum fnp_status list_file(struct fnp_arena *arena, const char *path, bool json,
                                 struct fnp_err *err)
{
    struct fnp_object object;
    struct fnp_object_symbol *symbols = NULL;
    size_t count = 0;
    enum fnp_status status = fnp_object_read(arena, path, &object, err);

    if (status == FNP_OK) {
        const char *what = fnp_object_unsupported(&object);
        if (what) {
            return fnp_err_set(err, FNP_INPUT, "%s: %s", path, what);
        }
        status = fnp_object_functions(arena, &object, &symbols, &count, err);
    }
    for (size_t i = 0; status == FNP_OK && i < count; i++) {
        struct fnp_contract_draft *draft =
            fnp_contract_guess(arena, symbols[i].name, NULL);
        struct fnp_contract contract;
        bool known = draft && fnp_contract_finish(draft, &contract, NULL) == FNP_OK;
        print_function(path, &symbols[i], known ? contract.guess : NULL, json);
    }
    if (status == FNP_OK && count == 0) {
        return fnp_err_set(err, FNP_INPUT, "%s holds no function", path);
    }
    return status;
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
        fnp_json_text(stdout, "contract", c->origin);
        fnp_json_text(stdout, "cpu", needs);
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
    if (k->missing) {
        printf("  skipped: this CPU has no %s", k->missing);
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
        if (is_file(names->item[i])) {
            files = true;
            status = list_file(arena, names->item[i], json, &err);
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
        .words = "[OPTION]... [SUBJECT|FILE.o]...",
        .text = "List kernels with their operation, prototype and the CPU features "
                "they need;\n"
                "or the functions of an object file with the contract that would be "
                "guessed.\n"
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
