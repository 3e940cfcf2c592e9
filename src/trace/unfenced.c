/* SPDX-License-Identifier: MIT */
#include "trace/unfenced.h"

/* A return that is one of a function's. */
struct home {
    uint32_t ret, function; /* blocks */
};

struct finding {
    const struct fnp_walk *walk;
    struct fnp_walk_queue reach;  /* what the way at hand comes to, dirty */
    struct fnp_walk_queue inside; /* of one function */
    bool *fenced;                 /* by block */
    bool *is_function, *passes;   /* by block it begins with: dirty in, dirty out */
    bool *own;                    /* by block: of the entry, not of what it calls */
    struct home *homes;
    size_t n_homes, room_homes;
    bool only_ran; /* keep to blocks that logs have */
    bool met_fence;
};

static bool has_fence(const struct fnp_walk *walk, uint64_t from, uint64_t end)
{
    const struct fnp_effect *e;

    for (uint64_t addr = from; addr < end; addr += e->len) {
        e = fnp_insns_at(walk->insns, addr);
        if (!e)
            return false;
        if (e->order == FNP_ORDERS_FENCE)
            return true;
    }
    return false;
}

static const struct fnp_walk_block *block(const struct finding *f, uint32_t i)
{
    return &f->walk->blocks[i];
}

static uint32_t way(const struct finding *f, const struct fnp_walk_block *b, uint32_t i)
{
    return f->walk->ways[b->first_way + i];
}

/* Can a function be called and come back without a fence? */
static bool may_pass(const struct finding *f, const struct fnp_walk_block *b)
{
    bool any = b->n_ways == 0;

    for (uint32_t i = 0; i < b->n_ways; i++)
        any |= f->passes[way(f, b, i)];
    return any;
}

/* Blocks of one function, through those with a fence only when `all`. */
static void spread_inside(struct finding *f, uint32_t function, bool all)
{
    struct fnp_walk_queue *q = &f->inside;

    fnp_walk_queue_clear(q);
    fnp_walk_queue_add(q, function, FNP_WALK_NONE);
    while (q->at < q->count) {
        uint32_t at = q->list[q->at++];
        const struct fnp_walk_block *b = block(f, at);

        if (!all && f->fenced[at])
            continue;
        if (b->ends == FNP_WALK_CALLS && (all || may_pass(f, b)))
            fnp_walk_queue_add(q, b->next, at);
        for (uint32_t i = 0; b->ends == FNP_WALK_GOES && i < b->n_ways; i++)
            fnp_walk_queue_add(q, way(f, b, i), at);
    }
}

/* Does what was spread come to a return without a fence? */
static bool returns_inside(const struct finding *f)
{
    for (uint32_t i = 0; i < f->inside.count; i++) {
        uint32_t at = f->inside.list[i];

        if (block(f, at)->ends == FNP_WALK_RETURNS && !f->fenced[at])
            return true;
    }
    return false;
}

/* Which functions there are, and which have a way through without a fence. */
static void find_functions(struct finding *f)
{
    bool changed = true;

    for (uint32_t i = 0; i < f->walk->n_blocks; i++) {
        const struct fnp_walk_block *b = block(f, i);

        f->fenced[i] = has_fence(f->walk, b->start, b->end);
        for (uint32_t k = 0; b->ends == FNP_WALK_CALLS && k < b->n_ways; k++)
            f->is_function[way(f, b, k)] = true;
    }
    while (changed) {
        changed = false;
        for (uint32_t i = 0; i < f->walk->n_blocks; i++) {
            if (!f->is_function[i] || f->passes[i])
                continue;
            spread_inside(f, i, false);
            f->passes[i] = returns_inside(f);
            changed |= f->passes[i];
        }
    }
}

/* The returns of what was spread. */
static void keep_homes(struct finding *f, uint32_t function)
{
    for (uint32_t i = 0; i < f->inside.count; i++) {
        uint32_t at = f->inside.list[i];

        if (block(f, at)->ends != FNP_WALK_RETURNS)
            continue;
        f->homes = fnp_arena_larger(f->walk->insns->arena, f->homes, f->n_homes,
                                    &f->room_homes, sizeof(*f->homes));
        f->homes[f->n_homes++] = (struct home){ at, function };
    }
}

/* To which functions blocks belong. */
static void find_homes(struct finding *f)
{
    spread_inside(f, 0, true);
    for (uint32_t i = 0; i < f->inside.count; i++)
        f->own[f->inside.list[i]] = true;
    for (uint32_t i = 0; i < f->walk->n_blocks; i++) {
        if (!f->is_function[i])
            continue;
        spread_inside(f, i, true);
        keep_homes(f, i);
    }
}

static void reach(struct finding *f, uint32_t to, uint32_t from)
{
    if (to != FNP_WALK_NONE && (!f->only_ran || fnp_walk_ran(f->walk, to)))
        fnp_walk_queue_add(&f->reach, to, from);
}

