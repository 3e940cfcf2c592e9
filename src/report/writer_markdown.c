/* SPDX-License-Identifier: MIT */
/*
 * writer_markdown.c - a table of kernels, then a section for each finding
 *
 * GitHub's dialect, for $GITHUB_STEP_SUMMARY and comments.  The counts stand on top, so
 * everything is held back until the summary.
 */
#include "report/writer_internal.h"

#include <inttypes.h>
#include <string.h>

#include "report/escape.h"

/* Whatever could begin markup, a link or a reference becomes a character reference. */
static const char *const in_prose[FNP_ESCAPES] = {
    ['|'] = "&#124;", ['`'] = "&#96;", ['*'] = "&#42;", ['_'] = "&#95;",
    ['\\'] = "&#92;", ['<'] = "&lt;",  ['>'] = "&gt;",  ['&'] = "&amp;",
    ['['] = "&#91;",  [']'] = "&#93;", ['#'] = "&#35;", ['!'] = "&#33;",
    ['~'] = "&#126;", ['$'] = "&#36;", ['@'] = "&#64;", ['\n'] = "<br>",
    ['\t'] = " ",
};
/* Within a block of code nothing is markup. */
static const char *const in_block[FNP_ESCAPES] = { ['\n'] = "\n", ['\t'] = "\t" };

/*
 * A name as code.  Between backticks neither a backtick nor, in a table, a pipe behind a
 * backslash can be written; <code> takes references to all of them.
 */
static void put_code(FILE *out, const char *text)
{
    bool plain = text[0] && !strpbrk(text, "|`\\<>&\n\t");

    fputs(plain ? "`" : "<code>", out);
    fnp_put_escaped(out, text, plain ? in_block : in_prose);
    fputs(plain ? "`" : "</code>", out);
}

static void put_fence(FILE *out, size_t len, const char *end)
{
    for (size_t i = 0; i < len; i++) {
        fputc('`', out);
    }
    fputs(end, out);
}

/* A fence longer than any run of backticks in the text. */
static void put_block(FILE *out, const char *text)
{
    size_t longest = 2;

    for (const char *p = strchr(text, '`'); p; p = strchr(p, '`')) {
        size_t run = strspn(p, "`");

        longest = run > longest ? run : longest;
        p += run;
    }
    put_fence(out, longest + 1, "text\n");
    fnp_put_escaped(out, text, in_block);
    put_fence(out, longest + 1, "\n");
}

static struct fnp_part *rows_of(struct fnp_writer *w)
{
    return &w->parts[0];
}

static struct fnp_part *sections_of(struct fnp_writer *w)
{
    return &w->parts[1];
}

static void markdown_finding(struct fnp_writer *w, const struct fnp_origin *origin,
                             const struct fnp_finding *f)
{
    FILE *out = fnp_part_file(sections_of(w));
    struct fnp_part block = { .file = NULL };
    struct fnp_place place = fnp_place_of(origin, f);
    char text[512];
    struct fnp_str line = fnp_str_over(text, sizeof(text));

    fprintf(out, "\n### %s in ", fnp_rule_info(f->rule)->slug);
    put_code(out, origin->kernel);
    fprintf(out, "\n\n");
    if (f->severity != FNP_ERROR) {
        fprintf(out, "%s: ", fnp_severity_name(f->severity));
    }
    fnp_add_message(&line, f);
    fnp_put_escaped(out, text, in_prose);
    if (place.line) {
        line = fnp_str_over(text, sizeof(text));
        fnp_str_add(&line, "%s:%u", place.file, place.line);
        fprintf(out, " (");
        put_code(out, text);
        fprintf(out, ")");
    }
    fprintf(out, "\n\n");
    fnp_put_finding(fnp_part_file(&block), origin, f);
    put_block(out, fnp_part_text(&block));
    fnp_part_reset(&block);
}

/* Separated by semicolons, as many as apply. */
static void put_remark(FILE *out, bool *some, const char *lead, const char *text)
{
    fprintf(out, "%s%s", *some ? "; " : "", lead);
    fnp_put_escaped(out, text, in_prose);
    *some = true;
}

static void put_remarks(FILE *out, const struct fnp_kernel_report *r)
{
    char text[512];
    struct fnp_str line = fnp_str_over(text, sizeof(text));
    bool some = false;

    if (r->reason) {
        put_remark(out, &some, "", r->reason);
    }
    if (r->equal_to) {
        put_remark(out, &some, "same code as ", "");
        put_code(out, r->equal_to);
    } else {
        fnp_add_checks(&line, r, "; ", false);
    }
    if (line.len) {
        put_remark(out, &some, "", text + strlen("; "));
    }
    if (r->guess_note && r->contract) {
        put_remark(out, &some, "contract ", r->contract);
    }
    if (r->promises) {
        put_remark(out, &some, "promises ", "");
        put_code(out, r->promises);
    }
    for (size_t i = 0; i < r->n_notes; i++) {
        put_remark(out, &some, "", r->notes[i]);
    }
    for (size_t i = 0; fnp_suggestion(&line, r, i); i++) {
        put_remark(out, &some, "", text);
    }
}

static void markdown_kernel(struct fnp_writer *w, const struct fnp_kernel_report *r)
{
    FILE *out = fnp_part_file(rows_of(w));
    char text[64];
    struct fnp_str cases = fnp_str_over(text, sizeof(text));
    bool bad = r->verdict == FNP_VERDICT_FAIL;

    fnp_add_grouped(&cases, r->cases);
    fprintf(out, "| %s%s%s | ", bad ? "**" : "", fnp_verdict_name(r->verdict),
            bad ? "**" : "");
    put_code(out, r->kernel);
    fprintf(out, " | %s | %" PRIu64, text, r->findings);
    if (r->suppressed) {
        fprintf(out, " (%" PRIu64 " not shown)", r->suppressed);
    }
    fprintf(out, " | ");
    put_remarks(out, r);
    fprintf(out, " |\n");
}

static void markdown_summary(struct fnp_writer *w, const struct fnp_summary *s)
{
    FILE *out = w->config.out;
    char text[512];
    struct fnp_str line = fnp_str_over(text, sizeof(text));

    fnp_add_summary(&line, w, s);
    fprintf(out, "## fencepost %s\n\n", w->config.command);
    fnp_put_escaped(out, text, in_prose);
    fprintf(out, "\n");
    if (w->n_kernels) {
        fprintf(out, "\n| verdict | kernel | cases | findings | remarks |\n"
                     "|---|---|---:|---:|---|\n");
    }
    fprintf(out, "%s%s", fnp_part_text(rows_of(w)), fnp_part_text(sections_of(w)));
}

const struct fnp_format fnp_format_markdown = {
    .name = "markdown",
    .places = true,
    .finding = markdown_finding,
    .kernel = markdown_kernel,
    .summary = markdown_summary,
};
