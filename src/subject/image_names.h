/* SPDX-License-Identifier: MIT */
/*
 * image_names.h - the names of an image, in the order reports look them up
 *
 * Depends on: image.
 */
#ifndef FNP_SUBJECT_IMAGE_NAMES_H
#define FNP_SUBJECT_IMAGE_NAMES_H

#include "subject/image.h"

/* A symbol with what decides between names of one address. */
struct fnp_named {
    struct fnp_symbol symbol;
    unsigned rank; /* less is better */
};

/* Sort the list and make it the image's symbols; the list itself is not needed then. */
void fnp_names_give(struct fnp_arena *arena, struct fnp_named *list, size_t count,
                    struct fnp_image *image);

/* The name of an entry that no symbol names: the contract's, for reports. */
struct fnp_symbol fnp_names_entry(const struct fnp_contract *contract, uint64_t entry);

#endif