/* Behind every call of a function that has the return in block `at`. */
static void go_back(struct finding *f, uint32_t at)
{
    for (size_t h = 0; h < f->n_homes; h++) {
        if (f->homes[h].ret != at)
            continue;
        for (uint32_t i = 0; i < f->walk->n_blocks; i++) {
            const struct fnp_walk_block *b = block(f, i);

            for (uint32_t k = 0; b->ends == FNP_WALK_CALLS && k < b->n_ways; k++) {
                if (way(f, b, k) == f->homes[h].function)
                    reach(f, b->next, at);
            }
        }
    }
}

/* Go on from the end of a block that is dirty there; true: that is a way out. */
static bool go_on(struct finding *f, uint32_t at)
{
    const struct fnp_walk_block *b = block(f, at);

    switch (b->ends) {
    case FNP_WALK_GOES:
        for (uint32_t i = 0; i < b->n_ways; i++)
            reach(f, way(f, b, i), at);
        return b->leaves_too;
    case FNP_WALK_CALLS:
        if (b->n_ways == 0) {
            f->met_fence = true; /* who knows */
            return true;
        }
        if (may_pass(f, b))
            reach(f, b->next, at);
        else
            f->met_fence = true;
        return false;
    case FNP_WALK_RETURNS:
        go_back(f, at);
        return f->own[at];
    case FNP_WALK_UNKNOWN:
        f->met_fence = true;
        return false;
    default:
        return b->ends == FNP_WALK_LEAVES;
    }
}

/* A way out from the end of a block that is dirty there: the block that it leaves by. */
static uint32_t find_out(struct finding *f, uint32_t first)
{
    struct fnp_walk_queue *q = &f->reach;
    uint32_t out = FNP_WALK_NONE;

    fnp_walk_queue_clear(q);
    f->met_fence = false;
    reach(f, first, FNP_WALK_NONE);
    while (q->at < q->count) {
        uint32_t at = q->list[q->at++];

        if (at != first && f->fenced[at])
            f->met_fence = true;
        else if (go_on(f, at) && out == FNP_WALK_NONE)
            out = at;
    }
    return out;
}

/* The first block on the way to `at` that no log has. */
static uint64_t unreached(const struct finding *f, uint32_t at)
{
    uint64_t found = 0;

    for (; at != FNP_WALK_NONE; at = f->reach.from[at]) {
        if (!fnp_walk_ran(f->walk, at))
            found = block(f, at)->start;
    }
    return found;
}

static bool on_stack(const struct fnp_effect *e)
{
    return e->n_touches > 0 && e->touch[0].base == FNP_RSP;
}

/* One weak store, in block `at`. */
static void judge(struct finding *f, uint32_t at, uint64_t site,
                  const struct fnp_effect *e, struct fnp_unfenced *out)
{
    struct fnp_unfenced here = *out;
    uint32_t leaves = FNP_WALK_NONE;

    out->n_sites++;
    if (has_fence(f->walk, site + e->len, block(f, at)->end))
        return;
    here.on_stack = on_stack(e);
    f->only_ran = true;
    leaves = find_out(f, at);
    if (leaves == FNP_WALK_NONE) {
        f->only_ran = false;
        leaves = find_out(f, at);
    }
    if (leaves == FNP_WALK_NONE)
        return;
    here.site = site;
    here.out = block(f, leaves)->last;
    here.calls = block(f, leaves)->ends == FNP_WALK_CALLS;
    here.unreached = unreached(f, leaves);
    here.never = !f->only_ran && !f->met_fence;
    here.n_sites = out->n_sites;
    here.n_dirty = out->n_dirty + 1;
    /* What comes first, unless it is likely to be no way at all. */
    if (out->n_dirty == 0 || (here.unreached && !out->unreached))
        *out = here;
    out->n_dirty = here.n_dirty;
}

void fnp_unfenced_find(const struct fnp_walk *walk, struct fnp_unfenced *out)
{
    struct fnp_arena *arena = walk->insns->arena;
    struct finding f = {
        .walk = walk,
        .fenced = fnp_arena_array(arena, walk->n_blocks, sizeof(bool)),
        .is_function = fnp_arena_array(arena, walk->n_blocks, sizeof(bool)),
        .passes = fnp_arena_array(arena, walk->n_blocks, sizeof(bool)),
        .own = fnp_arena_array(arena, walk->n_blocks, sizeof(bool)),
    };

    *out = (struct fnp_unfenced){ 0 };
    fnp_walk_queue_make(walk, &f.reach);
    fnp_walk_queue_make(walk, &f.inside);
    find_functions(&f);
    find_homes(&f);
    for (uint32_t i = 0; i < walk->n_blocks; i++) {
        const struct fnp_walk_block *b = block(&f, i);
        struct fnp_effect e;

        for (uint64_t addr = b->start; addr < b->end; addr += e.len) {
            const struct fnp_effect *at = fnp_insns_at(walk->insns, addr);

            if (!at)
                break;
            e = *at;
            if (e.order == FNP_ORDERS_WEAK)
                judge(&f, i, addr, &e, out);
        }
    }
}
