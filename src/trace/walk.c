/* SPDX-License-Identifier: MIT */
#include "trace/walk.h"

struct making {
    struct fnp_walk *walk;
    struct fnp_insns *insns;
    size_t room, room_ways;
    uint32_t n_ways;
};

/* The block that begins there, made when it is new; NONE: that is no code. */
static uint32_t begin(struct making *m, uint64_t start)
{
    struct fnp_walk *walk = m->walk;
    struct fnp_insn_mark *mark = fnp_insns_mark(m->insns, start);

    if (!mark)
        return FNP_WALK_NONE;
    if (!mark->block) {
        walk->blocks = fnp_arena_larger(m->insns->arena, walk->blocks, walk->n_blocks,
                                        &m->room, sizeof(*walk->blocks));
        walk->blocks[walk->n_blocks++] = (struct fnp_walk_block){ .start = start };
        mark->block = walk->n_blocks;
    }
    return mark->block - 1;
}

static void add_way(struct making *m, uint32_t to)
{
    if (to == FNP_WALK_NONE)
        return;
    m->walk->ways = fnp_arena_larger(m->insns->arena, m->walk->ways, m->n_ways,
                                     &m->room_ways, sizeof(*m->walk->ways));
    m->walk->ways[m->n_ways++] = to;
}

/* The last instruction of what begins at addr; false: there is no more code. */
static bool last_of(struct making *m, uint64_t *addr, struct fnp_effect *out)
{
    const struct fnp_effect *e;

    while ((e = fnp_insns_at(m->insns, *addr))) {
        *out = *e;
        if (e->flow != FNP_FLOW_NEXT && e->flow != FNP_FLOW_SYSCALL)
            return true;
        *addr += e->len;
    }
    return false;
}

/* Where logs saw an indirect branch go. */
static void add_seen(struct making *m, uint64_t from, struct fnp_walk_block *b)
{
    const struct fnp_insns *insns = m->insns;

    for (size_t i = 0; i < insns->n_went; i++) {
        uint32_t to;

        if (insns->went[i].from != from)
            continue;
        to = begin(m, insns->went[i].to);
        b->leaves_too |= to == FNP_WALK_NONE && b->ends == FNP_WALK_GOES;
        add_way(m, to);
    }
    if (fnp_insns_mark(m->insns, from)->bounded && !insns->went_full)
        return;
    m->walk->unknown = m->walk->n_unknown++ ? m->walk->unknown : from;
}

/* Where control goes from the last instruction e of a block. */
static void go_on(struct making *m, const struct fnp_effect *e,
                  struct fnp_walk_block *b)
{
    uint32_t first = m->n_ways;

    b->next = FNP_WALK_NONE;
    switch (e->flow) {
    case FNP_FLOW_BRANCH:
        add_way(m, begin(m, b->end));
        add_way(m, begin(m, e->target));
        b->ends = FNP_WALK_GOES;
        break;
    case FNP_FLOW_JUMP:
    case FNP_FLOW_CALL:
        b->ends = e->flow == FNP_FLOW_CALL ? FNP_WALK_CALLS : FNP_WALK_GOES;
        if (e->is_direct)
            add_way(m, begin(m, e->target));
        else
            add_seen(m, b->last, b);
        if (m->n_ways == first && e->is_direct)
            b->ends = FNP_WALK_DIES;
        else if (b->ends == FNP_WALK_CALLS)
            b->next = begin(m, b->end);
        else if (m->n_ways == first)
            b->ends = b->leaves_too ? FNP_WALK_LEAVES : FNP_WALK_UNKNOWN;
        break;
    case FNP_FLOW_RET:
        b->ends = FNP_WALK_RETURNS;
        break;
    case FNP_FLOW_TRAP:
        b->ends = FNP_WALK_DIES;
        break;
    default:
        b->ends = FNP_WALK_UNKNOWN;
    }
    b->first_way = first;
    b->n_ways = m->n_ways - first;
}

/* Follow a block to its last instruction; what it leads to is begun. */
static void follow(struct making *m, uint32_t i)
{
    struct fnp_walk_block b = m->walk->blocks[i];
    struct fnp_effect e = { 0 };

    b.last = b.start;
    if (last_of(m, &b.last, &e)) {
        b.end = b.last + e.len;
        go_on(m, &e, &b);
    } else {
        b.end = b.last;
        b.ends = FNP_WALK_UNKNOWN;
    }
    m->walk->blocks[i] = b;
}

/* A block that runs into another ends there. */
static void split(struct making *m, uint32_t i)
{
    struct fnp_walk_block *b = &m->walk->blocks[i];
    uint64_t before = b->start, addr = b->start;
    const struct fnp_effect *e;

    while (addr < b->end && (e = fnp_insns_at(m->insns, addr))) {
        const struct fnp_insn_mark *mark = fnp_insns_mark(m->insns, addr);

        if (addr != b->start && mark->block) {
            b->end = addr;
            b->last = before;
            b->ends = FNP_WALK_GOES;
            b->leaves_too = false;
            b->next = FNP_WALK_NONE;
            b->first_way = m->n_ways;
            add_way(m, mark->block - 1);
            b->n_ways = 1;
            return;
        }
        before = addr;
        addr += e->len;
    }
}

void fnp_walk_make(struct fnp_insns *insns, struct fnp_walk *out)
{
    struct making m = { .walk = out, .insns = insns };

    *out = (struct fnp_walk){ .insns = insns };
    begin(&m, insns->image->entry);
    for (uint32_t i = 0; i < out->n_blocks; i++)
        follow(&m, i);
    for (uint32_t i = 0; i < out->n_blocks; i++)
        split(&m, i);
    for (uint32_t i = 0; i < out->n_blocks; i++)
        fnp_insns_mark(insns, out->blocks[i].start)->block = 0;
}

bool fnp_walk_ran(const struct fnp_walk *walk, uint32_t block)
{
    return fnp_insns_mark(walk->insns, walk->blocks[block].start)->ran;
}

void fnp_walk_queue_make(const struct fnp_walk *walk, struct fnp_walk_queue *out)
{
    struct fnp_arena *arena = walk->insns->arena;

    *out = (struct fnp_walk_queue){
        .list = fnp_arena_array(arena, walk->n_blocks, sizeof(*out->list)),
        .from = fnp_arena_array(arena, walk->n_blocks, sizeof(*out->from)),
        .has = fnp_arena_array(arena, walk->n_blocks, sizeof(*out->has)),
    };
}

void fnp_walk_queue_clear(struct fnp_walk_queue *q)
{
    for (uint32_t i = 0; i < q->count; i++)
        q->has[q->list[i]] = false;
    q->count = q->at = 0;
}

void fnp_walk_queue_add(struct fnp_walk_queue *q, uint32_t block, uint32_t from)
{
    if (block == FNP_WALK_NONE || q->has[block])
        return;
    q->has[block] = true;
    q->from[block] = from;
    q->list[q->count++] = block;
}
