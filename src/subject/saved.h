/* SPDX-License-Identifier: MIT */
/*
 * saved.h - the saved cases of one kernel: the folder that `cases = DIR` names
 *
 * Depends on: case, base.
 */
#ifndef FNP_SUBJECT_SAVED_H
#define FNP_SUBJECT_SAVED_H

#include <stddef.h>

#include "base/arena.h"
#include "base/status.h"
#include "subject/case.h"

struct fnp_saved_case {
    const char *path; /* of the file */
    struct fnp_case c;
    enum fnp_rule expect; /* FNP_N_RULES: the case passes */
    const char *region;   /* of the expected finding; NULL: any */
};

struct fnp_saved {
    struct fnp_saved_case *list; /* by the names of their files */
    size_t count;
};

/*
 * Read every *.case file in `dir` and keep those whose kernel is one of names[0, n_names).
 * A folder that cannot be read, and any file that is damaged, is FNP_INPUT; `where`
 * begins the sentence about the folder.
 */
enum fnp_status fnp_saved_read(struct fnp_arena *arena, const char *dir,
                               const char *where, const char *const *names,
                               size_t n_names, struct fnp_saved *out,
                               struct fnp_err *err);

#endif
