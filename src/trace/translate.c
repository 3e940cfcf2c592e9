/* SPDX-License-Identifier: MIT */
#include "trace/translate.h"

#include <stdlib.h>
#include <string.h>

#include "trace/stub.h"

enum {
    BREAKPOINT = 0xcc,
    LOOP_TEST = 8, /* instructions of a loop's test that are worth a copy */
};

/* ---- blocks */

static uint32_t *start_slot(uint32_t *by_start, size_t room,
                            const struct fnp_block *blocks, uint64_t start)
{
    size_t i = (size_t)(start * 0x9e3779b97f4a7c15u >> 32) & (room - 1);

    while (by_start[i] && blocks[by_start[i] - 1].start != start)
        i = (i + 1) & (room - 1);
    return &by_start[i];
}

static void grow_starts(struct fnp_translation *t)
{
    size_t room = t->room_starts ? 2 * t->room_starts : 256;

    t->by_start = fnp_arena_array(t->arena, room, sizeof(*t->by_start));
    t->room_starts = room;
    for (size_t i = 0; i < t->n_blocks; i++)
        *start_slot(t->by_start, room, t->blocks, t->blocks[i].start) = (uint32_t)i + 1;
}

static struct fnp_block *block_at(const struct fnp_translation *t, uint64_t start)
{
    uint32_t i = *start_slot(t->by_start, t->room_starts, t->blocks, start);

    return i ? &t->blocks[i - 1] : NULL;
}

/* What the loader put in place of something it cannot give stays where it is. */
static bool is_trap(const struct fnp_translation *t, uint64_t addr)
{
    const struct fnp_symbol *symbol = fnp_image_symbol(t->image, addr);

    return symbol && symbol->is_trap && symbol->addr == addr;
}

/* A block begins there, if that is code; true when it is new. */
static bool begin_block(struct fnp_translation *t, uint64_t start)
{
    if (block_at(t, start) || !fnp_insns_at(&t->insns, start) || is_trap(t, start))
        return false;
    if (2 * t->n_blocks >= t->room_starts)
        grow_starts(t);
    struct fnp_block *b = FNP_APPEND(t, t->blocks, t->n_blocks, t->room_blocks);

    *b = (struct fnp_block){ .start = start };
    *start_slot(t->by_start, t->room_starts, t->blocks, start) = (uint32_t)t->n_blocks;
    return true;
}

/* Follow one path to its end; the blocks it leads to are appended. */
static void walk(struct fnp_translation *t, uint64_t addr)
{
    const struct fnp_effect *e;

    while ((e = fnp_insns_at(&t->insns, addr)) && e->flow == FNP_FLOW_NEXT &&
           !e->refused)
        addr += e->len;
    if (!e || e->refused)
        return;
    const struct fnp_effect last = *e;

    if (last.is_direct)
        begin_block(t, last.target);
    if (last.flow == FNP_FLOW_BRANCH || last.flow == FNP_FLOW_CALL)
        begin_block(t, addr + last.len);
}

static void discover(struct fnp_translation *t, uint64_t entry)
{
    size_t i = t->n_blocks;

    if (!begin_block(t, entry))
        return;
    for (; i < t->n_blocks; i++)
        walk(t, t->blocks[i].start);
}

static struct fnp_copy *begin_copy(struct fnp_translation *t, uint64_t addr)
{
    struct fnp_copy *c = FNP_APPEND(t, t->copies, t->n_copies, t->room_copies);

    *c = (struct fnp_copy){ .stub = fnp_stub_here(t),
                            .body = fnp_stub_here(t),
                            .addr = addr };
    return c;
}

/* Where control goes from the end of a block without a branch; 0: nowhere. */
static uint64_t follower(const struct fnp_effect *last, uint64_t next)
{
    if (last->refused)
        return 0;
    switch (last->flow) {
    case FNP_FLOW_NEXT:
    case FNP_FLOW_BRANCH:
        return next;
    case FNP_FLOW_JUMP:
    case FNP_FLOW_CALL:
        return last->is_direct ? last->target : 0;
    default:
        return 0;
    }
}

/* The number of a block whose mark can be left to another one's; 0: none. */
static uint32_t implied_by(const struct fnp_translation *t, const struct fnp_block *b,
                           const struct fnp_effect *last, uint64_t next)
{
    const struct fnp_block *to = next ? block_at(t, next) : NULL;
    bool always = last->flow == FNP_FLOW_NEXT || last->flow == FNP_FLOW_JUMP;

    if (t->mode != FNP_TRANSLATE_COVER || !always || !to || to == b ||
        to - t->blocks >= FNP_CACHE_COVER || b - t->blocks >= FNP_CACHE_COVER)
        return 0;
    return (uint32_t)(to - t->blocks) + 1;
}

static void emit_mark(struct fnp_translation *t, const struct fnp_block *b)
{
    if (t->mode == FNP_TRANSLATE_COVER && b - t->blocks < FNP_CACHE_COVER)
        fnp_emit_set_byte(&t->e, &t->cache->data->cover[b - t->blocks]);
}

