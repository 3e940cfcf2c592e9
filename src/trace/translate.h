/* SPDX-License-Identifier: MIT */
/*
 * translate.h - a copy of a kernel's code that records what it does
 *
 * Before each instruction of the copy stands a stub that writes all general registers
 * and the flags to the log; direct branches go to copies, indirect ones look their
 * target up.  The instructions themselves are the kernel's own bytes (a rip-relative
 * displacement is adapted), the return addresses that it finds on its stack are the
 * original ones, and no stub changes a flag or a register, so the kernel cannot tell.
 *
 * It writes code and runs none.  Depends on: cache, emit, subject/image.h, x86/effect.h.
 */
#ifndef FNP_TRACE_TRANSLATE_H
#define FNP_TRACE_TRANSLATE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "subject/image.h"
#include "trace/cache.h"
#include "x86/effect.h"

enum fnp_translation_mode {
    FNP_TRANSLATE_FULL,  /* a record before each instruction */
    FNP_TRANSLATE_COVER, /* a byte for each block that was begun */
    FNP_TRANSLATE_PLAIN, /* nothing: what the copy alone costs */
};

/* Why the copy stops where the kernel would go on. */
enum fnp_stop {
    FNP_STOP_NONE,
    FNP_STOP_MISS,    /* an indirect target without a copy: fnp_translate_more */
    FNP_STOP_REFUSED, /* an instruction that is not recorded; `why` names it */
    FNP_STOP_SYSCALL, /* a system call, which is not made */
    FNP_STOP_FULL,    /* no room for more code */
};

struct fnp_stop_at {
    uint32_t place; /* offset in the code of the breakpoint */
    uint8_t stop;   /* enum fnp_stop */
    uint64_t addr;  /* of the original instruction */
    const char *why;
};

/* A block: instructions up to the next that may go elsewhere, or another block's start. */
struct fnp_block {
    uint64_t start, end; /* original addresses */
    uint32_t place;      /* of its copy: offset in the code */
    uint32_t body;       /* the same behind what says that it was begun */
    uint32_t implies; /* number of the block, + 1, that it always goes on to, and does
                            not mark; 0: none */
    bool is_translated, is_marked_apart;
};

struct fnp_translation;

/*
 * Make a copy of what direct branches reach from the image's entry.  The result and
 * what it points to are owned by the arena; the cache's contents are overwritten.
 */
struct fnp_translation *fnp_translate(struct fnp_arena *arena, struct fnp_cache *cache,
                                      const struct fnp_image *image,
                                      enum fnp_translation_mode mode);

/* Where to call instead of the image's entry. */
uint64_t fnp_translation_entry(const struct fnp_translation *t);

/* The caller's return address: a jump to it leaves the copy. */
void fnp_translation_let_out(struct fnp_translation *t, uint64_t addr);

/*
 * Copy what an indirect branch wanted to reach (cache data `target`), or let it out when
 * that is no code of the image.  False when two targets need one place in the table, or
 * there is no more room: the code cannot be recorded.
 */
bool fnp_translate_more(struct fnp_translation *t);

/* What stopped at this address in the cache; stop NONE: nothing of ours. */
struct fnp_stop_at fnp_translation_stop(const struct fnp_translation *t, uint64_t rip);

/* An instruction of the image, until the next call; NULL: there is none at addr. */
const struct fnp_effect *fnp_translation_effect(struct fnp_translation *t,
                                                uint64_t addr);

/* What of the kernel an address in the copy belongs to. */
struct fnp_origin_of {
    uint64_t addr; /* of the instruction; 0: it is none of the copy */
    bool in_stub;  /* it was about to run: registers are the stub's */
    bool has_left; /* it has done all but going to its target, which faulted */
};
struct fnp_origin_of fnp_translation_origin(const struct fnp_translation *t,
                                            uint64_t rip);

/*
 * Set the bytes of blocks that were begun from others without a mark of their own; `in`
 * is an original address in the block that the run ended in, 0: it returned.
 */
void fnp_translation_complete(const struct fnp_translation *t, uint64_t in);

/* The blocks known so far, in the order they were found. */
const struct fnp_block *fnp_translation_blocks(const struct fnp_translation *t,
                                               size_t *count);

#endif
