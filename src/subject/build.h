/* SPDX-License-Identifier: MIT */
/*
 * build.h - a source file as subject, through the user's own compiler
 *
 * The object is made in a folder of its own that is gone when the call returns.
 *
 * Depends on: image.h (struct fnp_object), unit.h.
 */
#ifndef FNP_SUBJECT_BUILD_H
#define FNP_SUBJECT_BUILD_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/status.h"
#include "subject/image.h"
#include "subject/unit.h"

struct fnp_build {
    const char *source; /* path of a .c .S .s .asm; a .h when `wrap` is given */
    const char *cc; /* command with leading arguments, as in a shell: "ccache gcc" */
    const char
        *cflags; /* as in a shell; quotes and backslashes work, nothing expands */
    /* Instead of cc: a compiler and its flags, one word each, NULL at the end. */
    const char *const *command;
    const char *folder; /* the compiler runs there; NULL: here */
    const char *wrap;   /* of a .c or .h: C text to append; NULL: none */
    /* Of a .c or .h: a function to keep alive, and how; NULL: as it stands. */
    const char *function;
    enum fnp_keep keep;
    const char *more; /* flags behind all others; NULL: none */
};

/* Is this file one to be built, by its name? */
bool fnp_build_is_source(const char *path);

/* Is it C, so that `wrap` and `keep` mean something? */
bool fnp_build_is_c(const char *path);

/* Does nasm assemble it? */
bool fnp_build_is_nasm(const char *path);

/*
 * Compile with `cc -g cflags -c`, each function in its own section; warnings are nobody's business here.  FNP_INPUT with the
 * compiler's first complaint when it refuses, FNP_FAILED when the system does.
 * out->path is the source's path.
 */
enum fnp_status fnp_build(struct fnp_arena *arena, const struct fnp_build *build,
                          struct fnp_object *out, struct fnp_err *err);

#endif
