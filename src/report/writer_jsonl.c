/* SPDX-License-Identifier: MIT */
/*
 * writer_jsonl.c - one JSON object a line, keys in the order of docs/design.md
 *
 * Unknown fields are absent, never null.
 */
#include "report/writer_internal.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"

static void add(json_t *object, const char *key, json_t *value)
{
    if (!value || json_object_set_new(object, key, value) != 0) {
        fnp_die("out of memory");
    }
}

/* Text that may hold bytes of a file name: what is not UTF-8 is shown as '?'. */
static json_t *text_value(const char *text)
{
    json_t *value = json_string(text);
    char *plain;

    if (value) {
        return value;
    }
    plain = strdup(text);
    for (char *p = plain; p && *p; p++) {
        *p = (unsigned char)*p < 0x80 ? *p : '?';
    }
    value = plain ? json_string(plain) : NULL;
    free(plain);
    return value;
}

/* NULL and "" are absent. */
static void add_text(json_t *object, const char *key, const char *text)
{
    if (text && text[0]) {
        add(object, key, text_value(text));
    }
}

/* JSON integers end at 2^63 here; a larger seed keeps its digits as a string. */
static void add_count(json_t *object, const char *key, uint64_t count)
{
    char digits[32];

    if (count <= INT64_MAX) {
        add(object, key, json_integer((json_int_t)count));
        return;
    }
    snprintf(digits, sizeof(digits), "%" PRIu64, count);
    add(object, key, json_string(digits));
}

/* 0 is absent. */
static void add_some(json_t *object, const char *key, uint64_t count)
{
    if (count) {
        add_count(object, key, count);
    }
}

/* Milliseconds are enough, and print without a tail of digits. */
static void add_seconds(json_t *object, double seconds)
{
    double whole = seconds > 0 && seconds < 1e12 ? seconds : 0;

    add(object, "seconds", json_real((double)(uint64_t)(whole * 1000 + 0.5) / 1000));
}

static json_t *object_of(const char *type)
{
    json_t *object = json_object();

    add(object, "schema", json_integer(1));
    add(object, "type", json_string(type));
    return object;
}

/* Print and release. */
static void put(struct fnp_writer *w, json_t *object)
{
    char *line = json_dumps(object, JSON_COMPACT | JSON_REAL_PRECISION(12));

    if (!line) {
        fnp_die("out of memory");
    }
    fprintf(w->config.out, "%s\n", line);
    free(line);
    json_decref(object);
}

static json_t *where_value(const struct fnp_where *where)
{
    json_t *object = json_object();

    add_text(object, "symbol", where->symbol);
    add_count(object, "offset", where->offset);
    add_text(object, "insn", where->insn);
    add_text(object, "file", where->file);
    add_some(object, "line", where->line);
    add_some(object, "iteration", where->iteration);
    return object;
}

static json_t *also_value(const struct fnp_finding *f)
{
    json_t *array = json_array();

    for (size_t i = 0; i < f->n_also; i++) {
        if (json_array_append_new(array,
                                  json_string(fnp_rule_info(f->also[i])->slug))) {
            fnp_die("out of memory");
        }
    }
    return array;
}

static void jsonl_finding(struct fnp_writer *w, const struct fnp_origin *origin,
                          const struct fnp_finding *f)
{
    json_t *object = object_of("finding");

    add_text(object, "command", w->config.command);
    add_text(object, "kernel", origin->kernel);
    add_text(object, "slug", fnp_rule_info(f->rule)->slug);
    add_text(object, "severity", fnp_severity_name(f->severity));
    add_text(object, "message", f->message);
    add_text(object, "case", f->text_case);
    if (f->has_first) {
        add(object, "first", json_integer((json_int_t)f->first));
    }
    add_some(object, "count", f->count);
    add_text(object, "register", f->reg);
    add_text(object, "want", f->want);
    add_text(object, "got", f->got);
    if (f->n_also) {
        add(object, "also", also_value(f));
    }
    if (f->where.known) {
        add(object, "where", where_value(&f->where));
    }
    add_text(object, "replay", f->replay);
    add(object, "waived", json_boolean(f->waived));
    add_text(object, "reason", f->waived ? f->reason : NULL);
    put(w, object);
}

