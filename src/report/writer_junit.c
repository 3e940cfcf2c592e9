/* SPDX-License-Identifier: MIT */
/*
 * writer_junit.c - JUnit XML: a suite for the run, a test case for each kernel
 *
 * Readers disagree about several <failure> elements in one case, so all findings of a
 * kernel stand in one, called after the worst.  What could not be judged is <skipped>,
 * as in TAP: the exit status says whether that matters.  Counts come first in the file,
 * so everything is held back until the summary.
 */
#include "report/writer_internal.h"

#include <inttypes.h>
#include <string.h>

#include "report/escape.h"

static const char *const in_content[FNP_ESCAPES] = {
    ['&'] = "&amp;", ['<'] = "&lt;", ['>'] = "&gt;", ['\t'] = "\t", ['\n'] = "\n",
};
/* A reader turns a bare newline or tab in an attribute into a space. */
static const char *const in_attribute[FNP_ESCAPES] = {
    ['&'] = "&amp;",  ['<'] = "&lt;",  ['>'] = "&gt;",
    ['"'] = "&quot;", ['\t'] = "&#9;", ['\n'] = "&#10;",
};

static void put_attribute(FILE *out, const char *name, const char *value)
{
    fprintf(out, " %s=\"", name);
    fnp_put_escaped(out, value, in_attribute);
    fprintf(out, "\"");
}

static struct fnp_part *cases_of(struct fnp_writer *w)
{
    return &w->parts[0];
}

static struct fnp_part *findings_of(struct fnp_writer *w)
{
    return &w->parts[1];
}

static void junit_finding(struct fnp_writer *w, const struct fnp_origin *origin,
                          const struct fnp_finding *f)
{
    struct fnp_place place = fnp_place_of(origin, f);
    struct fnp_worst *worst = &w->worst;

    fnp_put_finding(fnp_part_file(findings_of(w)), origin, f);
    if (f->waived || (worst->known && worst->severity <= f->severity)) {
        return;
    }
    *worst = (struct fnp_worst){ true, f->rule, f->severity, "", "", place.line };
    memcpy(worst->message, f->message, sizeof(worst->message));
    if (place.line) {
        snprintf(worst->file, sizeof(worst->file), "%s", place.file);
    }
}

/* What a kernel's line in the text format says, and what -v adds to it. */
static void put_remarks(FILE *out, const struct fnp_kernel_report *r)
{
    char line[1024], states[512];
    struct fnp_str text = fnp_str_over(line, sizeof(line));
    struct fnp_str checks = fnp_str_over(states, sizeof(states));

    if (r->guess_note) {
        fprintf(out, "%s\n", r->guess_note);
    }
    if (r->cases) {
        fnp_str_add(&text, "cases   ");
        fnp_add_grouped(&text, r->cases);
        fnp_str_add(&text, "\n");
    }
    if (r->equal_to) {
        fnp_str_add(&text, "same code as %s\n", r->equal_to);
    } else {
        fnp_add_checks(&checks, r, "  ", true);
    }
    if (checks.len) {
        fnp_str_add(&text, "checks%s\n", states);
    }
    fprintf(out, "%s", line);
    if (r->promises) {
        fprintf(out, "promise  %s: %s\n", r->kernel, r->promises);
    }
    fnp_put_suggestions(out, "", r);
    for (size_t i = 0; i < r->n_notes; i++) {
        fprintf(out, "note    %s\n", r->notes[i]);
    }
    if (r->suppressed) {
        fprintf(out, "%" PRIu64 " findings not shown\n", r->suppressed);
    }
}