/*
 * Write instructions from addr to the end of a block; *last is the last one, not valid
 * when there is no code.  The address that they go on to without a branch, 0: none.
 */
static uint64_t emit_insns(struct fnp_translation *t, uint64_t *addr,
                           struct fnp_effect *last)
{
    const struct fnp_effect *e;
    uint64_t next;

    do {
        e = fnp_insns_at(&t->insns, *addr);
        if (!e)
            return *addr;
        struct fnp_copy *c = begin_copy(t, *addr);

        fnp_stub_before(t, e, *addr);
        c->body = fnp_stub_here(t);
        fnp_stub_insn(t, e, *addr);
        *addr += e->len;
        *last = *e;
        next = follower(e, *addr);
    } while (e->flow == FNP_FLOW_NEXT && !e->refused && !block_at(t, *addr));
    return next;
}

/* Does a block at addr, if it is short, end with a branch to `target`? */
static bool branches_to(struct fnp_translation *t, uint64_t addr, uint64_t target)
{
    const struct fnp_effect *e = fnp_insns_at(&t->insns, addr);

    for (unsigned i = 0; i < LOOP_TEST && e && e->flow == FNP_FLOW_NEXT && !e->refused;
         i++) {
        addr += e->len;
        e = block_at(t, addr) ? NULL : fnp_insns_at(&t->insns, addr);
    }
    return e && e->flow == FNP_FLOW_BRANCH && !e->refused && e->target == target;
}

/* Write a block without its mark; the address that its end goes on to, 0: none. */
static uint64_t emit_block(struct fnp_translation *t, struct fnp_block *b)
{
    struct fnp_effect last = { .flow = FNP_FLOW_TRAP };
    uint64_t addr = b->start, next;

    b->body = fnp_stub_here(t);
    b->is_translated = true;
    t->block = b;
    next = emit_insns(t, &addr, &last);
    b->end = addr;
    b->implies = implied_by(t, b, &last, next);
    /* A loop whose test comes last gets one of its own, and passes no mark again. */
    if (b->implies && branches_to(t, next, b->start)) {
        addr = next;
        next = emit_insns(t, &addr, &last);
    }
    /* A trap is told with the address behind it. */
    if (next == 0) {
        begin_copy(t, addr);
        fnp_emit_u8(&t->e, BREAKPOINT);
    }
    return next;
}

static int by_address(const void *a, const void *b)
{
    const struct fnp_block *x = *(struct fnp_block *const *)a;
    const struct fnp_block *y = *(struct fnp_block *const *)b;

    return (x->start > y->start) - (x->start < y->start);
}

/* Write what is not yet there, in the order of the original: falling through is free. */
static void emit_blocks(struct fnp_translation *t)
{
    struct fnp_block **todo = fnp_arena_array(t->arena, t->n_blocks, sizeof(*todo));
    uint64_t next = 0;
    size_t n = 0;

    for (size_t i = 0; i < t->n_blocks; i++) {
        if (!t->blocks[i].is_translated)
            todo[n++] = &t->blocks[i];
    }
    qsort(todo, n, sizeof(*todo), by_address);
    for (size_t i = 0; i < n; i++) {
        struct fnp_block *b = todo[i];

        /* Falling in from the block before passes no mark. */
        b->place = fnp_stub_here(t);
        b->is_marked_apart =
            next == b->start && todo[i - 1]->implies == (uint32_t)(b - t->blocks) + 1;
        if (!b->is_marked_apart)
            emit_mark(t, b);
        next = emit_block(t, b);

        if (next && (i + 1 == n || todo[i + 1]->start != next))
            fnp_stub_jump(t, next);
    }
    for (size_t i = 0; i < n; i++) {
        if (!todo[i]->is_marked_apart)
            continue;
        todo[i]->place = fnp_stub_here(t);
        emit_mark(t, todo[i]);
        fnp_emit_jump(&t->e, t->cache->code + todo[i]->body);
    }
}

/* ---- the table of indirect targets */

/* Minus an address that does not belong into slot i. */
static uint64_t empty_key(size_t i)
{
    return i == FNP_CACHE_TABLE - 1 ? 2 : 1;
}

/* An indirect jump to addr goes to place; false when another address has the slot. */
static bool enter(struct fnp_translation *t, uint64_t addr, uint64_t place)
{
    struct fnp_cache_table *table = t->cache->table;
    size_t i = addr & (FNP_CACHE_TABLE - 1);

    if (table->key[i] != empty_key(i) && table->key[i] != 0 - addr)
        return false;
    table->key[i] = 0 - addr;
    table->place[i] = place;
    return true;
}

static uint64_t place_of(const struct fnp_translation *t, const struct fnp_block *b)
{
    return (uint64_t)(uintptr_t)t->cache->code + b->place;
}

/* The way out to an address that has no copy: whatever is there happens there. */
static const unsigned char *emit_way_out(struct fnp_translation *t, uint64_t addr)
{
    const unsigned char *here = t->e.at;

    fnp_emit_jump_through(&t->e, fnp_stub_pooled(t, addr));
    return here;
}

