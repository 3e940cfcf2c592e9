/* SPDX-License-Identifier: MIT */
/*
 * writer.c - find a format by name, pass things on to it, and what formats share
 */
#include "report/writer_internal.h"

#include <inttypes.h>
#include <stddef.h>
#include <string.h>

#include "base/nearest.h"

static const struct fnp_format *const formats[] = {
    &fnp_format_text,
    &fnp_format_jsonl,
    &fnp_format_tap,
};

enum fnp_status fnp_writer_init(struct fnp_writer *w, const char *format,
                                const struct fnp_writer_config *config,
                                struct fnp_err *err)
{
    const char *names[FNP_ARRAY_LEN(formats)];
    const char *near;

    *w = (struct fnp_writer){ .config = *config };
    for (size_t i = 0; i < FNP_ARRAY_LEN(formats); i++) {
        names[i] = formats[i]->name;
        if (strcmp(format, names[i]) == 0) {
            w->format = formats[i];
        }
    }
    if (!w->format) {
        near = fnp_nearest(format, names, FNP_ARRAY_LEN(names));
        if (near) {
            return fnp_err_set(err, FNP_INPUT, "unknown format '%s'; did you mean %s?",
                               format, near);
        }
        return fnp_err_set(err, FNP_INPUT,
                           "unknown format '%s'; there are text, jsonl and tap",
                           format);
    }
    if (w->format->begin) {
        w->format->begin(w);
    }
    return FNP_OK;
}

void fnp_writer_finding(struct fnp_writer *w, const char *kernel,
                        const struct fnp_finding *f)
{
    w->format->finding(w, kernel, f);
    fflush(w->config.out);
}

void fnp_writer_kernel(struct fnp_writer *w, const struct fnp_kernel_report *r)
{
    w->n_kernels++;
    w->n_findings += r->findings;
    w->format->kernel(w, r);
    fflush(w->config.out);
}

void fnp_writer_summary(struct fnp_writer *w, const struct fnp_summary *s)
{
    w->format->summary(w, s);
    fflush(w->config.out);
}

void fnp_add_grouped(struct fnp_str *text, uint64_t number)
{
    char digits[32];
    int len = snprintf(digits, sizeof(digits), "%" PRIu64, number);

    for (int i = 0; i < len; i++) {
        fnp_str_add(text, i > 0 && (len - i) % 3 == 0 ? ",%c" : "%c", digits[i]);
    }
}

void fnp_add_counted(struct fnp_str *text, uint64_t count, const char *noun)
{
    fnp_add_grouped(text, count);
    fnp_str_add(text, " %s%s", noun, count == 1 ? "" : "s");
}

void fnp_add_where(struct fnp_str *text, const struct fnp_where *where)
{
    if (where->symbol[0]) {
        fnp_str_add(text, "%s+0x%" PRIx64, where->symbol, where->offset);
    } else {
        fnp_str_add(text, "0x%" PRIx64, where->offset);
    }
    if (where->insn[0]) {
        fnp_str_add(text, "  %s", where->insn);
    }
    if (where->file[0]) {
        fnp_str_add(text, "  %s", where->file);
        if (where->line) {
            fnp_str_add(text, ":%u", where->line);
        }
    }
    if (where->iteration) {
        fnp_str_add(text, "  (iteration %" PRIu64 ")", where->iteration);
    }
}

void fnp_add_summary(struct fnp_str *text, const struct fnp_writer *w,
                     const struct fnp_summary *s)
{
    fnp_str_add(text, "%s", s->interrupted ? "interrupted: " : "");
    fnp_add_grouped(text, s->pass);
    fnp_str_add(text, " pass, ");
    fnp_add_grouped(text, s->fail);
    fnp_str_add(text, " fail, ");
    fnp_add_grouped(text, s->skip);
    fnp_str_add(text, " skip, ");
    fnp_add_grouped(text, s->inconclusive);
    fnp_str_add(text, " inconclusive");
    if (w->n_findings) {
        fnp_str_add(text, ", ");
        fnp_add_counted(text, w->n_findings, "finding");
    }
    if (s->warnings) {
        fnp_str_add(text, w->n_findings ? " (" : ", ");
        fnp_add_counted(text, s->warnings, "warning");
        fnp_str_add(text, w->n_findings ? ")" : "");
    }
    if (s->waived) {
        fnp_str_add(text, ", ");
        fnp_add_grouped(text, s->waived);
        fnp_str_add(text, " waived");
    }
    fnp_str_add(text, "  (");
    fnp_add_counted(text, s->cases, "case");
    fnp_str_add(text, ", seed %" PRIu64, s->seed);
    fnp_str_add(text, "%s%s, %.1f s)", s->cpu ? ", " : "", s->cpu ? s->cpu : "",
                s->seconds);
}
