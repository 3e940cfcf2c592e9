/* SPDX-License-Identifier: MIT */
/*
 * build.h - a .c or .S subject through the user's own compiler
 *
 * The object is made in a folder of its own that is gone when the call returns.
 *
 * Depends on: image.h (struct fnp_object).
 */
#ifndef FNP_SUBJECT_BUILD_H
#define FNP_SUBJECT_BUILD_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/status.h"
#include "subject/image.h"

struct fnp_build {
    const char *source; /* path of a .c, .S or .s */
    const char *cc; /* command with leading arguments, as in a shell: "ccache gcc" */
    const char
        *cflags; /* as in a shell; quotes and backslashes work, nothing expands */
    /* A static function of a .c to keep alive; NULL: compile the file as it stands. */
    const char *keep;
};

/* Is this file one to be built, by its name? */
bool fnp_build_is_source(const char *path);

/* Is it C, so that `keep` means something? */
bool fnp_build_is_c(const char *path);

/*
 * Compile with `cc -g cflags -c`.  FNP_INPUT with the compiler's first complaint when
 * it refuses, FNP_FAILED when the system does.  out->path is the source's path.
 */
enum fnp_status fnp_build(struct fnp_arena *arena, const struct fnp_build *build,
                          struct fnp_object *out, struct fnp_err *err);

#endif
