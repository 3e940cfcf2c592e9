/* SPDX-License-Identifier: MIT */
/*
 * file.h - the bytes of a regular file
 *
 * Depends on: base.
 */
#ifndef FNP_SUBJECT_FILE_H
#define FNP_SUBJECT_FILE_H

#include <stddef.h>

#include "base/arena.h"
#include "base/status.h"

/* Read a whole file into the arena.  FNP_INPUT with one sentence when it cannot be read. */
enum fnp_status fnp_file_read(struct fnp_arena *arena, const char *path,
                              const unsigned char **bytes, size_t *len,
                              struct fnp_err *err);

/* `name` against the folder of the file `path`; an absolute name as it is. */
const char *fnp_file_beside(struct fnp_arena *arena, const char *path,
                            const char *name);

#endif
