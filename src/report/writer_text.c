/* SPDX-License-Identifier: MIT */
/*
 * writer_text.c - findings and verdicts for people
 */
#include "report/writer_internal.h"

#include <inttypes.h>
#include <string.h>

#define RED    "31"
#define GREEN  "32"
#define YELLOW "33"

static void colored(const struct fnp_writer *w, const char *color, const char *text)
{
    if (w->config.color) {
        fprintf(w->config.out, "\033[%sm%s\033[0m", color, text);
    } else {
        fprintf(w->config.out, "%s", text);
    }
}

static void text_finding(struct fnp_writer *w, const struct fnp_origin *origin,
                         const struct fnp_finding *f)
{
    FILE *out = w->config.out;
    char where[512];
    struct fnp_str text = fnp_str_over(where, sizeof(where));

    fprintf(out, "%s: ", origin->kernel);
    colored(w, f->waived || f->severity != FNP_ERROR ? YELLOW : RED,
            fnp_rule_info(f->rule)->slug);
    if (f->waived) {
        fprintf(out, " (waived%s%s)", f->reason[0] ? ": " : "", f->reason);
    } else if (f->severity != FNP_ERROR) {
        fprintf(out, " (%s)", fnp_severity_name(f->severity));
    }
    fprintf(out, ": %s\n", f->message);
    if (f->text_case[0]) {
        fprintf(out, "  case    %s\n", f->text_case);
    }
    if (f->where.known) {
        fnp_add_where(&text, &f->where);
        fprintf(out, "  where   %s\n", where);
    }
    for (size_t i = 0; i < f->n_also; i++) {
        fprintf(out, "%s%s%s", i ? " " : "  also    ", fnp_rule_info(f->also[i])->slug,
                i + 1 == f->n_also ? "\n" : "");
    }
    if (f->replay[0]) {
        fprintf(out, "  replay  %s\n", f->replay);
    }
}

void fnp_put_finding(FILE *out, const struct fnp_origin *origin,
                     const struct fnp_finding *f)
{
    struct fnp_writer plain = { .config = { .out = out } };

    text_finding(&plain, origin, f);
}

static void add_sizes(struct fnp_str *text, const struct fnp_kernel_report *r)
{
    if (r->cases == 0 || r->n_most == 0) {
        return;
    }
    fnp_str_add(text, "  n %" PRIu64, r->n_least);
    if (r->n_most != r->n_least) {
        fnp_str_add(text, "..%" PRIu64, r->n_most);
    }
}

static void add_saved(struct fnp_str *text, const struct fnp_kernel_report *r)
{
    if (r->saved) {
        fnp_str_add(text, "  %" PRIu64 " saved", r->saved);
    }
    if (r->expected) {
        fnp_str_add(text, " (%" PRIu64 " with the finding expected)", r->expected);
    }
}

/* "ok", or "ok: by what means". */
static bool is_ok(const char *state)
{
    return strncmp(state, "ok", 2) == 0 && (state[2] == 0 || state[2] == ':');
}

/* Where nothing was recorded, the state of the check says so. */
static bool add_blocks(struct fnp_str *text, const struct fnp_kernel_report *r,
                       const char *lead)
{
    const struct fnp_coverage_report *c = &r->coverage;

    if (c->of == 0) {
        return false;
    }
    fnp_str_add(text, "%sblocks %" PRIu64 " of %" PRIu64 "%s", lead, c->blocks, c->of,
                c->more ? " (indirect: more may exist)" : "");
    return true;
}

void fnp_add_checks(struct fnp_str *text, const struct fnp_kernel_report *r,
                    const char *lead, bool all)
{
    static const char inconclusive[] = "inconclusive: ";

    for (unsigned i = 0; i < FNP_N_CHECK_GROUPS; i++) {
        const char *name = fnp_check_group_name((enum fnp_check_group)i);
        const char *state = r->checks[i];

        if (!state || (!all && is_ok(state))) {
            continue;
        }
        /* That some code was not run is for those who ask for more. */
        if (i == FNP_CHECK_COVERAGE && (!all || add_blocks(text, r, lead))) {
            continue;
        }
        if (strncmp(state, inconclusive, sizeof(inconclusive) - 1) == 0) {
            fnp_str_add(text, "%s%s not checked: %s", lead, name,
                        state + sizeof(inconclusive) - 1);
        } else {
            fnp_str_add(text, "%s%s %s", lead, name, state);
        }
    }
}

