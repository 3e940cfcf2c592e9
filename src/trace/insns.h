/* SPDX-License-Identifier: MIT */
/*
 * insns.h - the instructions of an image, each decoded once
 *
 * Depends on: base/arena.h, subject/image.h, x86/effect.h.
 */
#ifndef FNP_TRACE_INSNS_H
#define FNP_TRACE_INSNS_H

#include "base/arena.h"
#include "subject/image.h"
#include "x86/effect.h"

/* Zero and an image are a valid start; owned by the arena. */
struct fnp_insns {
    struct fnp_arena *arena;       /* borrowed */
    const struct fnp_image *image; /* borrowed */
    struct fnp_insn_slot *slots;
    size_t count, room; /* room is a power of two */
};

/*
 * The instruction at addr, valid until the next call; NULL: it lies outside of the
 * image's code, or does not decode.
 */
const struct fnp_effect *fnp_insns_at(struct fnp_insns *insns, uint64_t addr);

/* The code around addr, for whoever wants its text; len 0: there is none. */
struct fnp_code fnp_insns_code(const struct fnp_image *image, uint64_t addr);

#endif
