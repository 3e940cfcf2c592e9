/* SPDX-License-Identifier: MIT */
#include "trace/unsaved.h"

enum {
    ALL = 0xffff
};

/* Can the block come to a return of the entry's, calls taken as coming back? */
static bool comes_out(const struct fnp_walk *walk, uint32_t block,
                      struct fnp_walk_queue *q)
{
    fnp_walk_queue_clear(q);
    fnp_walk_queue_add(q, block, FNP_WALK_NONE);
    while (q->at < q->count) {
        const struct fnp_walk_block *b = &walk->blocks[q->list[q->at++]];

        if (b->ends == FNP_WALK_RETURNS || b->ends == FNP_WALK_LEAVES)
            return true;
        if (b->ends == FNP_WALK_CALLS)
            fnp_walk_queue_add(q, b->next, FNP_WALK_NONE);
        for (uint32_t i = 0; b->ends == FNP_WALK_GOES && i < b->n_ways; i++)
            fnp_walk_queue_add(q, walk->ways[b->first_way + i], FNP_WALK_NONE);
    }
    return false;
}

/*
 * Registers that were read or written by the end of a block, those at its beginning
 * given.  *out: the first of `kept` that is written there and was neither before.
 */
static uint16_t pass(const struct fnp_walk *walk, const struct fnp_walk_block *b,
                     uint16_t touched, uint16_t kept, struct fnp_unsaved *out)
{
    uint64_t addr = b->start;
    const struct fnp_effect *e;

    for (; addr < b->end && (e = fnp_insns_at(walk->insns, addr)); addr += e->len) {
        uint16_t lost;

        touched |= e->regs_read | e->regs_maybe;
        lost = kept & e->regs_written & (uint16_t)~touched;
        if (lost && out && !out->insn)
            *out = (struct fnp_unsaved){ (unsigned)__builtin_ctz(lost), addr };
        touched |= e->regs_written;
    }
    return b->ends == FNP_WALK_CALLS ? ALL : touched;
}

/* One more way to a block; true: it brings something new. */
static bool join(uint16_t *touched, bool *known, uint32_t to, uint16_t more)
{
    bool is_new = !known[to] || (more & ~touched[to]);

    touched[to] |= more;
    known[to] = true;
    return is_new;
}

/* What was touched on any way to each block. */
static void spread(const struct fnp_walk *walk, uint16_t *touched, bool *known)
{
    bool changed = true;

    known[0] = true;
    while (changed) {
        changed = false;
        for (uint32_t i = 0; i < walk->n_blocks; i++) {
            const struct fnp_walk_block *b = &walk->blocks[i];
            uint16_t after;

            if (!known[i])
                continue;
            after = pass(walk, b, touched[i], 0, NULL);
            if (b->ends == FNP_WALK_CALLS && b->next != FNP_WALK_NONE)
                changed |= join(touched, known, b->next, after);
            for (uint32_t k = 0; b->ends == FNP_WALK_GOES && k < b->n_ways; k++)
                changed |= join(touched, known, walk->ways[b->first_way + k], after);
        }
    }
}

bool fnp_unsaved_find(const struct fnp_walk *walk, uint16_t kept,
                      struct fnp_unsaved *out)
{
    struct fnp_arena *arena = walk->insns->arena;
    uint16_t *touched = fnp_arena_array(arena, walk->n_blocks, sizeof(*touched));
    bool *known = fnp_arena_array(arena, walk->n_blocks, sizeof(*known));
    struct fnp_walk_queue q;

    /* An unknown jump may come from where it was saved. */
    if (walk->n_blocks == 0 || walk->n_unknown)
        return false;
    fnp_walk_queue_make(walk, &q);
    spread(walk, touched, known);
    for (uint32_t i = 0; i < walk->n_blocks; i++) {
        *out = (struct fnp_unsaved){ 0 };
        if (!known[i])
            continue;
        pass(walk, &walk->blocks[i], touched[i], kept, out);
        if (out->insn && comes_out(walk, i, &q))
            return true;
    }
    return false;
}
