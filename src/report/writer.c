/* SPDX-License-Identifier: MIT */
/*
 * writer.c - find a format by name, pass things on to it, and what formats share
 */
#include "report/writer_internal.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/nearest.h"

static const struct fnp_format *const formats[] = {
    &fnp_format_text, &fnp_format_jsonl,  &fnp_format_tap,      &fnp_format_junit,
    &fnp_format_gcc,  &fnp_format_github, &fnp_format_markdown,
};

const struct fnp_format *fnp_format_find(const char *name, struct fnp_err *err)
{
    const char *names[FNP_ARRAY_LEN(formats)];
    char all[128];
    struct fnp_str list = fnp_str_over(all, sizeof(all));

    for (size_t i = 0; i < FNP_ARRAY_LEN(formats); i++) {
        names[i] = formats[i]->name;
        if (strcmp(name, names[i]) == 0) {
            return formats[i];
        }
    }
    const char *near = fnp_nearest(name, names, FNP_ARRAY_LEN(names));

    if (near) {
        fnp_err_set(err, FNP_INPUT, "unknown format '%s'; did you mean %s?", name,
                    near);
        return NULL;
    }
    fnp_format_list(&list);
    fnp_err_set(err, FNP_INPUT, "unknown format '%s'; there are %s", name, all);
    return NULL;
}

void fnp_format_list(struct fnp_str *out)
{
    const size_t last = FNP_ARRAY_LEN(formats) - 1;

    for (size_t i = 0; i <= last; i++) {
        const char *between = i == 0 ? "" : i == last ? " or " : ", ";

        fnp_str_add(out, "%s%s", between, formats[i]->name);
    }
}

void fnp_writer_init(struct fnp_writer *w, const struct fnp_format *format,
                     const struct fnp_writer_config *config)
{
    *w = (struct fnp_writer){ .format = format, .config = *config };
}

/* Take the folder away from a path in it. */
static void strip_root(const char *root, char *path)
{
    size_t len = strlen(root);

    while (len > 1 && root[len - 1] == '/') {
        len--;
    }
    if (strncmp(path, root, len) != 0 || (path[len] != '/' && root[len - 1] != '/')) {
        return;
    }
    len += strspn(path + len, "/");
    if (path[len]) {
        memmove(path, path + len, strlen(path + len) + 1);
    }
}

void fnp_writer_finding(struct fnp_writer *w, const struct fnp_origin *origin,
                        const struct fnp_finding *f)
{
    struct fnp_origin from = *origin;
    struct fnp_finding mine = *f;
    char object[512];

    if (w->config.srcroot) {
        strip_root(w->config.srcroot, from.file);
        strip_root(w->config.srcroot, mine.where.file);
        if (from.object && strlen(from.object) < sizeof(object)) {
            memcpy(object, from.object, strlen(from.object) + 1);
            strip_root(w->config.srcroot, object);
            from.object = object;
        }
    }
    w->format->finding(w, &from, &mine);
    fflush(w->config.out);
}

void fnp_writer_kernel(struct fnp_writer *w, const struct fnp_kernel_report *r)
{
    w->n_kernels++;
    w->n_verdicts[r->verdict]++;
    w->n_findings += r->findings;
    w->format->kernel(w, r);
    fflush(w->config.out);
}

void fnp_writer_summary(struct fnp_writer *w, const struct fnp_summary *s)
{
    w->format->summary(w, s);
    fflush(w->config.out);
}

void fnp_writer_close(struct fnp_writer *w)
{
    for (size_t i = 0; i < FNP_WRITER_PARTS; i++) {
        fnp_part_reset(&w->parts[i]);
    }
}

FILE *fnp_part_file(struct fnp_part *part)
{
    if (!part->file) {
        part->file = open_memstream(&part->text, &part->len);
    }
    if (!part->file) {
        fnp_die("out of memory");
    }
    return part->file;
}

const char *fnp_part_text(struct fnp_part *part)
{
    if (part->file && fflush(part->file) != 0) {
        fnp_die("out of memory");
    }
    return part->file ? part->text : "";
}

void fnp_part_reset(struct fnp_part *part)
{
    if (part->file) {
        fclose(part->file);
        free(part->text);
    }
    *part = (struct fnp_part){ .file = NULL };
}

struct fnp_place fnp_place_of(const struct fnp_origin *origin,
                              const struct fnp_finding *f)
{
    if (f->where.known && f->where.file[0] && f->where.line) {
        return (struct fnp_place){ f->where.file, f->where.line };
    }
    if (origin->file[0] && origin->line) {
        return (struct fnp_place){ origin->file, origin->line };
    }
    return (struct fnp_place){ origin->object, 0 };
}

void fnp_add_message(struct fnp_str *text, const struct fnp_finding *f)
{
    fnp_str_add(text, "%s", f->message);
    if (f->waived) {
        fnp_str_add(text, " (waived%s%s)", f->reason[0] ? ": " : "", f->reason);
    }
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

void fnp_add_offer(struct fnp_str *text, const struct fnp_offer *offer)
{
    fnp_str_add(text, "%s would allow all ", offer->promise);
    fnp_add_grouped(text, offer->cases);
    fnp_str_add(text, " %s seen; write it only if it was meant",
                offer->rule < FNP_N_RULES ? fnp_rule_info(offer->rule)->slug
                                          : "failures");
}

const char *fnp_suggestion(struct fnp_str *text, const struct fnp_kernel_report *r,
                           size_t i)
{
    *text = fnp_str_over(text->text, text->cap);
    if (i < r->n_offers) {
        fnp_add_offer(text, &r->offers[i]);
        return "promise";
    }
    if (i == r->n_offers && r->hint[0]) {
        fnp_str_add(text, "with %s the first %u cases pass; is that the contract?",
                    r->hint, r->hint_cases);
        return "hint";
    }
    return NULL;
}

void fnp_put_suggestions(FILE *out, const char *prefix,
                         const struct fnp_kernel_report *r)
{
    char line[512];
    struct fnp_str text = fnp_str_over(line, sizeof(line));
    const char *label = NULL;

    for (size_t i = 0; (label = fnp_suggestion(&text, r, i)); i++) {
        fprintf(out, "%s%-7s %s\n", prefix, label, line);
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
    if (s->boxes_left_out) {
        fnp_str_add(text, "  ");
        fnp_add_grouped(text, s->boxes_left_out);
        fnp_str_add(text, " declared box%s not tried: --exhaustive box",
                    s->boxes_left_out == 1 ? "" : "es");
    }
}
