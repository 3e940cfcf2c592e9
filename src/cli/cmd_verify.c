/* SPDX-License-Identifier: MIT */
/*
 * cmd_verify.c - `fencepost verify`: kernels in, findings and an exit status out
 *
 * Options and printing only; verify/verdict.h plans, runs and judges.
 */
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "base/str.h"
#include "cli/cli.h"
#include "cli/exit_code.h"
#include "cli/outputs.h"
#include "cli/progress.h"
#include "cli/require.h"
#include "cli/settings.h"
#include "cli/stop.h"
#include "cli/subjects.h"
#include "verify/verdict.h"
#include "verify/where.h"
#include "x86/cpuid.h"

/* The command line as read, texts still unread. */
struct args {
    struct fnp_output_args outputs;
    const char *budget, *exhaustive, *resume, *fail_on, *require;
    struct fnp_opt_list only, skip;
    uint64_t jobs, seed, skip_exit;
    bool verbose, quiet;
};

enum {
    NOTE_LEN = 1400
};

/* What the callbacks need. */
struct run {
    bool quiet;
    struct fnp_outputs outputs;
    const struct fnp_kernel *found_in; /* the last kernel with a finding ... */
    struct fnp_origin origin;          /* ... and where it comes from */
    struct fnp_progress progress;
    bool required[FNP_N_CHECK_GROUPS];
    bool named_open;  /* a named kernel was skipped or is inconclusive */
    uint64_t demoted; /* passes that --require turned into inconclusive */
};

/* Says that a contract is a guess and what was made of the name. */
static void guess_note(const struct fnp_kernel *k, struct fnp_str *out)
{
    const struct fnp_contract *c = &k->contract;

    fnp_str_add(
        out,
        "%s: contract %s (guessed from the name; --as NAME changes it, \"fencepost "
        "contract %s\" writes it down)",
        k->name, c->guess, k->spec);
    if (c->guess_rest) {
        fnp_str_add(out, "; left-over words: %s", c->guess_rest);
    }
}

/* In text the notes come first: they tell what all that follows is measured by. */
static void print_guesses(const struct fnp_kernels *kernels)
{
    for (size_t i = 0; i < kernels->count; i++) {
        char text[NOTE_LEN];
        struct fnp_str note = fnp_str_over(text, sizeof(text));
        /* The small one of two has the contract of the one before it. */
        if (kernels->list[i].contract.guess && !kernels->list[i].small) {
            guess_note(&kernels->list[i], &note);
            printf("%s\n", text);
        }
    }
    fflush(stdout);
}

static void on_finding(void *arg, const struct fnp_kernel *k,
                       const struct fnp_finding *f)
{
    struct run *run = arg;

    if (run->found_in != k) {
        run->found_in = k;
        run->origin = fnp_where_origin(k, fnp_outputs_want_places(&run->outputs));
    }
    fnp_progress_clear(&run->progress);
    fnp_outputs_finding(&run->outputs, &run->origin, f);
}

static void on_kernel(void *arg, const struct fnp_kernel *k,
                      const struct fnp_kernel_report *r)
{
    struct run *run = arg;
    struct fnp_kernel_report mine = *r;
    char reason[128];
    char text[NOTE_LEN];
    struct fnp_str note = fnp_str_over(text, sizeof(text));

    if (k->contract.guess) {
        guess_note(k, &note);
        mine.guess_note = text;
    }
    if (fnp_require_apply(run->required, &mine, reason, sizeof(reason))) {
        run->demoted++;
    }
    if (k->named && (mine.verdict == FNP_VERDICT_SKIP ||
                     mine.verdict == FNP_VERDICT_INCONCLUSIVE)) {
        run->named_open = true;
    }
    fnp_progress_clear(&run->progress);
    fnp_outputs_kernel(&run->outputs, &mine);
    fflush(stdout);
}

