/* SPDX-License-Identifier: MIT */
/*
 * cursor_file.h - the cursor of `--resume FILE` on disk: locked, whole or untouched
 *
 * Every save replaces the file, so that whoever reads it sees one state or the next, also
 * after a crash.  The lock is on the file itself and goes with the process.
 *
 * Depends on: cursor.
 */
#ifndef FNP_VERIFY_CURSOR_FILE_H
#define FNP_VERIFY_CURSOR_FILE_H

#include "verify/cursor.h"

/* Zero but for `path` and `fd` = -1 before it is opened. */
struct fnp_cursor_file {
    const char *path; /* as given; borrowed */
    char *real;       /* links resolved; owned.  NULL: not open */
    int fd;           /* holds the lock */
    bool unsaved;     /* the last save failed, `err` says why */
    struct fnp_err err;
    struct fnp_cursor cursor;
};

/*
 * Lock and read the file, or make an empty one, and find out whether it can be replaced.
 * FNP_INPUT with one sentence when it is damaged, no regular file, cannot be read or
 * written, or another run holds it; it is as it was then.
 */
enum fnp_status fnp_cursor_file_open(struct fnp_cursor_file *f, struct fnp_arena *arena,
                                     struct fnp_err *err);

/* Write what the cursor holds now; what goes wrong is kept in `unsaved` and `err`. */
void fnp_cursor_file_save(struct fnp_cursor_file *f);

/* For a child process: the lock is its parent's. */
void fnp_cursor_file_leave(struct fnp_cursor_file *f);

/* Release everything.  FNP_FAILED with a sentence when the last save failed. */
enum fnp_status fnp_cursor_file_close(struct fnp_cursor_file *f, struct fnp_err *err);

#endif
