/* SPDX-License-Identifier: MIT */
/*
 * writer_tap.c - one TAP line per kernel, findings as diagnostics, the plan at the end
 *
 * What could not be judged is `ok ... # SKIP`: TAP has no third verdict, and the exit
 * status (3) and the summary's diagnostic say what was missed.
 */
#include "report/writer_internal.h"

#include <inttypes.h>

/* A test description: '#' would begin a directive. */
static void put_name(FILE *out, const char *name)
{
    for (const char *p = name; *p; p++) {
        fprintf(out, *p == '#' || *p == '\\' ? "\\%c" : "%c", *p == '\n' ? ' ' : *p);
    }
}

static void tap_finding(struct fnp_writer *w, const struct fnp_origin *origin,
                        const struct fnp_finding *f)
{
    FILE *out = w->config.out;
    char where[512];
    struct fnp_str text = fnp_str_over(where, sizeof(where));

    fprintf(out, "# %s: %s: %s", origin->kernel, fnp_rule_info(f->rule)->slug,
            f->message);
    if (f->waived) {
        fprintf(out, " (waived%s%s)", f->reason[0] ? ": " : "", f->reason);
    } else if (f->severity != FNP_ERROR) {
        fprintf(out, " (%s)", fnp_severity_name(f->severity));
    }
    fprintf(out, "\n");
    if (f->text_case[0]) {
        fprintf(out, "#   case    %s\n", f->text_case);
    }
    if (f->where.known) {
        fnp_add_where(&text, &f->where);
        fprintf(out, "#   where   %s\n", where);
    }
    if (f->replay[0]) {
        fprintf(out, "#   replay  %s\n", f->replay);
    }
}

static void tap_kernel(struct fnp_writer *w, const struct fnp_kernel_report *r)
{
    FILE *out = w->config.out;
    const char *reason = r->reason ? r->reason : "no reason given";

    if (r->guess_note) {
        fprintf(out, "# %s\n", r->guess_note);
    }
    fprintf(out, "%sok %" PRIu64 " - ", r->verdict == FNP_VERDICT_FAIL ? "not " : "",
            w->n_kernels);
    put_name(out, r->kernel);
    switch (r->verdict) {
    case FNP_VERDICT_SKIP:
        fprintf(out, " # SKIP %s\n", reason);
        break;
    case FNP_VERDICT_INCONCLUSIVE:
        fprintf(out, " # SKIP inconclusive: %s\n", reason);
        break;
    default:
        if (r->equal_to) {
            fprintf(out, " # same code as %s\n", r->equal_to);
        } else {
            fprintf(out, " # %" PRIu64 " cases\n", r->cases);
        }
        break;
    }
}

static void tap_summary(struct fnp_writer *w, const struct fnp_summary *s)
{
    char line[512];
    struct fnp_str text = fnp_str_over(line, sizeof(line));

    fnp_add_summary(&text, w, s);
    fprintf(w->config.out, "# %s\n1..%" PRIu64 "%s\n", line, w->n_kernels,
            w->n_kernels ? "" : " # SKIP nothing was checked");
}

const struct fnp_format fnp_format_tap = {
    .name = "tap",
    .finding = tap_finding,
    .kernel = tap_kernel,
    .summary = tap_summary,
};
