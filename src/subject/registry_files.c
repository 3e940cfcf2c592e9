/* SPDX-License-Identifier: MIT */
/*
 * registry_files.c - the contract files of a request, or the one that lies nearest
 */
#include <sys/stat.h>
#include <unistd.h>

#include "subject/registry.h"

/* "fencepost.ini", "../fencepost.ini" ... up to the root; NULL: none. */
static const char *nearest_file(struct fnp_arena *arena)
{
    const char *up = "";

    for (unsigned depth = 0; depth < 64; depth++) {
        const char *path = fnp_arena_printf(arena, "%sfencepost.ini", up);
        const char *here = fnp_arena_printf(arena, "%s.", up);
        const char *above = fnp_arena_printf(arena, "%s..", up);
        struct stat a, b;

        if (access(path, R_OK) == 0) {
            return path;
        }
        if (stat(here, &a) || stat(above, &b) ||
            (a.st_dev == b.st_dev && a.st_ino == b.st_ino)) {
            return NULL;
        }
        up = fnp_arena_printf(arena, "../%s", up);
    }
    return NULL;
}

enum fnp_status fnp_registry_read_files(struct fnp_registry *r)
{
    const struct fnp_request *request = r->request;
    const char *const *paths = request->contract_files;
    size_t count = request->n_contract_files;
    const char *nearest;
    enum fnp_status status = FNP_OK;

    if (!request->n_names && !request->builtin && !count) {
        nearest = nearest_file(r->arena);
        if (!nearest) {
            return fnp_err_set(r->err, FNP_INPUT,
                               "nothing to %s: name a kernel (my.o:my_memcpy), a "
                               "contract (--contract x.ini) or --builtin; there is no "
                               "fencepost.ini here or above",
                               request->verb ? request->verb : "verify");
        }
        const char **one = fnp_arena_array(r->arena, 1, sizeof(*one));
        one[0] = nearest;
        paths = one;
        count = 1;
    }
    r->files = fnp_arena_array(r->arena, count, sizeof(*r->files));
    for (size_t i = 0; !status && i < count; i++) {
        if (!*paths[i]) {
            return fnp_err_set(r->err, FNP_INPUT, "a contract file's name is empty");
        }
        status = fnp_contract_read(r->arena, paths[i], &r->files[r->n_files++], r->err);
    }
    return status;
}
