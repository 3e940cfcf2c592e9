/* SPDX-License-Identifier: MIT */
/*
 * cmd_replay.c - `fencepost replay`: one case again, here, in gdb, or as a C program
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/emit_c.h"
#include "cli/outputs.h"
#include "cli/replay_file.h"
#include "cli/replay_gdb.h"
#include "cli/stop.h"
#include "cli/subjects.h"
#include "run/inprocess.h"
#include "run/prepare.h"
#include "verify/plan.h"
#include "verify/verdict.h"
#include "verify/where.h"
#include "x86/cpuid.h"

struct args {
    struct fnp_output_args outputs;
    const char *emit_c, *after;
    bool gdb, in_process;
};

static int emit(struct fnp_arena *arena, const char *path, const struct fnp_replay *r,
                const struct fnp_finding *finding)
{
    struct fnp_prepared prepared = { 0 };
    struct fnp_emit e = { r->kernel, &r->c, &prepared, finding };
    struct fnp_err err = { "" };
    enum fnp_status status = fnp_prepare(r->kernel, &r->c, arena, &prepared, &err);

    if (status != FNP_OK) {
        return fnp_cli_complain(status, &err);
    }
    FILE *out = fopen(path, "we");
    if (!out) {
        return fnp_cli_refuse("cannot write %s: %s", path, strerror(errno));
    }
    fnp_emit_c(out, arena, &e);
    bool bad = ferror(out) != 0;
    if (fclose(out) != 0 || bad) {
        fnp_err_set(&err, FNP_FAILED, "cannot write all of %s: %s", path,
                    strerror(errno));
        return fnp_cli_complain(FNP_FAILED, &err);
    }
    return 0;
}

/* How to say that there is no finding: only a file can have expected one. */
static const char *nothing_found(const struct fnp_replay *r)
{
    return r->expect_pass ? "clean as expected"
           : r->from_file ? "did not reproduce"
                          : "no finding in this case";
}

/* Exit status for what came out: 0 as hoped, 1 a finding, 3 it did not reproduce. */
static int judge(const struct fnp_replay *r, bool found, const struct fnp_finding *f)
{
    bool other =
        found && r->expect != FNP_N_RULES &&
        (f->rule != r->expect || (r->region[0] && strcmp(r->region, f->region) != 0));

    if (!found) {
        return r->expect_pass ? 0 : FNP_NOTHING;
    }
    if (other) {
        fprintf(stderr, "fencepost: the file expects %s%s%s, this is %s@%s\n",
                fnp_rule_info(r->expect)->slug, r->region[0] ? "@" : "", r->region,
                fnp_rule_info(f->rule)->slug, f->region);
    }
    return 1;
}

static void print(struct fnp_outputs *o, const struct fnp_replay *r, bool found,
                  const struct fnp_finding *f)
{
    char line[FNP_CASE_TEXT_MAX];
    struct fnp_str s = fnp_str_over(line, sizeof(line));

    if (found) {
        struct fnp_origin origin =
            fnp_where_origin(r->kernel, fnp_outputs_want_places(o));
        fnp_outputs_finding(o, &origin, f);
    } else if (fnp_outputs_is_text(o)) {
        fnp_case_text(&r->c, r->kernel->contract.has_n, &s);
        printf("%s: %s: %s\n", r->kernel->name, nothing_found(r), line);
    }
}

/* Verdict and summary of the one case; the exit status, which an interrupt changes. */
static int print_verdict(struct fnp_outputs *o, const struct fnp_replay *r, bool found,
                         int code)
{
    const struct fnp_cpu *cpu = fnp_cpu();
    struct fnp_kernel_report report = {
        .kernel = r->kernel->name,
        .verdict = found       ? FNP_VERDICT_FAIL
                   : code == 0 ? FNP_VERDICT_PASS
                               : FNP_VERDICT_INCONCLUSIVE,
        .reason = found || code == 0 ? NULL : nothing_found(r),
        .cases = 1,
        .findings = found,
    };
    struct fnp_summary summary = {
        .pass = report.verdict == FNP_VERDICT_PASS,
        .fail = report.verdict == FNP_VERDICT_FAIL,
        .inconclusive = report.verdict == FNP_VERDICT_INCONCLUSIVE,
        .cases = 1,
        .cpu = cpu->brand,
        .family = cpu->family,
        .model = cpu->model,
        .stepping = cpu->stepping,
        .exit = fnp_stop_signal() ? 128 + fnp_stop_signal() : code,
        .interrupted = fnp_stop_signal() != 0,
    };

    fnp_outputs_kernel(o, &report);
    fnp_outputs_summary(o, &summary);
    return summary.exit;
}

/* The case of --after; what writes a case out knows only one. */
static enum fnp_status read_after(const struct fnp_kernel *k, const struct args *a,
                                  struct fnp_case *after, struct fnp_err *err)
{
    enum fnp_status status = fnp_case_parse(a->after, after, err);

    if (status == FNP_OK && a->emit_c) {
        return fnp_err_set(err, FNP_INPUT,
                           "--emit-c writes one call, --after needs two");
    }
    if (status == FNP_OK && !fnp_case_allowed(&k->contract, after, err)) {
        return FNP_INPUT;
    }
    return status;
}

/* Run the case; a kernel or a case that cannot run here is FNP_NOTHING. */
static enum fnp_status run_case(const struct args *a, const struct fnp_replay *r,
                                bool *found, struct fnp_finding *finding,
                                struct fnp_err *err)
{
    static struct fnp_outcome outcome;
    struct fnp_case after;
    const struct fnp_trial trial = { &r->c, a->after ? &after : NULL };
    enum fnp_status status = a->after ? read_after(r->kernel, a, &after, err) : FNP_OK;

