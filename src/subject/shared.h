/* SPDX-License-Identifier: MIT */
/*
 * shared.h - kernels out of shared objects and PIEs, without the dynamic linker
 *
 * The object is never opened by the system: no constructor runs, no IFUNC is resolved,
 * and none of its symbols exists in the tool.  Used by image.c and object.c only.
 *
 * Depends on: image.
 */
#ifndef FNP_SUBJECT_SHARED_H
#define FNP_SUBJECT_SHARED_H

#include "subject/image.h"

/* An ET_DYN file for x86-64 or i386? */
bool fnp_shared_is(const struct fnp_object *object);

/* A cache for one object, empty; it lives in the arena, as does what it will hold. */
struct fnp_shared_cache *fnp_shared_cache(struct fnp_arena *arena);

/* What fnp_image_load is asked for. */
struct fnp_shared_entry {
    const char *symbol; /* NAME, NAME@VERSION; NULL: the contract's address */
    const struct fnp_contract *contract; /* may be NULL */
    unsigned slot;
};

/* fnp_image_load for shared objects. */
enum fnp_status fnp_shared_load(struct fnp_arena *arena,
                                const struct fnp_object *object,
                                const struct fnp_shared_entry *entry,
                                struct fnp_image *out, struct fnp_err *err);

/* Its functions, with IFUNCs, in the file's order. */
enum fnp_status fnp_shared_functions(struct fnp_arena *arena,
                                     const struct fnp_object *object,
                                     struct fnp_object_symbol **out, size_t *count,
                                     struct fnp_err *err);

#endif