static void add_findings(struct fnp_str *text, const struct fnp_kernel_report *r)
{
    if (r->findings) {
        fnp_str_add(text, "  ");
        fnp_add_counted(text, r->findings, "finding");
    }
    if (r->suppressed) {
        fnp_str_add(text, "  (");
        fnp_add_grouped(text, r->suppressed);
        fnp_str_add(text, " not shown)");
    }
    if (!r->findings && r->warnings) {
        fnp_str_add(text, "  ");
        fnp_add_counted(text, r->warnings, "warning");
    }
}

/* Remember the promises of a kernel for the end of the run. */
static void keep_promises(struct fnp_writer *w, const struct fnp_kernel_report *r)
{
    size_t used = strlen(w->promises);
    struct fnp_str text = fnp_str_over(w->promises + used, sizeof(w->promises) - used);

    if (!r->promises) {
        return;
    }
    fnp_str_add(&text, "promise  %s: %s\n", r->kernel, r->promises);
    if (text.overflow) {
        /* Cut at a whole line; the kernels' own lines under -v still have them all. */
        w->promises[used] = 0;
    }
}

static void text_kernel(struct fnp_writer *w, const struct fnp_kernel_report *r)
{
    static const char *const colors[] = {
        [FNP_VERDICT_PASS] = GREEN,
        [FNP_VERDICT_FAIL] = RED,
        [FNP_VERDICT_SKIP] = YELLOW,
        [FNP_VERDICT_INCONCLUSIVE] = YELLOW,
    };
    char line[1024];
    struct fnp_str text = fnp_str_over(line, sizeof(line));

    keep_promises(w, r);
    if (w->config.quiet || w->config.bare) {
        return;
    }
    if (r->guess_note && !w->config.guesses_said) {
        fprintf(w->config.out, "%s\n", r->guess_note);
    }
    if (r->cases) {
        fnp_str_add(&text, "  ");
        fnp_add_counted(&text, r->cases, "case");
        fnp_str_add(&text, " %.1f s", r->seconds);
    }
    add_saved(&text, r);
    add_sizes(&text, r);
    add_findings(&text, r);
    if (r->equal_to) {
        fnp_str_add(&text, "  = same code as %s", r->equal_to);
    } else {
        fnp_add_checks(&text, r, "  ", w->config.verbose);
    }
    if (r->reason) {
        fnp_str_add(&text, "  %s", r->reason);
    }
    if (w->config.verbose && r->promises) {
        fnp_str_add(&text, "  promises %s", r->promises);
    }
    if (w->config.verbose && r->box.left_out) {
        fnp_str_add(&text, "  box of ");
        fnp_add_counted(&text, r->box.points, "point");
        fnp_str_add(&text, " not tried");
    }
    fnp_put_suggestions(w->config.out, "  ", r);
    colored(w, colors[r->verdict], fnp_verdict_name(r->verdict));
    fprintf(w->config.out, "  %s%s\n", r->kernel, line);
    for (size_t i = 0; i < r->n_notes; i++) {
        fprintf(w->config.out, "  note    %s\n", r->notes[i]);
    }
}

static void text_summary(struct fnp_writer *w, const struct fnp_summary *s)
{
    char line[512];
    struct fnp_str text = fnp_str_over(line, sizeof(line));

    if (w->config.bare) {
        return;
    }
    fnp_add_summary(&text, w, s);
    fprintf(w->config.out, "%s%s\n", w->promises, line);
}

const struct fnp_format fnp_format_text = {
    .name = "text",
    .finding = text_finding,
    .kernel = text_kernel,
    .summary = text_summary,
};