    if (status != FNP_OK) {
        return status;
    }
    if (r->kernel->missing) {
        return fnp_err_set(err, FNP_NOTHING, "%s is skipped: it %s", r->kernel->name,
                           r->kernel->skip);
    }
    status = fnp_verify_case(r->kernel, &trial, found, finding, &outcome, err);
    if (status == FNP_OK && !*found && outcome.end == FNP_END_SKIPPED) {
        return fnp_err_set(err, FNP_NOTHING, "%s: this case cannot be laid out here",
                           r->kernel->name);
    }
    return status;
}

static int run(struct fnp_arena *arena, const struct args *a,
               const struct fnp_replay *r)
{
    const struct fnp_writer_config config = {
        .out = stdout,
        .command = "replay",
        .version = FNP_VERSION,
        .bare = true,
    };
    struct fnp_finding *finding = fnp_arena_alloc(arena, sizeof(*finding));
    struct fnp_outputs outputs = { .count = 0 };
    struct fnp_err err = { "" };
    bool found = false;

    fnp_stop_catch();
    enum fnp_status status = fnp_outputs_open(&outputs, &a->outputs, &config, &err);

    if (status == FNP_OK) {
        status = run_case(a, r, &found, finding, &err);
    }
    if (status != FNP_OK) {
        fnp_outputs_drop(&outputs);
        return fnp_cli_complain(status, &err);
    }
    int code = judge(r, found, finding);
    print(&outputs, r, found, finding);
    code = print_verdict(&outputs, r, found, code);
    status = fnp_outputs_finish(&outputs, &err);
    if (status != FNP_OK) {
        return fnp_cli_complain(status, &err);
    }
    if (a->emit_c) {
        int emitted = emit(arena, a->emit_c, r, found ? finding : NULL);
        code = emitted ? emitted : code;
    }
    return fnp_cli_finish(code);
}

/* The words for the inner replay: all but --gdb. */
static int without_gdb(int argc, char **argv, char **out)
{
    int n = 0;

    for (int i = 0; i < argc; i++) {
        if (strcmp(argv[i], "--gdb") != 0) {
            out[n++] = argv[i];
        }
    }
    return n;
}

static int replay(struct fnp_arena *arena, const struct fnp_subjects *subjects,
                  const struct args *a, const struct fnp_opt_list *names, int argc,
                  char **argv)
{
    struct fnp_replay r = { 0 };
    struct fnp_err err = { "" };
    enum fnp_status status = fnp_replay_read(arena, subjects, names, &r, &err);

    if (status == FNP_OK && a->gdb) {
        char **words = fnp_arena_array(arena, (size_t)argc + 1, sizeof(*words));
        int n = without_gdb(argc, argv, words);
        status = fnp_replay_gdb(arena, r.kernel, n, words, &err);
    }
    if (status != FNP_OK) {
        return fnp_cli_complain(status, &err);
    }
    if (fnp_cpu()->emulated) {
        printf("emulated CPU: nothing was checked (%s)\n", fnp_cpu()->emulated);
        return fnp_cli_finish(FNP_NOTHING);
    }
    if (a->in_process) {
        int ended = fnp_run_in_process(r.kernel, &r.c);
        printf("%s: %s\n", r.kernel->name, ended ? "did not return" : "returned");
        return fnp_cli_finish(ended ? 1 : 0);
    }
    return run(arena, a, &r);
}

int fnp_cmd_replay(int argc, char **argv)
{
    struct args a = { .gdb = false };
    const struct fnp_opt own[] = {
        { "emit-c",     0, FNP_OPT_TEXT, &a.emit_c,     "FILE",
         "write the case as a C program that needs only gcc"                                        },
        { "after",      0, FNP_OPT_TEXT, &a.after,      "CASE",
         "run this case first: the finding needs an earlier call"                                   },
        { "gdb",        0, FNP_OPT_FLAG, &a.gdb,        NULL,   "stop in gdb at the kernel's entry" },
        { "in-process", 0, FNP_OPT_FLAG, &a.in_process, NULL,
         "run the case in this very process (for debuggers)"                                        },
    };
    struct fnp_opt output_rows[FNP_OUTPUT_OPTIONS];
    struct fnp_arena arena = { NULL };
    struct fnp_subjects subjects = { .one_setting = true };
    struct fnp_opt_list names;
    int code;

    fnp_outputs_options(&a.outputs, output_rows);
    fnp_subjects_add(&subjects, output_rows, FNP_OUTPUT_OPTIONS);
    fnp_subjects_options(&arena, &subjects, own, FNP_ARRAY_LEN(own));
    const struct fnp_usage usage = {
        .command = "replay",
        .words = "[OPTION]... SUBJECT 'v1 ...' | FILE.case",
        .text =
            "Run one case again and print what it shows.  Exit status 1 when it shows "
            "a\n"
            "finding, 3 when it does not (0 when the .case file expects it to pass).\n"
            "FENCEPOST_GDB_ARGS holds further words for gdb, such as \"-batch -ex "
            "bt\".\n"
            "\n" FNP_SUBJECT_HELP,
        .options = subjects.options,
        .count = subjects.n_options,
        .block = "contract keys, for FILE:SYMBOL subjects:",
    };
    if (fnp_cli_parse(&usage, argc, argv, &names, &code)) {
        code = replay(&arena, &subjects, &a, &names, argc, argv);
    }
    fnp_arena_release(&arena);
    return code;
}
