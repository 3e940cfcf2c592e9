/* SPDX-License-Identifier: MIT */
/*
 * walk.h - the blocks of an image's code and the ways between them, run or not
 *
 * Recursive descent from the entry over direct branches, calls and tail jumps, and to
 * those targets of indirect ones that logs and the jump tables in them have shown
 * (insns.h).  What else may be behind an indirect jump is unknown, and counted.
 *
 * Depends on: insns.
 */
#ifndef FNP_TRACE_WALK_H
#define FNP_TRACE_WALK_H

#include "trace/insns.h"

#define FNP_WALK_NONE UINT32_MAX /* in place of a block's index */

/* What the last instruction of a block does. */
enum fnp_walk_end {
    FNP_WALK_GOES,    /* on, to the blocks at `ways` */
    FNP_WALK_CALLS,   /* the functions at `ways`; then it goes on with `next` */
    FNP_WALK_RETURNS, /* to the caller of the function */
    FNP_WALK_LEAVES,  /* the image: a return by a jump */
    FNP_WALK_DIES,    /* traps, or calls what nobody defines */
    FNP_WALK_UNKNOWN, /* no further: what comes is not code, or not known */
};

struct fnp_walk_block {
    uint64_t start, last, end; /* first and last instruction, and what is behind */
    uint8_t ends;              /* enum fnp_walk_end */
    bool leaves_too;           /* GOES: one of the ways is out of the image */
    uint32_t first_way, n_ways;
    uint32_t next; /* CALLS: FNP_WALK_NONE when they never return */
};

struct fnp_walk {
    struct fnp_insns *insns;
    struct fnp_walk_block *blocks; /* 0 begins at the image's entry */
    uint32_t n_blocks;
    uint32_t *ways;     /* indices of blocks */
    uint64_t unknown;   /* an indirect branch that may go where no log went; 0: none */
    uint32_t n_unknown; /* how many there are */
};

/*
 * Everything is owned by insns->arena.  One walk at a time for the same insns.  No blocks:
 * there is no code at the entry.
 */
void fnp_walk_make(struct fnp_insns *insns, struct fnp_walk *out);

/* Has a log been through the block's first instruction? */
bool fnp_walk_ran(const struct fnp_walk *walk, uint32_t block);

/* A set of blocks: a queue in which each is once. */
struct fnp_walk_queue {
    uint32_t *list; /* in the order they came */
    uint32_t *from; /* by block: who brought it; valid for those in the queue */
    bool *has;      /* by block */
    uint32_t count, at;
};
void fnp_walk_queue_make(const struct fnp_walk *walk, struct fnp_walk_queue *out);
void fnp_walk_queue_clear(struct fnp_walk_queue *q);
void fnp_walk_queue_add(struct fnp_walk_queue *q, uint32_t block, uint32_t from);

#endif
