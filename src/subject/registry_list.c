/* SPDX-License-Identifier: MIT */
/*
 * registry_list.c - what the functions of a file are, before anybody asks for one
 */
#include <fnmatch.h>
#include <string.h>
#include <unistd.h>

#include "subject/build.h"
#include "subject/registry.h"

/* The word of the name that says what it does; NULL: none. */
static const char *guess_of(struct fnp_registry *r, const char *name)
{
    struct fnp_contract_draft *draft =
        fnp_contract_guess(r->arena, name, r->request->as);
    struct fnp_contract contract;

    return draft && !fnp_contract_finish(draft, &contract, NULL) ? contract.guess
                                                                 : NULL;
}

/* The table names the file already. */
static const char *without_path(const char *text, const char *path)
{
    size_t len = strlen(path);

    return strncmp(text, path, len) || strncmp(text + len, ": ", 2) ? text
                                                                    : text + len + 2;
}

/*
 * Load it as a kernel would be, but without other members of its archive: what a whole
 * libc reaches costs far more than a line of a table is worth.
 */
static enum fnp_status scan_alone(const struct fnp_object *object, const char *name,
                                  struct fnp_scan *out, struct fnp_err *err)
{
    struct fnp_object alone = *object;
    struct fnp_arena scratch = { 0 };
    struct fnp_image image;
    enum fnp_status status;

    alone.siblings = NULL;
    status = fnp_image_load(&scratch, &alone, name, NULL, 0, &image, err);
    if (!status) {
        fnp_registry_scan(&image, out);
    }
    fnp_arena_release(&scratch);
    return status;
}

/* Look at its code. */
static void look(struct fnp_registry *r, const char *path,
                 const struct fnp_object *object, struct fnp_function *f)
{
    struct fnp_scan scan;
    fnp_features missing;
    struct fnp_err *err = r->err, why = { "" };
    enum fnp_status status;

    r->err = &why;
    status = fnp_build_is_source(path)
                 ? fnp_registry_open(r, path, NULL, f->name, &object)
                 : FNP_OK;
    status = status ? status : scan_alone(object, f->name, &scan, &why);
    r->err = err;
    if (status) {
        const char *text = without_path(why.text, path);

        f->unloaded = fnp_arena_text(r->arena, text, strlen(text));
        return;
    }
    f->needs = scan.needs;
    missing = scan.needs & ~fnp_cpu_features();
    if (missing) {
        f->missing = fnp_feature_name((enum fnp_feature)__builtin_ctzll(missing));
    }
}

static enum fnp_status list_matching(struct fnp_registry *r, const char *path,
                                     const char *pattern, struct fnp_function **out,
                                     size_t *count)
{
    const struct fnp_object *object = NULL;
    struct fnp_object_symbol *list = NULL;
    size_t total = 0;
    enum fnp_status status =
        fnp_registry_functions(r, path, true, &object, &list, &total);

    if (status) {
        return status;
    }
    *out = fnp_arena_array(r->arena, total, sizeof(**out));
    for (size_t i = 0; i < total; i++) {
        struct fnp_function *f = &(*out)[*count];

        if (pattern && fnmatch(pattern, list[i].name, 0) != 0) {
            continue;
        }
        *f = (struct fnp_function){ .name = list[i].name,
                                    .size = list[i].size,
                                    .is_global = list[i].is_global,
                                    .is_ifunc = list[i].is_ifunc,
                                    .guess = guess_of(r, list[i].name) };
        f->file = list[i].by_member ? list[i].object->path : path;
        if (f->is_ifunc) {
            f->unloaded = "IFUNC resolver";
        } else {
            look(r, list[i].object ? list[i].object->path : path,
                 list[i].object ? list[i].object : object, f);
        }
        ++*count;
    }
    if (!*count && pattern) {
        return fnp_err_set(r->err, FNP_INPUT, "%s: no function matches \"%s\"", path,
                           pattern);
    }
    return *count ? FNP_OK
                  : fnp_err_set(r->err, FNP_INPUT, "%s: no function in it", path);
}

enum fnp_status fnp_functions_list(struct fnp_arena *arena,
                                   const struct fnp_request *request, const char *word,
                                   struct fnp_function **out, size_t *count,
                                   struct fnp_err *err)
{
    struct fnp_registry r = {
        .arena = arena, .request = request, .err = err, .wrap = request->wrap
    };
    const char *colon = strrchr(word, ':');

    *out = NULL;
    *count = 0;
    if (!colon || access(word, F_OK) == 0) {
        return list_matching(&r, word, NULL, out, count);
    }
    return list_matching(&r, fnp_arena_text(arena, word, (size_t)(colon - word)),
                         colon + 1, out, count);
}