static void emit_missing(struct fnp_translation *t)
{
    emit_blocks(t);
    for (size_t i = 0; i < t->n_fixups; i++) {
        const struct fnp_fixup f = t->fixups[i];
        const struct fnp_block *b = block_at(t, f.target);

        if (!t->e.full)
            fnp_emit_aim(f.behind, !b          ? emit_way_out(t, f.target)
                                   : f.to_body ? t->cache->code + b->body
                                               : t->cache->code + b->place);
    }
    t->n_fixups = 0;
    /* Where calls return to is known; one that finds its slot taken is met later. */
    for (size_t i = 0; i < t->n_pool; i++) {
        const struct fnp_block *b = block_at(t, t->cache->table->pool[i]);

        if (b)
            enter(t, b->start, place_of(t, b));
    }
}

static void clear_table(struct fnp_cache_table *table)
{
    for (size_t i = 0; i < FNP_CACHE_TABLE; i++)
        table->key[i] = empty_key(i);
    table->caller = 0;
}

struct fnp_translation *fnp_translate(struct fnp_arena *arena, struct fnp_cache *cache,
                                      const struct fnp_image *image,
                                      enum fnp_translation_mode mode)
{
    struct fnp_translation *t = fnp_arena_alloc(arena, sizeof(*t));

    *t = (struct fnp_translation){
        .arena = arena,
        .cache = cache,
        .image = image,
        .insns = { .arena = arena, .image = image },
        .mode = mode,
        .e = { .at = cache->code,
                  .end = cache->code + FNP_CACHE_CODE,
                  .is32 = image->is32 },
        .span = image->entry & ~(uint64_t)(FNP_IMAGE_SPAN - 1),
    };
    grow_starts(t);
    clear_table(cache->table);
    memset(cache->data->cover, 0, sizeof(cache->data->cover));
    t->miss = t->e.at;
    fnp_stub_stop(t, FNP_STOP_MISS, 0, NULL);
    discover(t, image->entry);
    emit_missing(t);
    return t;
}

uint64_t fnp_translation_entry(const struct fnp_translation *t)
{
    const struct fnp_block *b = block_at(t, t->image->entry);

    return b ? place_of(t, b) : t->image->entry;
}

void fnp_translation_let_out(struct fnp_translation *t, uint64_t addr)
{
    t->cache->table->caller = 0 - addr;
    enter(t, addr, addr);
}

bool fnp_translate_more(struct fnp_translation *t)
{
    uint64_t target = t->cache->data->target;

    if (t->e.is32)
        target &= UINT32_MAX;
    discover(t, target);
    emit_missing(t);
    const struct fnp_block *b = block_at(t, target);

    return enter(t, target, b ? place_of(t, b) : target) && !t->e.full && !t->pool_full;
}

struct fnp_stop_at fnp_translation_stop(const struct fnp_translation *t, uint64_t rip)
{
    /* A breakpoint is reported with the address behind it. */
    uint64_t place = rip - 1 - (uint64_t)(uintptr_t)t->cache->code;

    for (size_t i = 0; i < t->n_stops; i++) {
        if (t->stops[i].place == place)
            return t->stops[i];
    }
    return (struct fnp_stop_at){ .stop = FNP_STOP_NONE };
}

void fnp_translation_complete(const struct fnp_translation *t, uint64_t in)
{
    uint8_t *cover = t->cache->data->cover;

    for (size_t i = 0; i < t->n_blocks && i < FNP_CACHE_COVER; i++) {
        const struct fnp_block *b = &t->blocks[i];

        /* One that was set goes on to its own successor when its turn comes, or came. */
        while (cover[b - t->blocks] && b->implies && !cover[b->implies - 1] &&
               !(in >= b->start && in < b->end)) {
            cover[b->implies - 1] = 1;
            b = &t->blocks[b->implies - 1];
        }
    }
}

const struct fnp_effect *fnp_translation_effect(struct fnp_translation *t,
                                                uint64_t addr)
{
    return fnp_insns_at(&t->insns, addr);
}

struct fnp_origin_of fnp_translation_origin(const struct fnp_translation *t,
                                            uint64_t rip)
{
    uint64_t place = rip - (uint64_t)(uintptr_t)t->cache->code;
    size_t lo = 0, hi = t->n_copies;

    if (place >= fnp_stub_here(t))
        return (struct fnp_origin_of){ 0 };
    /* copies[0, lo) do not begin behind it. */
    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;

        if (t->copies[mid].stub <= place)
            lo = mid + 1;
        else
            hi = mid;
    }
    if (lo == 0)
        return (struct fnp_origin_of){ 0 };
    const struct fnp_copy *c = &t->copies[lo - 1];

    return (struct fnp_origin_of){ .addr = c->addr,
                                   .in_stub = place < c->body && place != c->stub,
                                   .has_left = c->leave && place >= c->leave };
}

const struct fnp_block *fnp_translation_blocks(const struct fnp_translation *t,
                                               size_t *count)
{
    *count = t->n_blocks;
    return t->blocks;
}
