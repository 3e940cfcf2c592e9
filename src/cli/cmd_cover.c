/* SPDX-License-Identifier: MIT */
/*
 * cmd_cover.c - `fencepost cover`: which code of a kernel the recorded cases reach
 *
 * Options and exit status; verify/coverage.h runs the cases that `verify` records.
 */
#include <stdio.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/cover_print.h"
#include "cli/exit_code.h"
#include "cli/json_line.h"
#include "cli/settings.h"
#include "cli/stop.h"
#include "cli/subjects.h"
#include "x86/cpuid.h"

static const char *const formats[] = { "text", "jsonl" };

struct args {
    const char *format, *budget;
    uint64_t seed;
    bool verbose, json;
};

struct run {
    const struct args *args;
    struct fnp_run_facts *facts;
    size_t covered; /* kernels with a recorded case */
};

static void tell(void *arg, const struct fnp_coverage *c)
{
    struct run *run = arg;
    struct fnp_arena arena = { NULL };

    run->covered += c->cases > 0;
    run->facts->named_open |= c->kernel->named && c->cases == 0;
    if (run->args->json) {
        fnp_cover_json(stdout, &arena, c, run->args->verbose);
    } else {
        fnp_cover_print(stdout, &arena, c, run->args->verbose);
    }
    fflush(stdout);
    fnp_arena_release(&arena);
}

static void tell_missing(struct run *run, const struct fnp_kernel *k)
{
    run->facts->named_open |= k->named;
    if (run->args->json) {
        fnp_json_begin(stdout, "coverage");
        fnp_json_text(stdout, "kernel", k->name);
        fnp_json_text(stdout, "missing", k->missing);
        fnp_json_end(stdout);
    } else {
        printf("%s: skipped, it %s\n", k->name, k->skip);
    }
}

/* Everything that can be wrong with the words, before any file is touched. */
static enum fnp_status read_args(struct args *a, struct fnp_verify_options *o,
                                 struct fnp_err *err)
{
    enum fnp_status status = fnp_budget_parse(a->budget, &o->budget, &o->seconds, err);

    a->json = a->format && !strcmp(a->format, "jsonl");
    o->seed = a->seed;
    o->stop = &fnp_stop_flag;
    if (status == FNP_OK && a->format && !a->json && strcmp(a->format, "text") != 0) {
        return fnp_err_set(err, FNP_INPUT, "unknown format %s for cover%s", a->format,
                           fnp_cli_hint(a->format, formats, FNP_ARRAY_LEN(formats)));
    }
    return status;
}

static int cover(struct fnp_arena *arena, const struct fnp_subjects *subjects,
                 struct args *a, const struct fnp_opt_list *names)
{
    struct fnp_verify_options options = { .jobs = 1 };
    struct fnp_run_facts facts = { 0 };
    struct run run = { .args = a, .facts = &facts };
    struct fnp_kernels kernels = { 0 };
    struct fnp_err err = { "" };
    enum fnp_status status = read_args(a, &options, &err);

    if (status == FNP_OK) {
        status = fnp_subjects_resolve(arena, subjects, names->item, names->count,
                                      &kernels, &err);
    }
    if (status == FNP_OK && fnp_cpu()->emulated) {
        status = fnp_err_set(&err, FNP_NOTHING, "emulated CPU: nothing was run (%s)",
                             fnp_cpu()->emulated);
    }
    if (status == FNP_OK) {
        fnp_stop_catch();
        for (size_t i = 0; i < kernels.count; i++) {
            if (kernels.list[i].missing) {
                tell_missing(&run, &kernels.list[i]);
            }
        }
        status = fnp_coverage(&kernels, &options, tell, &run, &err);
    }
    if (status != FNP_OK) {
        return fnp_cli_complain(status, &err);
    }
    facts.signal = fnp_stop_signal();
    facts.nothing = run.covered == 0;
    return fnp_cli_finish(fnp_exit_code(&facts));
}

int fnp_cmd_cover(int argc, char **argv)
{
    struct args a = { .budget = "gate", .seed = 1 };
    const struct fnp_opt own[] = {
        { "budget",  0,   FNP_OPT_TEXT,  &a.budget,  "HOW",
         "of the plan that cases are taken from, as in verify"                     },
        { "seed",    0,   FNP_OPT_COUNT, &a.seed,    "N",    "of its random stage" },
        { "verbose", 'v', FNP_OPT_FLAG,  &a.verbose, NULL,
         "every instruction with how often it ran"                                 },
        { "format",  0,   FNP_OPT_TEXT,  &a.format,  "NAME", "text or jsonl"       },
    };
    struct fnp_arena arena = { NULL };
    struct fnp_subjects subjects = { .verb = "cover" };
    struct fnp_opt_list names;
    int code;

    fnp_subjects_options(&arena, &subjects, own, FNP_ARRAY_LEN(own));
    const struct fnp_usage usage = {
        .command = "cover",
        .words = "[OPTION]... [SUBJECT]...",
        .text = "Run the cases that verify records and say which blocks of the code "
                "ran, of "
                "those\n"
                "that branches and jump tables reach; which branches went one way "
                "only; and "
                "how\n"
                "often loops were gone round.  It gives no verdict.\n"
                "\n" FNP_SUBJECT_HELP,
        .options = subjects.options,
        .count = subjects.n_options,
        .block = "contract keys, for FILE:SYMBOL subjects:",
    };
    if (fnp_cli_parse(&usage, argc, argv, &names, &code)) {
        code = cover(&arena, &subjects, &a, &names);
    }
    fnp_arena_release(&arena);
    return code;
}
