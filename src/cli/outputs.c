/* SPDX-License-Identifier: MIT */
/*
 * outputs.c - sends each finding, verdict and summary to every writer of a run
 */
#include "cli/outputs.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/settings.h"

/* "FORMAT=FILE" in its parts. */
struct request {
    const struct fnp_format *format;
    const char *path;
};

void fnp_outputs_options(struct fnp_output_args *args,
                         struct fnp_opt rows[FNP_OUTPUT_OPTIONS])
{
    struct fnp_str list = fnp_str_over(args->formats, sizeof(args->formats));
    const struct fnp_opt options[FNP_OUTPUT_OPTIONS] = {
        { "format",  0, FNP_OPT_TEXT, &args->format,  "NAME",        args->formats           },
        { "report",  0, FNP_OPT_LIST, &args->reports, "FORMAT=FILE",
         "write FORMAT to FILE as well (repeatable)"                                         },
        { "srcroot", 0, FNP_OPT_TEXT, &args->srcroot, "DIR",
         "name source files relative to DIR"                                                 },
        { "color",   0, FNP_OPT_TEXT, &args->color,   "WHEN",        "auto, always or never" },
    };

    fnp_format_list(&list);
    memcpy(rows, options, sizeof(options));
}

static enum fnp_status read_report(const char *text, struct request *out,
                                   struct fnp_err *err)
{
    const char *path = strchr(text, '=');
    char format[64];

    if (!path || path == text || !path[1]) {
        return fnp_err_set(err, FNP_INPUT, "--report %s: expected FORMAT=FILE", text);
    }
    snprintf(format, sizeof(format), "%.*s", (int)(path - text < 63 ? path - text : 63),
             text);
    out->path = path + 1;
    out->format = fnp_format_find(format, err);
    return out->format ? FNP_OK : FNP_INPUT;
}

/* The format of stdout: --format, or the one report to "-", or text. */
static enum fnp_status stdout_format(const struct fnp_output_args *args,
                                     const struct request *requests,
                                     const struct fnp_format **out, struct fnp_err *err)
{
    const char *taken = args->format;

    *out = fnp_format_find(taken ? taken : "text", err);
    for (size_t i = 0; *out && i < args->reports.count; i++) {
        if (strcmp(requests[i].path, "-") != 0) {
            continue;
        }
        if (taken) {
            return fnp_err_set(err, FNP_INPUT,
                               "--report %s: standard output already has format %s",
                               args->reports.item[i], taken);
        }
        *out = requests[i].format;
        taken = requests[i].format->name;
    }
    return *out ? FNP_OK : FNP_INPUT;
}

/* A relative folder counts from here; an absolute one need not exist any more. */
static enum fnp_status find_srcroot(struct fnp_outputs *o, const char *dir,
                                    struct fnp_err *err)
{
    char *real = dir[0] == '/' ? strdup(dir) : realpath(dir, NULL);

    if (!real || strlen(real) >= sizeof(o->srcroot)) {
        free(real);
        return fnp_err_set(err, FNP_INPUT, "--srcroot %s: %s", dir,
                           real ? "too long" : strerror(errno));
    }
    memcpy(o->srcroot, real, strlen(real) + 1);
    free(real);
    return FNP_OK;
}

static enum fnp_status open_file(struct fnp_outputs *o, const struct request *request,
                                 const struct fnp_writer_config *config,
                                 struct fnp_err *err)
{
    struct fnp_report_file *file = &o->files[o->count];
    struct fnp_writer_config mine = *config;
    enum fnp_status status = fnp_report_file_open(file, request->path, err);

    if (status != FNP_OK) {
        return status;
    }
    for (size_t i = 1; i < o->count; i++) {
        if (o->files[i].out && fnp_report_file_same(&o->files[i], file)) {
            fnp_report_file_drop(file);
            return fnp_err_set(err, FNP_INPUT, "two reports to one file, %s",
                               request->path);
        }
    }
    mine.out = file->out;
    mine.color = mine.bare = mine.guesses_said = false;
    fnp_writer_init(&o->writers[o->count++], request->format, &mine);
    return FNP_OK;
}

