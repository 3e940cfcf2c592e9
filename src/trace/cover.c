/* SPDX-License-Identifier: MIT */
#include "trace/cover.h"

#include <stdlib.h>
#include <string.h>

#include "subject/stub.h"
#include "trace/jump_table.h"

#define NONE UINT32_MAX

enum {
    FIRST_ROOM = 256
};

/* What is known of one address. */
struct slot {
    uint64_t addr; /* 0: empty */
    uint64_t count, taken, target;
    uint32_t loops;    /* first of the ways back to here, NONE */
    uint32_t loop;     /* the way back that this instruction is, NONE */
    uint32_t indirect; /* index of an indirect jump, NONE */
    uint8_t len, flow;
    bool is_direct, is_start, ends;
    bool is_followed; /* an end whose ways on are known */
};

struct way_back {
    struct fnp_cover_loop seen;
    uint64_t rounds; /* since the loop was entered */
    uint32_t next;   /* to the same head */
    bool is_open;    /* it was entered in this case */
};

struct target {
    uint64_t addr, count;
};

struct indirect {
    uint64_t addr;
    struct target *targets;
    size_t n_targets, room;
    bool is_bounded;
};

struct fnp_cover {
    struct fnp_arena *arena;
    struct fnp_insns *insns;
    struct slot *slots;
    size_t count, room; /* a power of two */
    struct way_back *loops;
    size_t n_loops, room_loops;
    struct indirect *indirects;
    size_t n_indirects, room_indirects;
    uint64_t *todo; /* block starts whose paths are not followed yet */
    size_t n_todo, room_todo;
    size_t n_starts, n_starts_run;
};

/* Room for one more item of an arena array. */
static void *larger(struct fnp_arena *arena, void *list, size_t count, size_t *room,
                    size_t size)
{
    void *bigger;

    if (count < *room)
        return list;
    *room = *room ? 2 * *room : 16;
    bigger = fnp_arena_array(arena, *room, size);
    if (count)
        memcpy(bigger, list, count * size);
    return bigger;
}

#define APPEND(arena, list, n, room)                                                   \
    (list = larger(arena, list, n, &(room), sizeof(*(list))), &(list)[(n)++])

/* ---- slots */

static struct slot *slot_of(struct slot *slots, size_t room, uint64_t addr)
{
    size_t i = (size_t)(addr * 0x9e3779b97f4a7c15u >> 32) & (room - 1);

    while (slots[i].addr && slots[i].addr != addr)
        i = (i + 1) & (room - 1);
    return &slots[i];
}

static void grow(struct fnp_cover *c)
{
    size_t room = c->room ? 2 * c->room : FIRST_ROOM;
    struct slot *slots = fnp_arena_array(c->arena, room, sizeof(*slots));

    for (size_t i = 0; i < c->room; i++) {
        if (c->slots[i].addr)
            *slot_of(slots, room, c->slots[i].addr) = c->slots[i];
    }
    c->slots = slots;
    c->room = room;
}

/* NULL: nothing is known of this address. */
static struct slot *find(const struct fnp_cover *c, uint64_t addr)
{
    struct slot *s = slot_of(c->slots, c->room, addr);

    return s->addr ? s : NULL;
}

/* ---- code that could run */

static void add_way_back(struct fnp_cover *c, uint64_t from, uint64_t head)
{
    uint32_t i = (uint32_t)c->n_loops;
    struct way_back *w = APPEND(c->arena, c->loops, c->n_loops, c->room_loops);
    struct slot *to = find(c, head);

    *w = (struct way_back){
        .seen = { .from = from, .head = head },
          .next = to->loops
    };
    to->loops = i;
    find(c, from)->loop = i;
}

/* The slot of an instruction, new or known; NULL: there is no code. */
static struct slot *know(struct fnp_cover *c, uint64_t addr, bool *is_new)
{
    const struct fnp_effect *e = fnp_insns_at(c->insns, addr);
    struct slot *s;

    *is_new = false;
    if (!e)
        return NULL;
    if (2 * c->count >= c->room)
        grow(c);
    s = slot_of(c->slots, c->room, addr);
    if (s->addr)
        return s;
    *is_new = true;
    c->count++;
    *s = (struct slot){
        .addr = addr,
        .target = e->target,
        .loops = NONE,
        .loop = NONE,
        .indirect = NONE,
        .len = e->len,
        .flow = e->flow,
        .is_direct = e->is_direct,
        .ends = e->flow != FNP_FLOW_NEXT || e->refused,
    };
    return s;
}

