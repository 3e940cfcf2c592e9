/* SPDX-License-Identifier: MIT */
/*
 * replay_file.c - finds the kernel and the case that a command line means
 */
#include "cli/replay_file.h"

#include <stdio.h>
#include <string.h>

#include "verify/plan.h"

static bool ends_with(const char *text, const char *end)
{
    size_t len = strlen(text), end_len = strlen(end);

    return len >= end_len && !strcmp(text + len - end_len, end);
}

/* Blanks cut at both ends. */
static const char *trimmed(struct fnp_arena *arena, const char *text, size_t len)
{
    while (len && strchr(" \t", text[0])) {
        text++;
        len--;
    }
    while (len && strchr(" \t", text[len - 1])) {
        len--;
    }
    return fnp_arena_text(arena, text, len);
}

enum fnp_status fnp_replay_contract(struct fnp_arena *arena, const char *line,
                                    struct fnp_request *request, struct fnp_err *err)
{
    const char **pairs =
        fnp_arena_array(arena, 2 * request->n_keys + strlen(line) + 2, sizeof(*pairs));

    if (!*line || !strcmp(line, "builtin")) {
        return FNP_OK;
    }
    if (!strchr(line, '=')) {
        const char **files =
            fnp_arena_array(arena, request->n_contract_files + 1, sizeof(*files));
        files[0] = line;
        for (size_t i = 0; i < request->n_contract_files; i++) {
            files[i + 1] = request->contract_files[i];
        }
        request->contract_files = files;
        request->n_contract_files++;
        return FNP_OK;
    }
    for (size_t i = 0; i < 2 * request->n_keys; i++) {
        pairs[i] = request->keys[i];
    }
    request->keys = pairs;
    while (*line) {
        size_t len = strcspn(line, ";");
        const char *equals = memchr(line, '=', len);
        if (equals) {
            pairs[2 * request->n_keys] = trimmed(arena, line, (size_t)(equals - line));
            pairs[2 * request->n_keys + 1] =
                trimmed(arena, equals + 1, (size_t)(line + len - equals) - 1);
            request->n_keys++;
        } else if (*trimmed(arena, line, len)) {
            return fnp_err_set(err, FNP_INPUT,
                               "contract line: expected KEY = VALUE: %.*s", (int)len,
                               line);
        }
        line += len + (line[len] == ';');
    }
    return FNP_OK;
}

static enum fnp_status read_file(struct fnp_arena *arena, const char *path,
                                 const struct fnp_subjects *subjects,
                                 struct fnp_request *request, struct fnp_replay *out,
                                 struct fnp_err *err)
{
    struct fnp_case_file *file = fnp_arena_alloc(arena, sizeof(*file));
    const char *region = NULL;
    const char **name = fnp_arena_array(arena, 1, sizeof(*name));
    enum fnp_status status = fnp_case_file_read(path, file, err);

    if (status != FNP_OK) {
        return status;
    }
    name[0] = file->kernel;
    *request = fnp_subjects_request(arena, subjects, name, 1);
    out->c = file->c;
    out->from_file = true;
    out->expect = fnp_case_file_expects(file, &region);
    out->expect_pass = out->expect == FNP_N_RULES;
    snprintf(out->region, sizeof(out->region), "%s", region ? region : "");
    return fnp_replay_contract(arena, file->contract, request, err);
}

/* What the command does with the case. */
static const char *verb_of(const struct fnp_subjects *subjects)
{
    return subjects->verb ? subjects->verb : "replay";
}

static enum fnp_status read_words(struct fnp_arena *arena,
                                  const struct fnp_subjects *subjects,
                                  const struct fnp_opt_list *names,
                                  struct fnp_request *request, struct fnp_replay *out,
                                  struct fnp_err *err)
{
    out->expect = FNP_N_RULES;
    if (names->count != 2) {
        return fnp_err_set(err, FNP_INPUT,
                           "%s needs a subject and a case in quotes, or one .case "
                           "file: fencepost %s SUBJECT 'v1 n=64'",
                           verb_of(subjects), verb_of(subjects));
    }
    *request = fnp_subjects_request(arena, subjects, names->item, 1);
    return fnp_case_parse(names->item[1], &out->c, err);
}

enum fnp_status fnp_replay_read(struct fnp_arena *arena,
                                const struct fnp_subjects *subjects,
                                const struct fnp_opt_list *names,
                                struct fnp_replay *out, struct fnp_err *err)
{
    struct fnp_kernels kernels = { 0 };
    struct fnp_request request = { 0 };
    struct fnp_err why = { "" };
    bool file = names->count == 1 && ends_with(names->item[0], ".case");
    enum fnp_status status =
        file ? read_file(arena, names->item[0], subjects, &request, out, err)
             : read_words(arena, subjects, names, &request, out, err);

    if (status == FNP_OK) {
        status = fnp_kernels_resolve(arena, &request, &kernels, err);
    }
    if (status != FNP_OK) {
        return status;
    }
    if (kernels.count != 1) {
        return fnp_err_set(err, FNP_INPUT, "%s runs one kernel, %s names %zu",
                           verb_of(subjects), request.names[0], kernels.count);
    }
    out->kernel = &kernels.list[0];
    fnp_case_canonical(&out->c);
    if (!fnp_case_allowed(&out->kernel->contract, &out->c, &why)) {
        return fnp_err_set(err, FNP_INPUT,
                           "the contract of %s does not allow this case: %s",
                           out->kernel->name, why.text);
    }
    return FNP_OK;
}
