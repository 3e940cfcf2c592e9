/* SPDX-License-Identifier: MIT */
/*
 * cmd_contract.c - `fencepost contract`: what a kernel is taken to promise, as INI
 *
 * The output reads back as the same contract; what was guessed is said in comments.
 */
#include <stdio.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/subjects.h"

/* Its object is a part of this program: no path leads there. */
static bool is_builtin(const struct fnp_kernel *k)
{
    return k->contract.read_from && !strcmp(k->contract.read_from, "builtin") &&
           !strncmp(k->name, "builtin:", strlen("builtin:"));
}

static void print_contract(struct fnp_arena *arena, const struct fnp_kernel *k)
{
    const struct fnp_contract *c = &k->contract;
    struct fnp_contract mine = *c;

    if (c->guess) {
        printf("; %s: guessed from the name (%s).  Check every line: what is written "
               "here\n"
               "; is what verify holds the kernel to.\n",
               k->name, c->guess);
        if (c->guess_rest) {
            printf("; The guess made nothing of these words of the name: %s\n",
                   c->guess_rest);
        }
    } else {
        printf("; %s: declared in %s\n", k->name,
               c->read_from ? c->read_from : "options");
    }
    if (k->scan.indirect) {
        printf(
            "; An indirect jump was met; more CPU features may be needed than seen.\n");
    }
    if (is_builtin(k)) {
        printf("; It is built in, so there is no object; name one of yours to use "
               "this.\n");
        mine.object = NULL;
    }
    printf("%s", fnp_contract_ini(arena, &mine));
}

static int contract(struct fnp_arena *arena, const struct fnp_subjects *subjects,
                    const struct fnp_opt_list *names)
{
    struct fnp_kernels kernels = { 0 };
    struct fnp_err err = { "" };
    enum fnp_status status = fnp_subjects_resolve(arena, subjects, names->item,
                                                  names->count, &kernels, &err);

    if (status != FNP_OK) {
        return fnp_cli_complain(status, &err);
    }
    fnp_subjects_notes(stdout, "; ", subjects);
    for (size_t i = 0; i < kernels.count; i++) {
        if (i > 0) {
            printf("\n");
        }
        print_contract(arena, &kernels.list[i]);
    }
    return fnp_cli_finish(0);
}

int fnp_cmd_contract(int argc, char **argv)
{
    struct fnp_arena arena = { NULL };
    struct fnp_subjects subjects = { .verb = "show", .one_setting = true };
    struct fnp_opt_list names;
    int code;

    fnp_subjects_options(&arena, &subjects, NULL, 0);
    const struct fnp_usage usage = {
        .command = "contract",
        .words = "[OPTION]... SUBJECT...",
        .text = "Print the contract of each kernel, guessed or declared, as a section "
                "for a\n"
                "contract file.\n\n" FNP_SUBJECT_HELP,
        .options = subjects.options,
        .count = subjects.n_options,
        .block = "contract keys, for FILE:SYMBOL subjects:",
    };
    if (fnp_cli_parse(&usage, argc, argv, &names, &code)) {
        code = contract(&arena, &subjects, &names);
    }
    fnp_arena_release(&arena);
    return code;
}