static bool never_returns(const struct fnp_cover *c, uint64_t addr)
{
    const struct fnp_symbol *symbol = fnp_image_symbol(c->insns->image, addr);

    return symbol && symbol->addr == addr && fnp_stub_is_trap(symbol->name);
}

/* A block begins there; its path is followed later. */
static void begin(struct fnp_cover *c, uint64_t addr)
{
    bool is_new = false;
    struct slot *s = know(c, addr, &is_new);

    if (!s || s->is_start)
        return;
    s->is_start = true;
    c->n_starts++;
    c->n_starts_run += s->count > 0;
    *APPEND(c->arena, c->todo, c->n_todo, c->room_todo) = addr;
}

static void note_indirect(struct fnp_cover *c, struct slot *s)
{
    s->indirect = (uint32_t)c->n_indirects;
    *APPEND(c->arena, c->indirects, c->n_indirects, c->room_indirects) =
        (struct indirect){ .addr = s->addr };
}

/* Where the last instruction of a path leads. */
static void follow_end(struct fnp_cover *c, const struct slot *at)
{
    const struct slot last = *at;
    const struct fnp_effect *e = fnp_insns_at(c->insns, last.addr);
    bool dead_end = last.is_direct && never_returns(c, last.target);

    if (e->refused)
        return;
    if (last.is_direct && !dead_end)
        begin(c, last.target);
    if (last.flow == FNP_FLOW_BRANCH || (last.flow == FNP_FLOW_CALL && !dead_end))
        begin(c, last.addr + last.len);
    if (last.is_direct && last.flow != FNP_FLOW_CALL && last.target <= last.addr &&
        find(c, last.target))
        add_way_back(c, last.addr, last.target);
}

/* Up to the next instruction that may go elsewhere, or that is known. */
static void follow(struct fnp_cover *c, uint64_t addr)
{
    bool is_new = true;
    struct slot *s = find(c, addr);

    /* Of a block that was cut in two the second half is known already. */
    while (s && !s->ends) {
        addr += s->len;
        s = know(c, addr, &is_new);
        if (!is_new)
            return;
    }
    if (!s || s->is_followed)
        return;
    s->is_followed = true;
    if (!s->is_direct && (s->flow == FNP_FLOW_JUMP || s->flow == FNP_FLOW_CALL))
        note_indirect(c, s);
    follow_end(c, s);
}

/* Everything that can be reached from there. */
static void discover(struct fnp_cover *c, uint64_t addr)
{
    begin(c, addr);
    while (c->n_todo)
        follow(c, c->todo[--c->n_todo]);
}

struct fnp_cover *fnp_cover_make(struct fnp_arena *arena, struct fnp_insns *insns)
{
    struct fnp_cover *c = fnp_arena_alloc(arena, sizeof(*c));

    *c = (struct fnp_cover){ .arena = arena, .insns = insns };
    grow(c);
    discover(c, insns->image->entry);
    return c;
}

/* ---- what ran */

static void close_loop(struct way_back *w)
{
    if (!w->is_open)
        return;
    w->is_open = false;
    w->seen.none += w->rounds == 0;
    w->seen.once += w->rounds == 1;
    w->seen.more += w->rounds > 1;
}

/* At the head of loops: by a way back, or from outside? */
static void enter_head(struct fnp_cover *c, const struct slot *head, uint64_t from)
{
    bool back = false;

    for (uint32_t i = head->loops; i != NONE; i = c->loops[i].next) {
        if (c->loops[i].seen.from == from) {
            c->loops[i].rounds++;
            back = true;
        }
    }
    for (uint32_t i = head->loops; !back && i != NONE; i = c->loops[i].next) {
        close_loop(&c->loops[i]);
        c->loops[i].is_open = true;
        c->loops[i].rounds = 0;
    }
}

static struct target *target_at(struct fnp_cover *c, struct indirect *j, uint64_t addr)
{
    struct target *t;

    for (size_t i = 0; i < j->n_targets; i++) {
        if (j->targets[i].addr == addr)
            return &j->targets[i];
    }
    t = APPEND(c->arena, j->targets, j->n_targets, j->room);
    *t = (struct target){ .addr = addr };
    return t;
}

