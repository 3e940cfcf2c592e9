/* SPDX-License-Identifier: MIT */
/*
 * cmd_survey.c - `fencepost survey`: at which values of a key a kernel breaks what
 *
 * Options and printing only; verify/survey.c runs and counts.  It gives no verdict.
 */
#include <stdio.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/json_line.h"
#include "cli/subjects.h"
#include "verify/survey.h"
#include "x86/cpuid.h"

static const char *const formats[] = { "text", "jsonl" };

struct args {
    const char *by, *format;
    bool json;
};

/* "all 64 cases", "12 of 64 cases" */
static void print_share(const struct fnp_survey_line *line)
{
    if (line->count == line->of) {
        printf("  in all %llu cases", (unsigned long long)line->of);
    } else {
        printf("  in %llu of %llu cases", (unsigned long long)line->count,
               (unsigned long long)line->of);
    }
}

static const char *slug_of(const struct fnp_survey_line *line)
{
    return line->rule == FNP_N_RULES ? "clean" : fnp_rule_info(line->rule)->slug;
}

static void print_line(const struct args *a, const struct fnp_survey_line *line)
{
    const struct fnp_where *where = &line->finding.where;

    printf("  %-15s %s=%s", slug_of(line), a->by, line->values);
    if (line->rule == FNP_N_RULES) {
        printf("\n");
        return;
    }
    print_share(line);
    printf("\n  %-15s   %s: %s\n", "", line->finding.text_case, line->finding.message);
    if (where->known) {
        printf("  %-15s   at %s+0x%llx  %s\n", "", where->symbol,
               (unsigned long long)where->offset, where->insn);
    }
}

static void print_line_json(const struct args *a, const struct fnp_kernel *k,
                            const struct fnp_survey_line *line)
{
    const struct fnp_where *where = &line->finding.where;
    bool clean = line->rule == FNP_N_RULES;

    fnp_json_begin(stdout, "survey");
    fnp_json_text(stdout, "kernel", k->name);
    fnp_json_text(stdout, "slug", slug_of(line));
    fnp_json_text(stdout, "key", a->by);
    fnp_json_text(stdout, "values", line->values);
    fnp_json_count(stdout, "cases", line->count);
    fnp_json_count(stdout, "of", line->of);
    fnp_json_text(stdout, "case", clean ? NULL : line->finding.text_case);
    fnp_json_text(stdout, "message", clean ? NULL : line->finding.message);
    fnp_json_text(stdout, "insn", where->known ? where->insn : NULL);
    fnp_json_end(stdout);
}

static void print_missing(const struct args *a, const struct fnp_kernel *k)
{
    if (a->json) {
        fnp_json_begin(stdout, "survey");
        fnp_json_text(stdout, "kernel", k->name);
        fnp_json_text(stdout, "missing", k->missing);
        fnp_json_end(stdout);
        return;
    }
    printf("%s: skipped, needs %s, which this CPU lacks\n", k->name, k->missing);
}

static enum fnp_status survey_one(const struct args *a, const struct fnp_kernel *k,
                                  struct fnp_err *err)
{
    struct fnp_arena arena = { NULL };
    struct fnp_survey survey;
    enum fnp_status status = fnp_survey_make(&arena, k, a->by, &survey, err);

    if (status == FNP_OK && !a->json) {
        printf("%s: %llu cases\n", k->name, (unsigned long long)survey.cases);
    }
    for (size_t i = 0; status == FNP_OK && i < survey.n_lines; i++) {
        if (a->json) {
            print_line_json(a, k, &survey.lines[i]);
        } else {
            print_line(a, &survey.lines[i]);
        }
    }
    fflush(stdout);
    fnp_arena_release(&arena);
    return status;
}

static int survey(struct fnp_arena *arena, const struct fnp_subjects *subjects,
                  struct args *a, const struct fnp_opt_list *names)
{
    struct fnp_kernels kernels = { 0 };
    struct fnp_err err = { "" };
    enum fnp_status status = FNP_OK;
    size_t n_run = 0;

    a->json = a->format && !strcmp(a->format, "jsonl");
    if (a->format && !a->json && strcmp(a->format, "text") != 0) {
        return fnp_cli_refuse("unknown format %s for survey%s", a->format,
                              fnp_cli_hint(a->format, formats, FNP_ARRAY_LEN(formats)));
    }
    if (!a->by) {
        return fnp_cli_refuse("survey needs a key of the box: --by KEY");
    }
    status = fnp_subjects_resolve(arena, subjects, names->item, names->count, &kernels,
                                  &err);
    if (status == FNP_OK && fnp_cpu()->emulated) {
        status = fnp_err_set(&err, FNP_NOTHING, "emulated CPU: nothing was run (%s)",
                             fnp_cpu()->emulated);
    }
    for (size_t i = 0; status == FNP_OK && i < kernels.count; i++) {
        if (kernels.list[i].missing) {
            print_missing(a, &kernels.list[i]);
        } else {
            status = survey_one(a, &kernels.list[i], &err);
            n_run++;
        }
    }
    if (status != FNP_OK) {
        return fnp_cli_complain(status, &err);
    }
    return fnp_cli_finish(n_run ? 0 : 3);
}

int fnp_cmd_survey(int argc, char **argv)
{
    struct args a = { 0 };
    const struct fnp_opt own[] = {
        { "by",     0, FNP_OPT_TEXT, &a.by,     "KEY",
         "the key of the box to tell the results by"                    },
        { "format", 0, FNP_OPT_TEXT, &a.format, "NAME", "text or jsonl" },
    };
    struct fnp_arena arena = { NULL };
    struct fnp_subjects subjects = { .verb = "survey" };
    struct fnp_opt_list names;
    int code;

    fnp_subjects_options(&arena, &subjects, own, FNP_ARRAY_LEN(own));
    const struct fnp_usage usage = {
        .command = "survey",
        .words = "--by KEY [--box BOX] [OPTION]... [SUBJECT]...",
        .text = "Run every case of a box, whatever breaks, and say at which values of "
                "KEY which\n"
                "promises break, in how many cases, and in which simplest one.\n"
                "\n" FNP_SUBJECT_HELP,
        .options = subjects.options,
        .count = subjects.n_options,
        .block = "contract keys, for FILE:SYMBOL subjects:",
    };
    if (fnp_cli_parse(&usage, argc, argv, &names, &code)) {
        code = survey(&arena, &subjects, &a, &names);
    }
    fnp_arena_release(&arena);
    return code;
}
