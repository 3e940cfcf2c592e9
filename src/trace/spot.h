/* SPDX-License-Identifier: MIT */
/*
 * spot.h - what an address means to people: dst+16, src-8, rsp-24, table+0x10
 *
 * Depends on: base/str.h, run/outcome.h, subject/image.h.
 */
#ifndef FNP_TRACE_SPOT_H
#define FNP_TRACE_SPOT_H

#include "base/str.h"
#include "run/outcome.h"
#include "subject/image.h"

enum fnp_spot_kind {
    FNP_SPOT_IN_BUFFER,
    FNP_SPOT_AT_BUFFER, /* beside one, in its field or the guard of it */
    FNP_SPOT_ON_STACK,
    FNP_SPOT_IN_IMAGE,
    FNP_SPOT_ELSEWHERE
};

struct fnp_spot {
    enum fnp_spot_kind kind;
    unsigned role;  /* of a buffer */
    int64_t offset; /* from its start, or from the stack pointer at entry */
    uint64_t addr;
};

/* Where everything stood in one case. */
struct fnp_spots {
    const struct fnp_outcome *outcome; /* borrowed, as is the image */
    const struct fnp_image *image;
    uint64_t rsp; /* at the kernel's first instruction */
};

/* `written` decides between buffers that overlap: an input, or an output. */
struct fnp_spot fnp_spot_of(const struct fnp_spots *spots, uint64_t addr, bool written);

/* "dst+16"; an address that means nothing is a hexadecimal number. */
void fnp_spot_text(const struct fnp_spots *spots, const struct fnp_spot *spot,
                   struct fnp_str *out);

#endif