/* An indirect jump went somewhere: record i of the log. */
static void go_indirect(struct fnp_cover *c, uint32_t index, const struct fnp_log *log,
                        size_t i, uint64_t to)
{
    static struct fnp_jump_table table;
    struct indirect *j = &c->indirects[index];
    bool is_jump = find(c, j->addr)->flow == FNP_FLOW_JUMP;

    if (is_jump && j->n_targets == 0 && fnp_jump_table_find(c->insns, log, i, &table)) {
        j->is_bounded = true;
        for (size_t k = 0; k < table.n_targets; k++)
            target_at(c, j, table.target[k]);
        for (size_t k = 0; k < table.n_targets; k++) {
            fnp_insns_go(c->insns, j->addr, table.target[k]);
            discover(c, table.target[k]);
            j = &c->indirects[index];
        }
        fnp_insns_mark(c->insns, j->addr)->bounded = true;
    }
    target_at(c, j, to)->count++;
    discover(c, to);
}

/* Address of record i; false: it is a mask. */
static bool addr_at(const struct fnp_log *log, size_t i, uint64_t *out)
{
    size_t len = log->is32 ? sizeof(struct fnp_log32) : sizeof(struct fnp_log64);
    uint32_t at = 0;

    memcpy(&at, (const char *)log->records + i * len, sizeof(at));
    *out = log->span + at;
    return !(at & FNP_LOG_MASK);
}

/* From one instruction (0: it is the first) to the next. */
static void go(struct fnp_cover *c, const struct fnp_log *log, size_t before,
               uint64_t from, uint64_t to)
{
    struct slot *s = from ? find(c, from) : NULL;

    if (s && s->indirect != NONE)
        go_indirect(c, s->indirect, log, before, to);
    s = from ? find(c, from) : NULL;
    if (s && s->flow == FNP_FLOW_BRANCH && to == s->target)
        s->taken++;
    /* A return to nowhere that is known, a handler: what ran is code, too. */
    if (!find(c, to))
        discover(c, to);
    s = find(c, to);
    if (!s)
        return;
    c->n_starts_run += s->is_start && s->count == 0;
    s->count++;
    if (s->loops != NONE)
        enter_head(c, s, from);
}

void fnp_cover_add(struct fnp_cover *cover, const struct fnp_log *log)
{
    uint64_t from = 0, to = 0;
    size_t before = 0;

    for (size_t i = 0; i < log->count; i++) {
        if (!addr_at(log, i, &to))
            continue;
        go(cover, log, before, from, to);
        from = to;
        before = i;
    }
    /* Where the log was cut off nobody knows how many rounds were to come. */
    for (size_t i = 0; i < cover->n_loops; i++) {
        if (log->ended == FNP_RECORDED_ALL)
            close_loop(&cover->loops[i]);
        cover->loops[i].is_open = false;
    }
}

/* ---- answers */

size_t fnp_cover_missing(const struct fnp_cover *cover)
{
    return cover->n_starts - cover->n_starts_run;
}

static void count_edge(struct fnp_cover_counts *out, bool ran)
{
    out->edges++;
    out->edges_run += ran;
}

/* Edges of an instruction, if it is the last of its block. */
static void count_edges(const struct fnp_cover *c, const struct slot *s,
                        struct fnp_cover_counts *out)
{
    const struct slot *next = find(c, s->addr + s->len);
    const struct slot *target = s->is_direct ? find(c, s->target) : NULL;

    switch (s->flow) {
    case FNP_FLOW_BRANCH:
        if (target)
            count_edge(out, s->taken > 0);
        if (next)
            count_edge(out, s->count > s->taken);
        break;
    case FNP_FLOW_JUMP:
    case FNP_FLOW_CALL:
        if (target)
            count_edge(out, s->count > 0);
        break;
    default:
        if (!s->ends && next && next->is_start)
            count_edge(out, s->count > 0);
        break;
    }
}

struct fnp_cover_counts fnp_cover_counts(const struct fnp_cover *cover)
{
    struct fnp_cover_counts out = {
        .blocks = cover->n_starts,
        .blocks_run = cover->n_starts_run,
    };

    for (size_t i = 0; i < cover->room; i++) {
        if (cover->slots[i].addr)
            count_edges(cover, &cover->slots[i], &out);
    }
    for (size_t i = 0; i < cover->n_indirects; i++) {
        const struct indirect *j = &cover->indirects[i];

        out.more |= !j->is_bounded;
        for (size_t k = 0; k < j->n_targets; k++)
            count_edge(&out, j->targets[k].count > 0);
    }
    return out;
}

