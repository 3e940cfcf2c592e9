/* SPDX-License-Identifier: MIT */
/*
 * writer_tap.c - one TAP line per kernel, findings as diagnostics, the plan at the end
 *
 * What could not be judged is `ok ... # SKIP`: TAP has no third verdict, and the exit
 * status (3) and the summary's diagnostic say what was missed.
 */
#include "report/writer_internal.h"

#include <inttypes.h>

#include "report/escape.h"

/* A test description: '#' would begin a directive, and a line is a line. */
static const char *const in_name[FNP_ESCAPES] = { ['#'] = "\\#", ['\\'] = "\\\\" };
static const char *const in_comment[FNP_ESCAPES] = { ['\t'] = "\t" };

static void put_comment(FILE *out, const char *lead, const char *text)
{
    fprintf(out, "# %s", lead);
    fnp_put_escaped(out, text, in_comment);
    fprintf(out, "\n");
}

static void tap_finding(struct fnp_writer *w, const struct fnp_origin *origin,
                        const struct fnp_finding *f)
{
    FILE *out = w->config.out;
    char line[512];
    struct fnp_str text = fnp_str_over(line, sizeof(line));

    fnp_str_add(&text, ": %s: ", fnp_rule_info(f->rule)->slug);
    fnp_add_message(&text, f);
    if (!f->waived && f->severity != FNP_ERROR) {
        fnp_str_add(&text, " (%s)", fnp_severity_name(f->severity));
    }
    fprintf(out, "# ");
    fnp_put_escaped(out, origin->kernel, in_comment);
    fnp_put_escaped(out, line, in_comment);
    fprintf(out, "\n");
    if (f->text_case[0]) {
        put_comment(out, "  case    ", f->text_case);
    }
    if (f->where.known) {
        text = fnp_str_over(line, sizeof(line));
        fnp_add_where(&text, &f->where);
        put_comment(out, "  where   ", line);
    }
    if (f->replay[0]) {
        put_comment(out, "  replay  ", f->replay);
    }
}

static void tap_kernel(struct fnp_writer *w, const struct fnp_kernel_report *r)
{
    FILE *out = w->config.out;
    const char *reason = r->reason ? r->reason : "no reason given";

    if (r->guess_note) {
        put_comment(out, "", r->guess_note);
    }
    fnp_put_suggestions(out, "#   ", r);
    fprintf(out, "%sok %" PRIu64 " - ", r->verdict == FNP_VERDICT_FAIL ? "not " : "",
            w->n_kernels);
    fnp_put_escaped(out, r->kernel, in_name);
    if (r->verdict == FNP_VERDICT_SKIP || r->verdict == FNP_VERDICT_INCONCLUSIVE) {
        fprintf(out, " # SKIP %s",
                r->verdict == FNP_VERDICT_SKIP ? "" : "inconclusive: ");
        fnp_put_escaped(out, reason, in_comment);
    } else if (r->equal_to) {
        fprintf(out, " # same code as ");
        fnp_put_escaped(out, r->equal_to, in_comment);
    } else {
        fprintf(out, " # %" PRIu64 " cases", r->cases);
    }
    fprintf(out, "\n");
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
