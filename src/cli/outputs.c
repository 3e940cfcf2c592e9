/* SPDX-License-Identifier: MIT */
/*
 * outputs.c - sends each finding, verdict and summary to every writer of a run
 */
#include "cli/outputs.h"

#include <errno.h>
#include <string.h>

static enum fnp_status open_report(struct fnp_outputs *o, const char *text,
                                   const struct fnp_writer_config *config,
                                   struct fnp_err *err)
{
    struct fnp_writer_config mine = *config;
    const char *path = strchr(text, '=');
    char format[16];

    if (!path || path == text || !path[1] || path - text > 15) {
        return fnp_err_set(err, FNP_INPUT, "--report %s: expected FORMAT=FILE", text);
    }
    if (o->count == FNP_OUTPUTS_MAX) {
        return fnp_err_set(err, FNP_INPUT, "more than %d --report options",
                           FNP_OUTPUTS_MAX - 1);
    }
    memcpy(format, text, (size_t)(path - text));
    format[path - text] = 0;
    path++;
    /* The format is checked first: a mistyped one must not truncate the file. */
    mine.color = false;
    enum fnp_status status = fnp_writer_init(&o->writers[o->count], format, &mine, err);
    if (status != FNP_OK) {
        return status;
    }
    mine.out = fopen(path, "we");
    if (!mine.out) {
        return fnp_err_set(err, FNP_INPUT, "cannot write %s: %s", path,
                           strerror(errno));
    }
    o->files[o->count] = mine.out;
    o->paths[o->count] = path;
    return fnp_writer_init(&o->writers[o->count++], format, &mine, err);
}

enum fnp_status fnp_outputs_open(struct fnp_outputs *o, const char *format,
                                 const struct fnp_opt_list *reports,
                                 const struct fnp_writer_config *config,
                                 struct fnp_err *err)
{
    enum fnp_status status = fnp_writer_init(&o->writers[0], format, config, err);

    if (status != FNP_OK) {
        return status;
    }
    o->count = 1;
    for (size_t i = 0; i < reports->count; i++) {
        status = open_report(o, reports->item[i], config, err);
        if (status != FNP_OK) {
            fnp_outputs_close(o, NULL);
            return status;
        }
    }
    return FNP_OK;
}

void fnp_outputs_finding(struct fnp_outputs *o, const char *kernel,
                         const struct fnp_finding *f)
{
    for (size_t i = 0; i < o->count; i++) {
        fnp_writer_finding(&o->writers[i], kernel, f);
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

enum fnp_status fnp_outputs_close(struct fnp_outputs *o, struct fnp_err *err)
{
    enum fnp_status status = FNP_OK;

    for (size_t i = 0; i < o->count; i++) {
        FILE *f = o->files[i];
        if (!f) {
            continue;
        }
        bool bad = ferror(f) != 0;
        if ((fclose(f) != 0 || bad) && status == FNP_OK) {
            status = fnp_err_set(err, FNP_FAILED, "cannot write all of %s: %s",
                                 o->paths[i], strerror(errno));
        }
        o->files[i] = NULL;
    }
    o->count = 0;
    return status;
}