static int by_addr(const void *a, const void *b)
{
    const struct fnp_cover_insn *x = a, *y = b;

    return (x->addr > y->addr) - (x->addr < y->addr);
}

struct fnp_cover_insn *fnp_cover_insns(const struct fnp_cover *cover,
                                       struct fnp_arena *arena, size_t *count)
{
    struct fnp_cover_insn *out = fnp_arena_array(arena, cover->count, sizeof(*out));
    size_t n = 0;

    for (size_t i = 0; i < cover->room; i++) {
        const struct slot *s = &cover->slots[i];
        const struct slot *next = s->addr ? find(cover, s->addr + s->len) : NULL;

        if (s->addr)
            out[n++] = (struct fnp_cover_insn){
                .addr = s->addr,
                .count = s->count,
                .taken = s->taken,
                .target = s->target,
                .len = s->len,
                .flow = s->flow,
                .is_start = s->is_start,
                .is_end = s->ends || !next || next->is_start,
                .is_direct = s->is_direct,
            };
    }
    qsort(out, n, sizeof(*out), by_addr);
    *count = n;
    return out;
}

/* ---- loops */

/* A search from a head for the way back to it. */
struct search {
    const struct fnp_cover *cover;
    bool *seen;     /* one a slot */
    uint64_t *todo; /* at most two a slot */
    size_t n_todo;
};

static void reach(struct search *s, uint64_t addr)
{
    const struct slot *slot = find(s->cover, addr);

    if (!slot || s->seen[slot - s->cover->slots])
        return;
    s->seen[slot - s->cover->slots] = true;
    s->todo[s->n_todo++] = addr;
}

/* Within the function: a call comes back behind itself. */
static void reach_next(struct search *s, const struct slot *slot)
{
    const struct indirect *j =
        slot->indirect != NONE ? &s->cover->indirects[slot->indirect] : NULL;

    if (slot->is_direct && slot->flow != FNP_FLOW_CALL)
        reach(s, slot->target);
    if (!slot->ends || slot->flow == FNP_FLOW_BRANCH || slot->flow == FNP_FLOW_CALL)
        reach(s, slot->addr + slot->len);
    for (size_t i = 0; j && slot->flow == FNP_FLOW_JUMP && i < j->n_targets; i++)
        reach(s, j->targets[i].addr);
}

/* Is it the way back of a loop, not only a jump upwards? */
static bool is_cycle(struct search *s, const struct fnp_cover_loop *loop)
{
    memset(s->seen, 0, s->cover->room * sizeof(*s->seen));
    s->n_todo = 0;
    reach(s, loop->head);
    while (s->n_todo) {
        uint64_t addr = s->todo[--s->n_todo];

        if (addr == loop->from)
            return true;
        reach_next(s, find(s->cover, addr));
    }
    return false;
}

struct fnp_cover_loop *fnp_cover_loops(const struct fnp_cover *cover,
                                       struct fnp_arena *arena, size_t *count)
{
    struct fnp_cover_loop *out = fnp_arena_array(arena, cover->n_loops, sizeof(*out));
    struct search s = {
        .cover = cover,
        .seen = fnp_arena_array(arena, cover->room, sizeof(*s.seen)),
        .todo = fnp_arena_array(arena, cover->room, sizeof(*s.todo)),
    };

    *count = 0;
    for (size_t i = 0; i < cover->n_loops; i++) {
        if (is_cycle(&s, &cover->loops[i].seen))
            out[(*count)++] = cover->loops[i].seen;
    }
    return out;
}

struct fnp_cover_indirect *fnp_cover_indirects(const struct fnp_cover *cover,
                                               struct fnp_arena *arena, size_t *count)
{
    struct fnp_cover_indirect *out =
        fnp_arena_array(arena, cover->n_indirects, sizeof(*out));

    *count = cover->n_indirects;
    for (size_t i = 0; i < cover->n_indirects; i++) {
        const struct indirect *j = &cover->indirects[i];

        out[i] = (struct fnp_cover_indirect){ .addr = j->addr,
                                              .targets = j->n_targets,
                                              .is_bounded = j->is_bounded };
        for (size_t k = 0; k < j->n_targets; k++)
            out[i].targets_run += j->targets[k].count > 0;
    }
    return out;
}
