/* SPDX-License-Identifier: MIT */
/*
 * archive.h - the members of an ar archive: GNU, BSD and thin ones
 *
 * The container only: what the members hold is members.h's business.  Symbol tables are
 * passed over; they may be stale, and every member is looked at anyway.
 *
 * Depends on: image.h (struct fnp_object).
 */
#ifndef FNP_SUBJECT_ARCHIVE_H
#define FNP_SUBJECT_ARCHIVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/status.h"
#include "subject/image.h"

struct fnp_archive_member {
    const char *name;  /* as stored, without padding; of a thin archive: a path */
    uint64_t header;   /* file offset */
    uint64_t nested;   /* thin: offset of its header in the archive `name`; 0: none */
    const char *fault; /* why there are no bytes; NULL: there are */
    const unsigned char *bytes;
    size_t len;
};

struct fnp_archive {
    bool thin;
    struct fnp_archive_member *members; /* in the file's order */
    size_t n_members;
};

/* By magic. */
bool fnp_archive_is(const struct fnp_object *object);

/*
 * List the members; those of a thin archive are read from beside it, and one that cannot
 * be had is a member with a fault.  FNP_INPUT with one sentence for a damaged archive.
 */
enum fnp_status fnp_archive_walk(struct fnp_arena *arena,
                                 const struct fnp_object *object,
                                 struct fnp_archive *out, struct fnp_err *err);

#endif
