/* SPDX-License-Identifier: MIT */
/*
 * compdb.h - how a project compiles one of its files, from its compile_commands.json
 *
 * Depends on: base, jansson.
 */
#ifndef FNP_SUBJECT_COMPDB_H
#define FNP_SUBJECT_COMPDB_H

#include <stddef.h>

#include "base/arena.h"
#include "base/status.h"

struct fnp_compdb_entry {
    const char
        *folder; /* absolute or relative to ours; the command counts from there */
    /* Compiler and flags without the file, the output and what writes dependencies;
     * ends with NULL. */
    const char *const *words;
    size_t entries; /* how many there are for this file; the first is meant */
};

/*
 * Find the entry of `source`, by whatever path it is named.  FNP_INPUT when the database
 * cannot be read or has none; the sentence names the nearest file.
 */
enum fnp_status fnp_compdb_find(struct fnp_arena *arena, const char *database,
                                const char *source, struct fnp_compdb_entry *out,
                                struct fnp_err *err);

#endif
