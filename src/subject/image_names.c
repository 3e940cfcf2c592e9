/* SPDX-License-Identifier: MIT */
/*
 * image_names.c - the names of an image, in the order reports look them up
 *
 * Which symbols are worth a name is the loaders' business.
 */
#include "subject/image_names.h"

#include <stdlib.h>
#include <string.h>

static int by_address(const void *a, const void *b)
{
    const struct fnp_named *left = a, *right = b;

    if (left->symbol.addr != right->symbol.addr) {
        return left->symbol.addr < right->symbol.addr ? -1 : 1;
    }
    if (left->rank != right->rank) {
        return left->rank < right->rank ? -1 : 1;
    }
    return strcmp(left->symbol.name, right->symbol.name);
}

void fnp_names_give(struct fnp_arena *arena, struct fnp_named *list, size_t count,
                    struct fnp_image *image)
{
    qsort(list, count, sizeof(*list), by_address);
    image->symbols = fnp_arena_array(arena, count, sizeof(*image->symbols));
    image->n_symbols = count;
    for (size_t i = 0; i < count; i++) {
        image->symbols[i] = list[i].symbol;
    }
}

struct fnp_symbol fnp_names_entry(const struct fnp_contract *contract, uint64_t entry)
{
    return (struct fnp_symbol){
        .name = contract && contract->name ? contract->name : "entry",
        .addr = entry,
        .is_code = true,
    };
}