static void on_progress(void *arg, const char *kernel, uint64_t done, uint64_t of)
{
    struct run *run = arg;

    fnp_progress_show(&run->progress, kernel, done, of);
}

static enum fnp_status read_rules(const struct args *a, struct fnp_verify_options *o,
                                  struct fnp_err *err)
{
    enum fnp_status status = FNP_OK;

    for (size_t i = 0; status == FNP_OK && i < a->only.count; i++) {
        o->has_only = true;
        status = fnp_slugs_parse(a->only.item[i], o->only, err);
    }
    for (size_t i = 0; status == FNP_OK && i < a->skip.count; i++) {
        status = fnp_slugs_parse(a->skip.item[i], o->skip, err);
    }
    return status;
}

/* Numbers within their limits, words among the known ones. */
static enum fnp_status check_words(const struct args *a, struct fnp_err *err)
{
    if (a->jobs != UINT64_MAX && (a->jobs == 0 || a->jobs > 1024)) {
        return fnp_err_set(err, FNP_INPUT, "--jobs %llu: expected 1 to 1024",
                           (unsigned long long)a->jobs);
    }
    if (a->skip_exit > 255 && a->skip_exit != UINT64_MAX) {
        return fnp_err_set(err, FNP_INPUT, "--skip-exit %llu: at most 255",
                           (unsigned long long)a->skip_exit);
    }
    if (a->fail_on && strcmp(a->fail_on, "warning") && strcmp(a->fail_on, "error")) {
        return fnp_err_set(err, FNP_INPUT, "--fail-on %s: expected warning or error",
                           a->fail_on);
    }
    return FNP_OK;
}

/* Everything that can be wrong with the words themselves, before any file is touched. */
static enum fnp_status read_args(const struct args *a, struct fnp_verify_options *o,
                                 struct run *run, struct fnp_err *err)
{
    enum fnp_status status;

    status = check_words(a, err);
    if (status != FNP_OK) {
        return status;
    }
    o->jobs = a->jobs != UINT64_MAX ? (unsigned)a->jobs : fnp_cpus().jobs;
    o->seed = a->seed;
    o->declared = a->exhaustive && !strcmp(a->exhaustive, "box");
    o->exhaustive = o->declared ? NULL : a->exhaustive;
    o->fail_on_warning = a->fail_on && !strcmp(a->fail_on, "warning");
    status = fnp_budget_parse(a->budget, &o->budget, &o->seconds, err);
    if (status == FNP_OK) {
        status = read_rules(a, o, err);
    }
    if (status == FNP_OK && a->require) {
        status = fnp_require_parse(a->require, run->required, err);
    }
    return status;
}

/* Put the reports in their places, also those of a run that was interrupted. */
static void finish(struct run *run, struct fnp_run_facts *facts)
{
    struct fnp_err err = { "" };
    enum fnp_status status = fnp_outputs_finish(&run->outputs, &err);

    if (status != FNP_OK) {
        fnp_cli_complain(status, &err);
        facts->failed = true;
    }
}

/* Close the file of --resume; that it is not up to date is a failure of ours. */
static void finish_cursor(struct fnp_cursor_file *cursor, struct fnp_run_facts *facts)
{
    struct fnp_err err = { "" };
    enum fnp_status status = FNP_OK;

    if (cursor) {
        status = fnp_cursor_file_close(cursor, &err);
    }
    if (status != FNP_OK) {
        fnp_cli_complain(status, &err);
        facts->failed = true;
    }
}

/* Run and print; what happened goes to `facts`. */
static void run_all(const struct fnp_kernels *kernels, struct fnp_verify_options *o,
                    struct run *run, struct fnp_run_facts *facts)
{
    struct fnp_summary summary = { .seed = o->seed };
    struct fnp_err err = { "" };

