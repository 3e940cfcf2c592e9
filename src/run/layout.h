/* SPDX-License-Identifier: MIT */
/*
 * layout.h - where the buffers of a case stand in their fields
 *
 * A pure function of contract and case; addresses are the same in every process.
 *
 * Depends on: field, outcome (struct fnp_placed).
 */
#ifndef FNP_RUN_LAYOUT_H
#define FNP_RUN_LAYOUT_H

#include <stdbool.h>

#include "run/field.h"
#include "run/outcome.h"

/* Where everything of one case is. */
struct fnp_layout {
    struct fnp_placed buf[FNP_MAX_BUFS];
    struct fnp_field_place *field[FNP_MAX_BUFS]; /* NULL: role not used */
    bool large;                                  /* a buffer stands in a large field */
    bool huge;                  /* a buffer is longer than its mapped window */
    bool alias;                 /* a buffer goes on behind its field, see alias.h */
    bool shared;                /* dst and src stand in one field */
    uint64_t end[FNP_MAX_BUFS]; /* of accessible memory: the field's, or an alias's */
};

/* False when the case cannot be laid out: too long for a field, field not usable. */
bool fnp_layout_make(struct fnp_fields *fields, const struct fnp_contract *contract,
                     const struct fnp_case *c, struct fnp_layout *out);

/* What an address belongs to, in the terms of an outcome; fills region, role, offset. */
void fnp_layout_classify(const struct fnp_layout *layout, struct fnp_fault *fault);

#endif
