/* SPDX-License-Identifier: MIT */
/*
 * field.h - the memory a kernel may see: one field per buffer role between
 * no-access pages at fixed addresses, each mapped a second time for the harness
 *
 * Invariant between cases: every field holds its pristine pattern.  Destination
 * fields have the top bit of every byte set, source fields have it clear, so that a
 * byte copied from one surrounding onto another always shows.
 *
 * Protections change once per kernel, never per case.
 *
 * Depends on: contract (roles), case (field kinds).
 */
#ifndef FNP_RUN_FIELD_H
#define FNP_RUN_FIELD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "subject/case.h"
#include "subject/contract.h"

#define FNP_FIELD_LEN   ((size_t)1 << 20) /* bytes of an ordinary field */
#define FNP_LARGE_LEN   ((size_t)8 << 20) /* bytes of a large one */
#define FNP_REDZONE_LEN 256u          /* bytes compared on each side after every case */
#define FNP_GUARD_LEN   (64ull << 20) /* no-access bytes before a high field */
#define FNP_LOW_GUARD   (4ull << 20)  /* both sides of a field below 4 GiB */
#define FNP_WINDOW_LEN  ((size_t)16 << 10) /* mapped bytes of a huge buffer */

struct fnp_field_place {
    unsigned char *kernel;          /* the kernel's view, fixed address */
    unsigned char *harness;         /* the same bytes, always writable */
    unsigned char *pristine;        /* the pattern, only read once the field is ready */
    size_t len;                     /* bytes */
    uint64_t guard_low, guard_high; /* no-access bytes on each side */
    bool usable;                    /* the address range could be had */
    bool ready;                     /* filled with the pattern */
};

/* Kinds of fields: enum fnp_field, and those for buffers that need more room. */
enum {
    FNP_FIELD_LARGE = FNP_N_FIELDS,
    FNP_FIELD_LARGE_LOW,
    FNP_FIELD_KINDS
};

struct fnp_fields {
    struct fnp_field_place place[FNP_FIELD_KINDS][FNP_MAX_BUFS]; /* [kind][role] */
};

/*
 * Make the patterns, once, before any fork: workers share them.
 */
enum fnp_status fnp_fields_patterns(struct fnp_err *err);

/* Map all fields.  One that cannot be had is only marked, unless it is a high one. */
enum fnp_status fnp_fields_map(struct fnp_fields *fields, struct fnp_err *err);

/* Fill a field with its pattern before its first use; cheap afterwards. */
void fnp_field_ready(struct fnp_field_place *place, enum fnp_role role);

/* Make each role's kernel view read-only or writable as the contract says, and close
 * what code of its width never sees. */
void fnp_fields_protect(const struct fnp_fields *fields, const struct fnp_contract *c);

#endif