/* `earlier` only where a cursor knew of some. */
static void add_box(json_t *object, const struct fnp_box_report *box)
{
    json_t *value;

    if (box->points == 0) {
        return;
    }
    value = json_object();
    add_count(value, "points", box->points);
    add_count(value, "tried", box->tried);
    add_some(value, "earlier", box->earlier);
    add(object, "box", value);
}

static void add_coverage(json_t *object, const struct fnp_coverage_report *coverage)
{
    json_t *value;

    if (coverage->of == 0) {
        return;
    }
    value = json_object();
    add_count(value, "blocks", coverage->blocks);
    add_count(value, "of", coverage->of);
    if (coverage->more) {
        add(value, "more", json_true());
    }
    add(object, "coverage", value);
}

static void add_notes(json_t *object, const struct fnp_kernel_report *r)
{
    json_t *notes = json_array();

    for (size_t i = 0; i < r->n_notes; i++) {
        json_array_append_new(notes, json_string(r->notes[i]));
    }
    if (json_array_size(notes)) {
        add(object, "notes", notes);
    } else {
        json_decref(notes);
    }
}

/* An object of its own for each promise, before the kernel's. */
static void put_offers(struct fnp_writer *w, const struct fnp_kernel_report *r)
{
    for (size_t i = 0; i < r->n_offers; i++) {
        const struct fnp_offer *offer = &r->offers[i];
        json_t *object = object_of("promise");
        char text[512];
        struct fnp_str message = fnp_str_over(text, sizeof(text));

        fnp_add_offer(&message, offer);
        add_text(object, "kernel", r->kernel);
        add_text(object, "promise", offer->promise);
        if (offer->rule < FNP_N_RULES) {
            add_text(object, "slug", fnp_rule_info(offer->rule)->slug);
        }
        add_count(object, "cases", offer->cases);
        add_text(object, "message", text);
        put(w, object);
    }
}

static void jsonl_kernel(struct fnp_writer *w, const struct fnp_kernel_report *r)
{
    json_t *object = object_of("kernel");
    json_t *checks = json_object();

    put_offers(w, r);
    add_text(object, "kernel", r->kernel);
    add_text(object, "verdict", fnp_verdict_name(r->verdict));
    add_text(object, "reason", r->reason);
    add_text(object, "contract", r->contract);
    add_count(object, "cases", r->cases);
    add_some(object, "saved", r->saved);
    add_some(object, "expected", r->expected);
    add_box(object, &r->box);
    add_count(object, "findings", r->findings);
    for (unsigned i = 0; i < FNP_N_CHECK_GROUPS; i++) {
        add_text(checks, fnp_check_group_name((enum fnp_check_group)i), r->checks[i]);
    }
    if (json_object_size(checks)) {
        add(object, "checks", checks);
    } else {
        json_decref(checks);
    }
    add_coverage(object, &r->coverage);
    add_notes(object, r);
    add_text(object, "hint", r->hint);
    add_text(object, "code", r->code);
    add_text(object, "equal_to", r->equal_to);
    add_seconds(object, r->seconds);
    put(w, object);
}

static void jsonl_summary(struct fnp_writer *w, const struct fnp_summary *s)
{
    json_t *object = object_of("summary");
    json_t *cpu = json_object();
    json_t *tool = json_object();

    add_text(cpu, "brand", s->cpu);
    add_count(cpu, "family", s->family);
    add_count(cpu, "model", s->model);
    add_count(cpu, "stepping", s->stepping);
    add_text(tool, "name", "fencepost");
    add_text(tool, "version", w->config.version);
    add_count(object, "pass", s->pass);
    add_count(object, "fail", s->fail);
    add_count(object, "skip", s->skip);
    add_count(object, "inconclusive", s->inconclusive);
    add_count(object, "waived", s->waived);
    add_count(object, "cases", s->cases);
    add_some(object, "boxes_left_out", s->boxes_left_out);
    add_count(object, "seed", s->seed);
    add(object, "cpu", cpu);
    add(object, "tool", tool);
    add_seconds(object, s->seconds);
    add(object, "exit", json_integer(s->exit));
    if (s->interrupted) {
        add(object, "interrupted", json_true());
    }
    put(w, object);
}

const struct fnp_format fnp_format_jsonl = {
    .name = "jsonl",
    .finding = jsonl_finding,
    .kernel = jsonl_kernel,
    .summary = jsonl_summary,
};
