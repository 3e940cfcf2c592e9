/* SPDX-License-Identifier: MIT */
/*
 * stub.h - what stands in the copy for one instruction
 *
 * Internal to translate.c and stub.c, which share the translation.
 *
 * Depends on: translate, emit, insns.
 */
#ifndef FNP_TRACE_STUB_H
#define FNP_TRACE_STUB_H

#include "trace/emit.h"
#include "trace/insns.h"
#include "trace/translate.h"

/* A branch that waits for its target's copy. */
struct fnp_fixup {
    unsigned char *behind;
    uint64_t target;
    bool to_body; /* not to its mark */
};

/* The copy of an instruction, from its stub to the next one. */
struct fnp_copy {
    uint32_t stub, body; /* offsets in the code */
    uint32_t leave;      /* of the jump through a target of its own; 0: none */
    uint64_t addr;       /* of the original */
};

struct fnp_translation {
    struct fnp_arena *arena;
    struct fnp_cache *cache;
    const struct fnp_image *image;
    struct fnp_insns insns;
    enum fnp_translation_mode mode;
    struct fnp_emit e;
    struct fnp_block *blocks;
    size_t n_blocks, room_blocks;
    uint32_t *by_start; /* hash of block starts: index + 1 */
    size_t room_starts; /* a power of two */
    struct fnp_fixup *fixups;
    size_t n_fixups, room_fixups;
    struct fnp_stop_at *stops;
    size_t n_stops, room_stops;
    struct fnp_copy *copies; /* by place */
    size_t n_copies, room_copies;
    const struct fnp_block *block; /* the one being written */
    size_t n_pool;
    bool pool_full, table_clash;
    unsigned char *miss; /* where a look-up without a hit ends */
    uint64_t span;       /* what addresses in the log count from */
};

/* One more item at the end of an arena array. */
#define FNP_APPEND(t, list, n, room)                                                   \
    (list = fnp_stub_larger((t)->arena, list, n, &(room), sizeof(*(list))),            \
     &(list)[(n)++])
void *fnp_stub_larger(struct fnp_arena *arena, void *list, size_t count, size_t *room,
                      size_t size);

/* The offset in the code of what is written next. */
uint32_t fnp_stub_here(const struct fnp_translation *t);

/* An address that code can push or jump through. */
const void *fnp_stub_pooled(struct fnp_translation *t, uint64_t addr);

/* A breakpoint. */
void fnp_stub_stop(struct fnp_translation *t, enum fnp_stop stop, uint64_t addr,
                   const char *why);

/* Record what was there before the instruction at addr. */
void fnp_stub_before(struct fnp_translation *t, const struct fnp_effect *e,
                     uint64_t addr);

/*
 * The instruction itself.  What comes next in the copy is what comes next: a direct jump
 * or call is left to fnp_stub_jump.
 */
void fnp_stub_insn(struct fnp_translation *t, const struct fnp_effect *e,
                   uint64_t addr);

/* Jump to the copy of `target`, once it is there. */
void fnp_stub_jump(struct fnp_translation *t, uint64_t target);

#endif
