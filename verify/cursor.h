/* SPDX-License-Identifier: MIT */
/*
 * cursor.h - how far the boxes of kernels have been tried: a text, and whose line is whose
 *
 * Pure: text in, lines out, and back.  cursor_file.h keeps it on disk.
 *
 * Depends on: base, subject/kernel.h.
 */
#ifndef FNP_VERIFY_CURSOR_H
#define FNP_VERIFY_CURSOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/status.h"
#include "subject/kernel.h"

enum {
    FNP_CURSOR_ID = 32, /* hex digits */
};

/* One kernel: the first `tried` of `of` points were all tried and clean. */
struct fnp_cursor_line {
    const char *kernel; /* printable */
    char id[FNP_CURSOR_ID + 1];
    uint64_t tried, of;
    bool taken; /* by a kernel of this run */
};

/* Lines and texts are owned by the arena. */
struct fnp_cursor {
    struct fnp_arena *arena;
    struct fnp_cursor_line *lines;
    size_t count, room;
};

/* What, beside kernel and CPU, decides what a point of a box is and what is seen in it. */
struct fnp_cursor_terms {
    const char *box;     /* as written */
    const char *version; /* of fencepost */
    uint64_t left_out;   /* rules that are not looked for, as a mask */
};

/*
 * Read a cursor; no bytes at all are an empty one.  Anything fnp_cursor_text would not
 * have written is FNP_INPUT with one sentence that begins with `path`.
 */
enum fnp_status fnp_cursor_parse(struct fnp_arena *arena, const char *path,
                                 const char *text, size_t len, struct fnp_cursor *out,
                                 struct fnp_err *err);

/* The whole text; free() it. */
char *fnp_cursor_text(const struct fnp_cursor *cursor, size_t *len);

/* Equal digits: a point tried then need not be tried now. */
void fnp_cursor_identify(struct fnp_arena *arena, const struct fnp_kernel *kernel,
                         const struct fnp_cursor_terms *terms,
                         char id[FNP_CURSOR_ID + 1]);

/*
 * The index of the line for this kernel.  A line of that name with another id or another
 * number of points begins at 0 again, *anew says so; a missing one is added.  Two kernels
 * of one run never get the same line.
 */
size_t fnp_cursor_take(struct fnp_cursor *cursor, const char *kernel,
                       const char id[FNP_CURSOR_ID + 1], uint64_t of, bool *anew);

#endif
