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

/* An indirect jump or call at `from` went to `to`; 0: out of the image. */
struct fnp_went {
    uint64_t from, to;
};

enum {
    FNP_INSNS_WENT = 512 /* more are forgotten */
};

/* Zero and an image are a valid start; owned by the arena. */
struct fnp_insns {
    struct fnp_arena *arena;       /* borrowed */
    const struct fnp_image *image; /* borrowed */
    struct fnp_insn_slot *slots;
    size_t count, room; /* room is a power of two */
    /* What logs showed (access.h) that decoding does not. */
    struct fnp_went *went;
    size_t n_went;
    bool went_full;
};

/*
 * The instruction at addr, valid until the next call; NULL: it lies outside of the
 * image's code, or does not decode.
 */
const struct fnp_effect *fnp_insns_at(struct fnp_insns *insns, uint64_t addr);

/* What is kept about it besides, valid until the next call; NULL as above. */
struct fnp_insn_mark {
    bool ran;       /* a log has it */
    bool bounded;   /* an indirect jump: all places are known where it may go */
    uint32_t block; /* index + 1 of the block that begins there (walk.h); 0: none */
};
struct fnp_insn_mark *fnp_insns_mark(struct fnp_insns *insns, uint64_t addr);

/* Like fnp_insns_at, of a step that a log has. */
const struct fnp_effect *fnp_insns_step(struct fnp_insns *insns, uint64_t addr);

/* Keep where an indirect jump or call went. */
void fnp_insns_go(struct fnp_insns *insns, uint64_t from, uint64_t to);

/* The code around addr, for whoever wants its text; len 0: there is none. */
struct fnp_code fnp_insns_code(const struct fnp_image *image, uint64_t addr);

#endif
