/* SPDX-License-Identifier: MIT */
/*
 * cmd_trace.c - `fencepost trace`: every instruction and access of one case
 *
 * Options and the order of things; trace/ records, trace_print.c prints.
 */
#include <stdio.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/replay_file.h"
#include "cli/subjects.h"
#include "cli/trace_print.h"
#include "trace/single.h"
#include "x86/cpuid.h"

static const char *const formats[] = { "text", "jsonl" };

struct args {
    const char *format;
    bool all, json;
};

/* Where the instructions of the log stand, in their order. */
struct places {
    uint64_t *addr;
    size_t count, room;
    struct fnp_listing_sums sums;
    const struct fnp_spots *spots;
};

struct printing {
    struct fnp_trace_print print;
    bool json;
};

static void take(void *arg, const struct fnp_listed *listed)
{
    struct places *p = arg;

    if (p->count < p->room) {
        p->addr[p->count++] = listed->addr;
    }
    fnp_listing_add(p->spots, listed, &p->sums);
}

static void print_step(void *arg, const struct fnp_listed *listed)
{
    struct printing *p = arg;

    if (p->json) {
        fnp_trace_json_step(&p->print, listed);
    } else {
        fnp_trace_print_step(&p->print, listed);
    }
}

/* Stack pointer at the first instruction. */
static uint64_t first_rsp(const struct fnp_log *log)
{
    struct fnp_record record = { .is_mask = true };

    for (size_t i = 0; i < log->count && record.is_mask; i++) {
        fnp_log_read(log, i, &record);
    }
    return record.is_mask ? 0 : record.gpr[FNP_RSP];
}

/* Print the log; false: it is damaged. */
static bool print_log(struct fnp_arena *arena, const struct args *a,
                      const struct fnp_replay *r, const struct fnp_outcome *outcome,
                      const struct fnp_log *log)
{
    char line[FNP_CASE_TEXT_MAX];
    struct fnp_str s = fnp_str_over(line, sizeof(line));
    struct fnp_insns insns = { .arena = arena, .image = &r->kernel->image };
    struct printing p = {
        .print = {
            .out = stdout,
            .kernel = r->kernel,
            .case_text = line,
            .log = log,
            .spots = { outcome, &r->kernel->image, first_rsp(log) },
        },
        .json = a->json,
    };
    struct places places = {
        .addr = fnp_arena_array(arena, log->count, sizeof(*places.addr)),
        .room = log->count,
        .spots = &p.print.spots,
    };
    bool whole = fnp_listing(&insns, log, take, &places);

    fnp_case_text(&r->c, r->kernel->contract.has_n, &s);
    p.print.texts =
        fnp_code_texts(arena, r->kernel, places.addr, places.count, &p.print.n_texts);
    if (!a->all && !a->json) {
        p.print.rounds =
            fnp_rounds_find(arena, places.addr, places.count, &p.print.n_rounds);
    }
    if (a->json) {
        fnp_listing(&insns, log, print_step, &p);
        fnp_trace_json_sums(&p.print, &places.sums);
    } else {
        printf("%s %s\n", r->kernel->name, line);
        fnp_listing(&insns, log, print_step, &p);
        fnp_trace_print_sums(&p.print, &places.sums);
    }
    return whole;
}

/* FNP_NOTHING: this kernel or this case cannot run here. */
static enum fnp_status record(struct fnp_arena *arena, const struct fnp_replay *r,
                              struct fnp_outcome *outcome, struct fnp_log *log,
                              struct fnp_err *err)
{
    enum fnp_status status;

    if (fnp_cpu()->emulated) {
        return fnp_err_set(err, FNP_NOTHING, "emulated CPU: nothing was recorded (%s)",
                           fnp_cpu()->emulated);
    }
    if (r->kernel->missing) {
        return fnp_err_set(err, FNP_NOTHING, "%s is skipped: it %s", r->kernel->name,
                           r->kernel->skip);
    }
    status = fnp_record_case(arena, r->kernel, &r->c, outcome, log, err);
    if (status == FNP_OK && outcome->end == FNP_END_SKIPPED) {
        return fnp_err_set(err, FNP_NOTHING, "%s: this case cannot be laid out here",
                           r->kernel->name);
    }
    return status;
}

static int trace(struct fnp_arena *arena, const struct fnp_subjects *subjects,
                 struct args *a, const struct fnp_opt_list *names)
{
    static struct fnp_outcome outcome;
    struct fnp_replay r = { 0 };
    struct fnp_log log = { 0 };
    struct fnp_err err = { "" };

    a->json = a->format && !strcmp(a->format, "jsonl");
    if (a->format && !a->json && strcmp(a->format, "text") != 0) {
        return fnp_cli_refuse("unknown format %s for trace%s", a->format,
                              fnp_cli_hint(a->format, formats, FNP_ARRAY_LEN(formats)));
    }
    enum fnp_status status = fnp_replay_read(arena, subjects, names, &r, &err);

    if (status == FNP_OK) {
        status = record(arena, &r, &outcome, &log, &err);
    }
    if (status == FNP_OK && !print_log(arena, a, &r, &outcome, &log)) {
        status = fnp_err_set(&err, FNP_NOTHING, "%s: the kernel wrote into its log",
                             r.kernel->name);
    }
    if (status != FNP_OK) {
        return fnp_cli_complain(status, &err);
    }
    return fnp_cli_finish(log.ended == FNP_RECORDED_ALL ? 0 : FNP_NOTHING);
}

int fnp_cmd_trace(int argc, char **argv)
{
    struct args a = { 0 };
    const struct fnp_opt own[] = {
        { "all",    0, FNP_OPT_FLAG, &a.all,    NULL,   "every round of every loop" },
        { "format", 0, FNP_OPT_TEXT, &a.format, "NAME", "text or jsonl"             },
    };
    struct fnp_arena arena = { NULL };
    struct fnp_subjects subjects = { .one_setting = true, .verb = "trace" };
    struct fnp_opt_list names;
    int code;

    fnp_subjects_options(&arena, &subjects, own, FNP_ARRAY_LEN(own));
    const struct fnp_usage usage = {
        .command = "trace",
        .words = "[OPTION]... SUBJECT 'v1 ...' | FILE.case",
        .text =
            "Run one case and print every instruction: what it read and wrote, and "
            "the\n"
            "general registers that changed, else those that it reads.  Addresses are\n"
            "relative to dst, src and third, and to the stack pointer at entry "
            "(rsp-8).\n"
            "Exit status 3 when the kernel could not be recorded to its end.\n"
            "\n" FNP_SUBJECT_HELP,
        .options = subjects.options,
        .count = subjects.n_options,
        .block = "contract keys, for FILE:SYMBOL subjects:",
    };
    if (fnp_cli_parse(&usage, argc, argv, &names, &code)) {
        code = trace(&arena, &subjects, &a, &names);
    }
    fnp_arena_release(&arena);
    return code;
}
