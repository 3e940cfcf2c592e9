/* SPDX-License-Identifier: MIT */
/*
 * saved.c - reads a folder of .case files
 */
#include "subject/saved.h"

#include <dirent.h>
#include <errno.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

static int is_case_file(const struct dirent *entry)
{
    return fnmatch("*.case", entry->d_name, FNM_PERIOD) == 0;
}

/* Bytewise: the order must not depend on the locale. */
static int by_name(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

static bool is_one_of(const char *name, const char *const *names, size_t n_names)
{
    for (size_t i = 0; i < n_names; i++) {
        if (names[i] && !strcmp(name, names[i])) {
            return true;
        }
    }
    return false;
}

enum fnp_status fnp_saved_read(struct fnp_arena *arena, const char *dir,
                               const char *where, const char *const *names,
                               size_t n_names, struct fnp_saved *out,
                               struct fnp_err *err)
{
    struct dirent **entries = NULL;
    int count = scandir(dir, &entries, is_case_file, by_name);
    enum fnp_status status = FNP_OK;

    *out = (struct fnp_saved){ 0 };
    if (count < 0) {
        return fnp_err_set(err, FNP_INPUT, "%s: cases: %s: %s", where, dir,
                           strerror(errno));
    }
    out->list = fnp_arena_array(arena, (size_t)count, sizeof(*out->list));
    for (int i = 0; i < count; i++) {
        const char *path = fnp_arena_printf(arena, "%s/%s", dir, entries[i]->d_name);
        struct fnp_case_file file;
        const char *region = NULL;

        free(entries[i]);
        status = status ? status : fnp_case_file_read(path, &file, err);
        if (status || !is_one_of(file.kernel, names, n_names)) {
            continue;
        }
        struct fnp_saved_case *saved = &out->list[out->count++];

        *saved = (struct fnp_saved_case){
            .path = path,
            .c = file.c,
            .expect = fnp_case_file_expects(&file, &region),
        };
        saved->region = region ? fnp_arena_text(arena, region, strlen(region)) : NULL;
        fnp_case_canonical(&saved->c);
    }
    free(entries);
    return status;
}
