/* SPDX-License-Identifier: MIT */
/*
 * shared_link.h - the pages of a shared object, relocated for a base address
 *
 * The whole file is laid out as the dynamic linker would, but nothing is resolved that
 * would have to run or to be looked up elsewhere: undefined symbols, IFUNCs and
 * thread-local storage become traps that say so when they are reached.
 *
 * Depends on: dynamic, contract, stub.
 */
#ifndef FNP_SUBJECT_SHARED_LINK_H
#define FNP_SUBJECT_SHARED_LINK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "subject/contract.h"
#include "subject/dynamic.h"
#include "subject/image.h"

/* Stubs, words or traps that the loader adds behind the file's pages. */
struct fnp_shared_area {
    uint64_t vaddr;
    unsigned char *bytes;
    size_t used, cap; /* bytes */
};

enum fnp_shared_area_id {
    FNP_AREA_CODE,  /* R X */
    FNP_AREA_WORDS, /* R W */
    FNP_AREA_TRAPS, /* no access */
    FNP_N_AREAS,
};

struct fnp_shared_link {
    struct fnp_arena *arena;   /* for segments and names */
    struct fnp_arena *scratch; /* for all else */
    const struct fnp_dyn *dyn;
    const struct fnp_contract *contract; /* set and stub; may be NULL */
    struct fnp_err *err;
    uint64_t bias;        /* from virtual addresses to those of the image */
    unsigned char *bytes; /* of [dyn->lo, dyn->hi) */
    struct fnp_shared_area areas[FNP_N_AREAS];
    struct fnp_symbol *made; /* names of what the areas hold */
    size_t n_made;
    uint64_t *bound; /* addresses of dyn->bound, once they were needed */
    bool *is_bound;
    bool used[FNP_MAX_LIST]; /* definitions of the contract that changed anything */
};

/*
 * Lay out and relocate; segments of `image` and link->made are filled.  `bias`, arenas,
 * dyn, contract and err are given.
 */
enum fnp_status fnp_shared_link(struct fnp_shared_link *link, struct fnp_image *image);

/*
 * The symbol that `name` means, NAME or NAME@VERSION; code before data, the default
 * version and global names first.  NULL: there is none.
 */
const struct fnp_dyn_symbol *fnp_shared_find(const struct fnp_dyn *dyn,
                                             const char *name);

/* Does the symbol name code that the file holds? */
bool fnp_shared_is_code(const struct fnp_dyn *dyn, const struct fnp_dyn_symbol *symbol);

#endif