    if (fnp_outputs_is_text(&run->outputs) && !run->quiet) {
        print_guesses(kernels);
    }
    o->stop = &fnp_stop_flag;
    o->on_finding = on_finding;
    o->on_kernel = on_kernel;
    o->on_progress = run->progress.live ? on_progress : NULL;
    o->arg = run;
    enum fnp_status status = fnp_verify(kernels, o, &summary, &err);
    fnp_progress_clear(&run->progress);
    summary.pass -= run->demoted;
    summary.inconclusive += run->demoted;
    facts->signal = fnp_stop_signal();
    facts->failed = status == FNP_FAILED;
    facts->bad_input = status == FNP_INPUT;
    finish_cursor(o->cursor, facts);
    facts->findings = summary.fail > 0;
    facts->nothing = summary.pass + summary.fail == 0;
    facts->named_open = run->named_open;
    summary.exit = fnp_exit_code(facts);
    summary.interrupted = facts->signal != 0;
    if (status == FNP_OK) {
        fnp_outputs_summary(&run->outputs, &summary);
        finish(run, facts);
    } else {
        fnp_cli_complain(status, &err);
        fnp_outputs_drop(&run->outputs);
    }
}

/* An emulator would be judged, not a CPU: each kernel stays open. */
static void run_none(const struct fnp_kernels *kernels, struct run *run,
                     const struct fnp_verify_options *o, struct fnp_run_facts *facts)
{
    const struct fnp_cpu *cpu = fnp_cpu();
    char reason[128];

    if (fnp_outputs_is_text(&run->outputs)) {
        printf("emulated CPU: nothing was checked (%s)\n", cpu->emulated);
    }
    snprintf(reason, sizeof(reason), "emulated CPU (%s)", cpu->emulated);
    facts->nothing = true;
    struct fnp_summary summary = {
        .inconclusive = kernels->count,
        .seed = o->seed,
        .cpu = cpu->brand,
        .family = cpu->family,
        .model = cpu->model,
        .stepping = cpu->stepping,
        .exit = fnp_exit_code(facts),
    };

    for (size_t i = 0; i < kernels->count; i++) {
        struct fnp_kernel_report report = {
            .kernel = kernels->list[i].name,
            .verdict = FNP_VERDICT_INCONCLUSIVE,
            .reason = reason,
        };
        fnp_outputs_kernel(&run->outputs, &report);
    }
    fnp_outputs_summary(&run->outputs, &summary);
    finish(run, facts);
}

/* Why nothing could be begun: an exit status, after a sentence. */
static int give_up(enum fnp_status status, const struct fnp_err *err, struct run *run,
                   struct fnp_run_facts *facts)
{
    fnp_outputs_drop(&run->outputs);
    fnp_cli_complain(status, err);
    facts->signal = fnp_stop_signal();
    facts->failed = status == FNP_FAILED;
    facts->bad_input = status == FNP_INPUT;
    facts->nothing = status == FNP_NOTHING;
    return fnp_exit_code(facts);
}

static int verify(struct fnp_arena *arena, const struct fnp_subjects *subjects,
                  const struct args *a, const struct fnp_opt_list *names)
{
    struct fnp_run_facts facts = {
        .has_skip_exit = a->skip_exit != UINT64_MAX,
        .skip_exit = (int)(a->skip_exit & 0xff),
    };
    const struct fnp_writer_config config = {
        .out = stdout,
        .command = "verify",
        .version = FNP_VERSION,
        .verbose = a->verbose,
        .quiet = a->quiet,
        .guesses_said = true,
    };
    struct fnp_cursor_file cursor = { .path = a->resume, .fd = -1 };
    struct fnp_verify_options options = { .cursor = a->resume ? &cursor : NULL,
                                          .version = FNP_VERSION };
    struct fnp_kernels kernels = { 0 };
    struct fnp_err err = { "" };
    struct run run = { .quiet = a->quiet, .progress = fnp_progress_init(!a->quiet) };
    enum fnp_status status = read_args(a, &options, &run, &err);

    if (status == FNP_OK) {
        fnp_stop_catch();
        status = fnp_outputs_open(&run.outputs, &a->outputs, &config, &err);
    }
    if (status == FNP_OK) {
        status = fnp_subjects_resolve(arena, subjects, names->item, names->count,
                                      &kernels, &err);
    }
    if (status != FNP_OK) {
        return give_up(status, &err, &run, &facts);
    }
    bool text = fnp_outputs_is_text(&run.outputs);

    if (!a->quiet) {
        fnp_subjects_notes(text ? stdout : stderr, text ? "" : "fencepost: ", subjects);
    }
    if (fnp_cpu()->emulated) {
        run_none(&kernels, &run, &options, &facts);
    } else {
        run_all(&kernels, &options, &run, &facts);
    }
    return fnp_cli_finish(fnp_exit_code(&facts));
}