/* Formats first: a mistyped one must not touch a file. */
static enum fnp_status open_all(struct fnp_outputs *o,
                                const struct fnp_output_args *args,
                                struct fnp_writer_config *config, struct fnp_err *err)
{
    struct request requests[FNP_OPT_LIST_MAX];
    const struct fnp_format *format;
    enum fnp_status status = FNP_OK;

    for (size_t i = 0; status == FNP_OK && i < args->reports.count; i++) {
        status = read_report(args->reports.item[i], &requests[i], err);
    }
    if (status == FNP_OK) {
        status = stdout_format(args, requests, &format, err);
    }
    if (status == FNP_OK) {
        status = fnp_color_parse(args->color, STDOUT_FILENO, &config->color, err);
    }
    if (status == FNP_OK && args->srcroot) {
        status = find_srcroot(o, args->srcroot, err);
        config->srcroot = o->srcroot;
    }
    if (status != FNP_OK) {
        return status;
    }
    fnp_writer_init(&o->writers[o->count++], format, config);
    for (size_t i = 0; status == FNP_OK && i < args->reports.count; i++) {
        if (strcmp(requests[i].path, "-") == 0) {
            continue;
        }
        if (o->count == FNP_OUTPUTS_MAX) {
            return fnp_err_set(err, FNP_INPUT, "more than %d --report options",
                               FNP_OUTPUTS_MAX - 1);
        }
        status = open_file(o, &requests[i], config, err);
    }
    return status;
}

enum fnp_status fnp_outputs_open(struct fnp_outputs *o,
                                 const struct fnp_output_args *args,
                                 const struct fnp_writer_config *config,
                                 struct fnp_err *err)
{
    struct fnp_writer_config mine = *config;
    enum fnp_status status = open_all(o, args, &mine, err);

    if (status != FNP_OK) {
        fnp_outputs_drop(o);
    }
    return status;
}

bool fnp_outputs_is_text(const struct fnp_outputs *o)
{
    return strcmp(o->writers[0].format->name, "text") == 0;
}

bool fnp_outputs_want_places(const struct fnp_outputs *o)
{
    for (size_t i = 0; i < o->count; i++) {
        if (o->writers[i].format->places) {
            return true;
        }
    }
    return false;
}

void fnp_outputs_finding(struct fnp_outputs *o, const struct fnp_origin *origin,
                         const struct fnp_finding *f)
{
    for (size_t i = 0; i < o->count; i++) {
        fnp_writer_finding(&o->writers[i], origin, f);
    }
}

void fnp_outputs_kernel(struct fnp_outputs *o, const struct fnp_kernel_report *r)
{
    for (size_t i = 0; i < o->count; i++) {
        fnp_writer_kernel(&o->writers[i], r);
    }
}

void fnp_outputs_summary(struct fnp_outputs *o, const struct fnp_summary *s)
{
    for (size_t i = 0; i < o->count; i++) {
        fnp_writer_summary(&o->writers[i], s);
    }
}

static void close_writers(struct fnp_outputs *o)
{
    for (size_t i = 0; i < o->count; i++) {
        fnp_writer_close(&o->writers[i]);
    }
    o->count = 0;
}

enum fnp_status fnp_outputs_finish(struct fnp_outputs *o, struct fnp_err *err)
{
    enum fnp_status status = FNP_OK;

    for (size_t i = 1; i < o->count; i++) {
        struct fnp_err own = { "" };
        enum fnp_status one = fnp_report_file_finish(&o->files[i], &own);

        if (one != FNP_OK && status == FNP_OK) {
            status = fnp_err_set(err, one, "%s", own.text);
        }
    }
    close_writers(o);
    return status;
}

void fnp_outputs_drop(struct fnp_outputs *o)
{
    for (size_t i = 1; i < o->count; i++) {
        fnp_report_file_drop(&o->files[i]);
    }
    close_writers(o);
}
