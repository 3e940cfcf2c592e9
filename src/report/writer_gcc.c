/* SPDX-License-Identifier: MIT */
/*
 * writer_gcc.c - findings as a compiler prints them, for editors and CI that parse that
 *
 *     FILE:LINE:1: error: KERNEL: message [fencepost-SLUG]
 *     FILE:LINE:1: note: replay: fencepost replay ...
 *
 * Columns are not known, but some readers want one.  Where the line is not known either
 * the object alone stands there, and "fencepost" where there is no file, as gcc does it.
 */
#include "report/writer_internal.h"

#include <inttypes.h>

#include "report/escape.h"

/* One finding or remark is one line. */
static const char *const in_line[FNP_ESCAPES] = { ['\t'] = " " };

static const char *const words[] = {
    [FNP_ERROR] = "error",
    [FNP_WARNING] = "warning",
    [FNP_INFO] = "note",
};

static void begin(FILE *out, struct fnp_place place, enum fnp_severity severity)
{
    fnp_put_escaped(out, place.file ? place.file : "fencepost", in_line);
    if (place.line) {
        fprintf(out, ":%u:1", place.line);
    }
    fprintf(out, ": %s: ", words[severity]);
}

/* LEAD: TEXT, without a LEAD just TEXT. */
static void put_note(FILE *out, struct fnp_place place, const char *lead,
                     const char *text)
{
    begin(out, place, FNP_INFO);
    if (lead) {
        fnp_put_escaped(out, lead, in_line);
        fprintf(out, ": ");
    }
    fnp_put_escaped(out, text, in_line);
    fprintf(out, "\n");
}

static void gcc_finding(struct fnp_writer *w, const struct fnp_origin *origin,
                        const struct fnp_finding *f)
{
    FILE *out = w->config.out;
    struct fnp_place place = fnp_place_of(origin, f);
    char text[512];
    struct fnp_str line = fnp_str_over(text, sizeof(text));

    begin(out, place, f->waived ? FNP_INFO : f->severity);
    fnp_put_escaped(out, origin->kernel, in_line);
    fnp_add_message(&line, f);
    fprintf(out, ": ");
    fnp_put_escaped(out, text, in_line);
    fprintf(out, " [fencepost-%s]\n", fnp_rule_info(f->rule)->slug);
    if (f->text_case[0]) {
        put_note(out, place, "case", f->text_case);
    }
    if (f->where.known) {
        line = fnp_str_over(text, sizeof(text));
        fnp_add_where(&line, &f->where);
        put_note(out, place, "where", text);
    }
    line = fnp_str_over(text, sizeof(text));
    for (size_t i = 0; i < f->n_also; i++) {
        fnp_str_add(&line, "%s%s", i ? " " : "", fnp_rule_info(f->also[i])->slug);
    }
    if (f->n_also) {
        put_note(out, place, "also", text);
    }
    if (f->replay[0]) {
        put_note(out, place, "replay", f->replay);
    }
}

static void gcc_kernel(struct fnp_writer *w, const struct fnp_kernel_report *r)
{
    const struct fnp_place nowhere = { NULL, 0 };
    FILE *out = w->config.out;
    bool open = r->verdict == FNP_VERDICT_INCONCLUSIVE;
    char text[512];
    struct fnp_str line = fnp_str_over(text, sizeof(text));

    if (r->guess_note) {
        put_note(out, nowhere, NULL, r->guess_note);
    }
    if (open || r->verdict == FNP_VERDICT_SKIP) {
        begin(out, nowhere, open ? FNP_WARNING : FNP_INFO);
        fnp_put_escaped(out, r->kernel, in_line);
        fprintf(out, ": %s: ", fnp_verdict_name(r->verdict));
        fnp_put_escaped(out, r->reason ? r->reason : "no reason given", in_line);
        fprintf(out, "\n");
    }
    if (r->suppressed) {
        snprintf(text, sizeof(text), "%" PRIu64 " findings not shown", r->suppressed);
        put_note(out, nowhere, r->kernel, text);
    }
    for (size_t i = 0; i < r->n_notes; i++) {
        put_note(out, nowhere, r->kernel, r->notes[i]);
    }
    for (size_t i = 0; fnp_suggestion(&line, r, i); i++) {
        put_note(out, nowhere, r->kernel, text);
    }
}

static void gcc_summary(struct fnp_writer *w, const struct fnp_summary *s)
{
    const struct fnp_place nowhere = { NULL, 0 };
    char text[512];
    struct fnp_str line = fnp_str_over(text, sizeof(text));

    fnp_add_summary(&line, w, s);
    put_note(w->config.out, nowhere, NULL, text);
}

const struct fnp_format fnp_format_gcc = {
    .name = "gcc",
    .places = true,
    .finding = gcc_finding,
    .kernel = gcc_kernel,
    .summary = gcc_summary,
};