int fnp_cmd_verify(int argc, char **argv)
{
    struct args a = {
        .budget = "gate", .seed = 1, .jobs = UINT64_MAX, .skip_exit = UINT64_MAX
    };
    const struct fnp_opt own[] = {
        { "budget",     0,   FNP_OPT_TEXT,  &a.budget,     "HOW",
         "quick, gate, deep, or SECONDS (2, 10s, 5m)"                                                   },
        { "seed",       0,   FNP_OPT_COUNT, &a.seed,       "N",        "of the random stage; default 1" },
        { "exhaustive", 0,   FNP_OPT_TEXT,  &a.exhaustive, "BOX",
         "all of a box ('n=0:512 dst=0:63'); box: of declared ones"                                     },
        { "resume",     0,   FNP_OPT_TEXT,  &a.resume,     "FILE",
         "keep in FILE how far boxes are, and go on from there"                                         },
        { "jobs",       'j', FNP_OPT_COUNT, &a.jobs,       "N",
         "worker processes; default: CPUs usable"                                                       },
        { "only",       0,   FNP_OPT_LIST,  &a.only,       "SLUG,...", "report these findings only"     },
        { "skip",       0,   FNP_OPT_LIST,  &a.skip,       "SLUG,...",
         "do not report these findings"                                                                 },
        { "fail-on",    0,   FNP_OPT_TEXT,  &a.fail_on,    "LEVEL",
         "warning: warnings fail as well"                                                               },
        { "require",    0,   FNP_OPT_TEXT,  &a.require,    "LIST",
         "inconclusive unless checked: order,footprint,coverage"                                        },
        { "skip-exit",  0,   FNP_OPT_COUNT, &a.skip_exit,  "N",        "exit N where 3 is due"          },
        { "verbose",    'v', FNP_OPT_FLAG,  &a.verbose,    NULL,
         "checks and promises of each kernel"                                                           },
        { "quiet",      'q', FNP_OPT_FLAG,  &a.quiet,      NULL,       "findings and the summary only"  },
    };
    struct fnp_opt output_rows[FNP_OUTPUT_OPTIONS];
    struct fnp_arena arena = { NULL };
    struct fnp_subjects subjects = { 0 };
    struct fnp_opt_list names;
    int code;

    fnp_outputs_options(&a.outputs, output_rows);
    fnp_subjects_add(&subjects, output_rows, FNP_OUTPUT_OPTIONS);
    fnp_subjects_options(&arena, &subjects, own, FNP_ARRAY_LEN(own));
    const struct fnp_usage usage = {
        .command = "verify",
        .words = "[OPTION]... [SUBJECT]...",
        .text = FNP_SUBJECT_HELP "Without a subject: every section of the --contract "
                                 "files, else of the nearest\n"
                                 "fencepost.ini upward.\n",
        .options = subjects.options,
        .count = subjects.n_options,
        .block = "contract keys, for FILE:SYMBOL subjects:",
    };
    if (fnp_cli_parse(&usage, argc, argv, &names, &code)) {
        code = verify(&arena, &subjects, &a, &names);
    }
    fnp_arena_release(&arena);
    return code;
}