/* <failure>, <skipped>, or nothing. */
static void put_verdict(FILE *out, const struct fnp_kernel_report *r,
                        const struct fnp_worst *worst, const char *findings)
{
    switch (r->verdict) {
    case FNP_VERDICT_FAIL:
        fprintf(out, "      <failure");
        put_attribute(out, "type",
                      worst->known ? fnp_rule_info(worst->rule)->slug : "");
        put_attribute(out, "message", worst->known ? worst->message : "fail");
        fprintf(out, ">");
        fnp_put_escaped(out, findings, in_content);
        fprintf(out, "</failure>\n");
        break;
    case FNP_VERDICT_SKIP:
    case FNP_VERDICT_INCONCLUSIVE:
        fprintf(out, "      <skipped message=\"%s: ", fnp_verdict_name(r->verdict));
        fnp_put_escaped(out, r->reason ? r->reason : "no reason given", in_attribute);
        fprintf(out, "\"/>\n");
        break;
    case FNP_VERDICT_PASS:
        break;
    }
}

static void junit_kernel(struct fnp_writer *w, const struct fnp_kernel_report *r)
{
    FILE *out = fnp_part_file(cases_of(w));
    const char *findings = fnp_part_text(findings_of(w));
    struct fnp_part remarks = { .file = NULL };
    char name[64];

    snprintf(name, sizeof(name), "fencepost.%s", w->config.command);
    fprintf(out, "    <testcase");
    put_attribute(out, "classname", name);
    put_attribute(out, "name", r->kernel);
    /* Judged once; its time is its twin's. */
    fprintf(out, " time=\"%.3f\"", r->equal_to ? 0 : r->seconds);
    if (w->worst.line) {
        put_attribute(out, "file", w->worst.file);
        fprintf(out, " line=\"%u\"", w->worst.line);
    }
    fprintf(out, ">\n");
    put_verdict(out, r, &w->worst, findings);
    fprintf(out, "      <system-out>");
    put_remarks(fnp_part_file(&remarks), r);
    if (r->verdict != FNP_VERDICT_FAIL) {
        fprintf(remarks.file, "%s", findings);
    }
    fnp_put_escaped(out, fnp_part_text(&remarks), in_content);
    fprintf(out, "</system-out>\n    </testcase>\n");
    fnp_part_reset(&remarks);
    fnp_part_reset(findings_of(w));
    w->worst = (struct fnp_worst){ .known = false };
}

static void put_property(FILE *out, const char *name, const char *value)
{
    fprintf(out, "      <property");
    put_attribute(out, "name", name);
    put_attribute(out, "value", value);
    fprintf(out, "/>\n");
}

static void junit_summary(struct fnp_writer *w, const struct fnp_summary *s)
{
    FILE *out = w->config.out;
    char text[512];
    struct fnp_str line = fnp_str_over(text, sizeof(text));

    fnp_str_add(&line, "fencepost %s", w->config.command);
    fprintf(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n"
                 "  <testsuite");
    put_attribute(out, "name", text);
    fprintf(out,
            " tests=\"%" PRIu64 "\" failures=\"%" PRIu64 "\" errors=\"0\""
            " skipped=\"%" PRIu64 "\" time=\"%.3f\">\n    <properties>\n",
            w->n_kernels, w->n_verdicts[FNP_VERDICT_FAIL],
            w->n_verdicts[FNP_VERDICT_SKIP] + w->n_verdicts[FNP_VERDICT_INCONCLUSIVE],
            s->seconds);
    if (w->config.version) {
        put_property(out, "fencepost", w->config.version);
    }
    if (s->cpu) {
        put_property(out, "cpu", s->cpu);
    }
    line = fnp_str_over(text, sizeof(text));
    fnp_str_add(&line, "%" PRIu64, s->seed);
    put_property(out, "seed", text);
    line = fnp_str_over(text, sizeof(text));
    fnp_str_add(&line, "%d", s->exit);
    put_property(out, "exit", text);
    fprintf(out, "    </properties>\n%s", fnp_part_text(cases_of(w)));
    line = fnp_str_over(text, sizeof(text));
    fnp_add_summary(&line, w, s);
    fprintf(out, "    <system-out>");
    fnp_put_escaped(out, text, in_content);
    fprintf(out, "</system-out>\n  </testsuite>\n</testsuites>\n");
}

const struct fnp_format fnp_format_junit = {
    .name = "junit",
    .places = true,
    .finding = junit_finding,
    .kernel = junit_kernel,
    .summary = junit_summary,
};
