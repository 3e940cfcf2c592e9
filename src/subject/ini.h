/* SPDX-License-Identifier: MIT */
/*
 * ini.h - sections and keys of an INI file, with line numbers and without surprises
 *
 * inih does the splitting; a reader in front of it refuses what inih would cut, merge
 * or continue silently: long lines and names, repeated sections and keys, indented
 * lines.  It knows no key by name.
 *
 * Depends on: base, inih.
 */
#ifndef FNP_SUBJECT_INI_H
#define FNP_SUBJECT_INI_H

#include <stddef.h>

#include "base/arena.h"
#include "base/status.h"

struct fnp_ini_key {
    const char *name, *value; /* neither is empty */
    unsigned line;
};

struct fnp_ini_section {
    const char *name; /* without brackets and surrounding space */
    unsigned line;
    struct fnp_ini_key *keys;
    size_t n_keys; /* at least 1 */
};

/* Everything is owned by the arena. */
struct fnp_ini {
    struct fnp_ini_section *sections; /* in file order, no name twice */
    size_t n_sections;
};

/*
 * Split text[0, len).  `path` is only for messages.  FNP_INPUT with "path:line: ..."
 * for everything that is not a plain INI file.
 */
enum fnp_status fnp_ini_parse(struct fnp_arena *arena, const char *path,
                              const char *text, size_t len, struct fnp_ini *out,
                              struct fnp_err *err);

/* A text file's bytes (at most 4 MiB) and a NUL behind them. */
enum fnp_status fnp_ini_slurp(struct fnp_arena *arena, const char *path, char **text,
                              size_t *len, struct fnp_err *err);

#endif
