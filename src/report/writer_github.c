/* SPDX-License-Identifier: MIT */
/*
 * writer_github.c - workflow commands: GitHub Actions shows them beside the source
 *
 *     ::error file=FILE,line=LINE,title=SLUG%3A KERNEL::message%0A  case ...
 *
 * Every line is a command, so no name can pass for one.  GitHub shows ten annotations
 * of a kind for each step; skipped kernels therefore share the summary's notice.
 */
#include "report/writer_internal.h"

#include <inttypes.h>

#include "report/escape.h"

static const char *const in_message[FNP_ESCAPES] = {
    ['%'] = "%25", ['\r'] = "%0D", ['\n'] = "%0A", ['\t'] = "\t"
};
static const char *const in_property[FNP_ESCAPES] = {
    ['%'] = "%25", ['\r'] = "%0D", ['\n'] = "%0A",
    ['\t'] = "\t", [':'] = "%3A",  [','] = "%2C",
};

static const char *const commands[] = {
    [FNP_ERROR] = "error",
    [FNP_WARNING] = "warning",
    [FNP_INFO] = "notice",
};

static void begin(FILE *out, enum fnp_severity severity, struct fnp_place place)
{
    fprintf(out, "::%s ", commands[severity]);
    if (place.file) {
        fprintf(out, "file=");
        fnp_put_escaped(out, place.file, in_property);
        fprintf(out, ",");
    }
    if (place.line) {
        fprintf(out, "line=%u,", place.line);
    }
}

/* The last property, "LEAD: NAME", and the end of the properties. */
static void put_title(FILE *out, const char *lead, const char *name)
{
    fprintf(out, "title=%s%%3A ", lead);
    fnp_put_escaped(out, name, in_property);
    fprintf(out, "::");
}

static void github_finding(struct fnp_writer *w, const struct fnp_origin *origin,
                           const struct fnp_finding *f)
{
    FILE *out = w->config.out;
    struct fnp_part text = { .file = NULL };

    begin(out, f->waived ? FNP_INFO : f->severity, fnp_place_of(origin, f));
    put_title(out, fnp_rule_info(f->rule)->slug, origin->kernel);
    fnp_put_finding(fnp_part_file(&text), origin, f);
    fnp_part_text(&text);
    text.text[text.len - 1] = 0; /* the last newline */
    fnp_put_escaped(out, text.text, in_message);
    fprintf(out, "\n");
    fnp_part_reset(&text);
}

static void github_kernel(struct fnp_writer *w, const struct fnp_kernel_report *r)
{
    const struct fnp_place nowhere = { NULL, 0 };
    const char *reason = r->reason ? r->reason : "no reason given";

    if (r->verdict == FNP_VERDICT_INCONCLUSIVE) {
        begin(w->config.out, FNP_WARNING, nowhere);
        put_title(w->config.out, fnp_verdict_name(r->verdict), r->kernel);
        fnp_put_escaped(w->config.out, reason, in_message);
        fprintf(w->config.out, "\n");
    }
    if (r->verdict == FNP_VERDICT_SKIP) {
        fprintf(fnp_part_file(&w->parts[0]), "\nskip  %s  %s", r->kernel, reason);
    }
    if (r->suppressed) {
        fprintf(fnp_part_file(&w->parts[0]), "\n%s: %" PRIu64 " findings not shown",
                r->kernel, r->suppressed);
    }
}

static void github_summary(struct fnp_writer *w, const struct fnp_summary *s)
{
    FILE *out = w->config.out;
    char text[512];
    struct fnp_str line = fnp_str_over(text, sizeof(text));

    fnp_add_summary(&line, w, s);
    fprintf(out, "::notice title=fencepost %s::", w->config.command);
    fnp_put_escaped(out, text, in_message);
    fnp_put_escaped(out, fnp_part_text(&w->parts[0]), in_message);
    fprintf(out, "\n");
}

const struct fnp_format fnp_format_github = {
    .name = "github",
    .places = true,
    .finding = github_finding,
    .kernel = github_kernel,
    .summary = github_summary,
};
