/* SPDX-License-Identifier: MIT */
#include "trace/translate.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "trace/emit.h"
#include "trace/insns.h"

enum {
    RAX = FNP_RAX,
    RCX = FNP_RCX,
    RDX = FNP_RDX,
    BREAKPOINT = 0xcc,
    LAHF = 0x9f,
    JRCXZ = 0xe3,
    ADDRESS_SIZE = 0x67,
    SHORT_JUMP = 0xeb,
    SHORT_LEN = 2, /* bytes of SHORT_JUMP */
    JUMP_LEN = 5,  /* of what fnp_emit_jump writes */
    LOOP_TEST = 8, /* instructions of a loop's test that are worth a copy */
};

/* A branch that waits for its target's copy. */
struct fixup {
    unsigned char *behind;
    uint64_t target;
    bool to_body; /* not to its mark */
};

/* The copy of an instruction, from its stub to the next one. */
struct copy {
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
    struct fixup *fixups;
    size_t n_fixups, room_fixups;
    struct fnp_stop_at *stops;
    size_t n_stops, room_stops;
    struct copy *copies; /* by place */
    size_t n_copies, room_copies;
    const struct fnp_block *block; /* the one being written */
    size_t n_pool;
    bool pool_full, table_clash;
    unsigned char *miss; /* where a look-up without a hit ends */
    uint64_t span;       /* what addresses in the log count from */
};

/* One more item at the end of an arena array. */
#define APPEND(t, list, n, room)                                                       \
    (list = larger((t)->arena, list, n, &(room), sizeof(*(list))), &(list)[(n)++])

static void *larger(struct fnp_arena *arena, void *list, size_t count, size_t *room,
                    size_t size)
{
    void *bigger;

    if (count < *room)
        return list;
    *room = *room ? 2 * *room : 64;
    bigger = fnp_arena_array(arena, *room, size);
    if (count)
        memcpy(bigger, list, count * size);
    return bigger;
}

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
    struct fnp_block *b = APPEND(t, t->blocks, t->n_blocks, t->room_blocks);

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

/* ---- stubs */

/* An address that code can push or jump through. */
static const void *pooled(struct fnp_translation *t, uint64_t addr)
{
    uint64_t *pool = t->cache->table->pool;

    for (size_t i = 0; i < t->n_pool; i++) {
        if (pool[i] == addr)
            return &pool[i];
    }
    if (t->n_pool == FNP_CACHE_POOL) {
        t->pool_full = true;
        return &pool[0];
    }
    pool[t->n_pool] = addr;
    return &pool[t->n_pool++];
}

static uint32_t here(const struct fnp_translation *t)
{
    return (uint32_t)(t->e.at - t->cache->code);
}

static void emit_stop(struct fnp_translation *t, enum fnp_stop stop, uint64_t addr,
                      const char *why)
{
    struct fnp_stop_at *s = APPEND(t, t->stops, t->n_stops, t->room_stops);

    *s = (struct fnp_stop_at){
        .place = here(t), .stop = (uint8_t)stop, .addr = addr, .why = why
    };
    fnp_emit_u8(&t->e, BREAKPOINT);
}

/* The mask that decides what an instruction touches, as a record of its own. */
static void emit_mask(struct fnp_translation *t, const struct fnp_touch *touch,
                      bool mmx)
{
    struct fnp_cache_data *data = t->cache->data;
    const unsigned reg = touch->mask;
    const unsigned modrm = 0x40 | (reg & 7) << 3 | RCX;
    /* movq %mmN,8(%rcx); kmovw %kN,8(%rcx); vmovdqu %ymmN,8(%rcx); movdqu */
    const unsigned char store_mm[] = { 0x0f, 0x7f, (unsigned char)modrm,
                                       FNP_LOG_MASK_AT };
    const unsigned char store_k[] = {
        0xc4, 0xe1, 0xf8, 0x91, (unsigned char)modrm, FNP_LOG_MASK_AT
    };
    const unsigned char store_v[] = { 0xc5, reg >= 8 ? 0x7e : 0xfe, 0x7f,
                                      (unsigned char)modrm, FNP_LOG_MASK_AT };
    const unsigned char store_x[] = { 0xf3, reg >= 8 ? 0x44 : 0x40, 0x0f,
                                      0x7f, (unsigned char)modrm,   FNP_LOG_MASK_AT };
    size_t record = t->e.is32 ? sizeof(struct fnp_log32) : sizeof(struct fnp_log64);

    fnp_emit_store(&t->e, RCX, &data->rcx);
    fnp_emit_load(&t->e, RCX, &data->log);
    fnp_emit_mov_word(&t->e, RCX, FNP_LOG_MASK);
    if (touch->masked == FNP_MASKED_K)
        fnp_emit_bytes(&t->e, store_k, sizeof(store_k));
    else if (mmx)
        fnp_emit_bytes(&t->e, store_mm, sizeof(store_mm));
    else if (touch->masked == FNP_MASKED_ELEMENTS)
        fnp_emit_bytes(&t->e, store_v, sizeof(store_v));
    else if (t->e.is32) {
        fnp_emit_bytes(&t->e, store_x, 1);
        fnp_emit_bytes(&t->e, store_x + 2, sizeof(store_x) - 2);
    } else {
        fnp_emit_bytes(&t->e, store_x, sizeof(store_x));
    }
    fnp_emit_lea(&t->e, RCX, RCX, (int32_t)record);
    fnp_emit_store(&t->e, RCX, &data->log);
    fnp_emit_load(&t->e, RCX, &data->rcx);
}

/* Flags before anything could change them: LAHF and SETO write none. */
static void emit_flags(struct fnp_emit *e)
{
    static const unsigned char seto_al[] = { 0x0f, 0x90, 0xc0 };

    fnp_emit_u8(e, LAHF);
    fnp_emit_bytes(e, seto_al, sizeof(seto_al));
}

static void emit_record(struct fnp_translation *t, uint64_t addr)
{
    struct fnp_cache_data *data = t->cache->data;
    struct fnp_emit *e = &t->e;
    bool is32 = e->is32;
    int32_t first = is32 ? (int32_t)offsetof(struct fnp_log32, gpr)
                         : (int32_t)offsetof(struct fnp_log64, gpr);
    int32_t flags = is32 ? (int32_t)offsetof(struct fnp_log32, flags)
                         : (int32_t)offsetof(struct fnp_log64, flags);
    int32_t word = (int32_t)fnp_word_len(is32);
    size_t len = is32 ? sizeof(struct fnp_log32) : sizeof(struct fnp_log64);

    fnp_emit_store(e, RAX, &data->rax);
    fnp_emit_store(e, RCX, &data->rcx);
    fnp_emit_load(e, RCX, &data->log);
    fnp_emit_mov_to(e, RCX, first, RAX);
    fnp_emit_mov_word(e, RCX, (uint32_t)(addr - t->span));
    fnp_emit_load(e, RAX, &data->rcx);
    fnp_emit_mov_to(e, RCX, first + word, RAX);
    for (unsigned reg = 2; reg < (is32 ? FNP_N_GPRS_32 : FNP_N_GPRS); reg++)
        fnp_emit_mov_to(e, RCX, first + (int32_t)reg * word, reg);
    emit_flags(e);
    fnp_emit_mov_to(e, RCX, flags, RAX);
    fnp_emit_lea(e, RCX, RCX, (int32_t)len);
    fnp_emit_store(e, RCX, &data->log);
    fnp_emit_load(e, RCX, &data->rcx);
    fnp_emit_load(e, RAX, &data->rax);
}

/*
 * Go where rax says; its own value is in data->rax.  The table is indexed by the target's
 * low 16 bits; JRCXZ compares without touching a flag.
 */
static void emit_look_up(struct fnp_translation *t)
{
    static const unsigned char movzx_ecx_ax[] = { 0x0f, 0xb7, 0xc8 };
    struct fnp_cache_data *data = t->cache->data;
    const struct fnp_cache_table *table = t->cache->table;
    struct fnp_emit *e = &t->e;

    fnp_emit_store(e, RAX, &data->target);
    fnp_emit_store(e, RCX, &data->rcx);
    fnp_emit_store(e, RDX, &data->rdx);
    fnp_emit_bytes(e, movzx_ecx_ax, sizeof(movzx_ecx_ax));
    fnp_emit_address(e, RDX, table->key);
    fnp_emit_lea_index(e, RDX, RDX, RCX, sizeof(table->key[0]));
    fnp_emit_mov_from(e, RCX, RDX, 0);
    fnp_emit_lea_index(e, RCX, RCX, RAX, 1);
    fnp_emit_u8(e, JRCXZ);
    fnp_emit_u8(e, JUMP_LEN);
    fnp_emit_jump(e, t->miss);
    fnp_emit_mov_from(e, RDX, RDX, (int32_t)sizeof(table->key));
    fnp_emit_store(e, RDX, &data->found);
    fnp_emit_load(e, RDX, &data->rdx);
    fnp_emit_load(e, RCX, &data->rcx);
    fnp_emit_load(e, RAX, &data->rax);
    t->copies[t->n_copies - 1].leave = here(t);
    fnp_emit_jump_through(e, &data->found);
}

/* The kernel's own bytes. */
static void emit_copy(struct fnp_translation *t, const struct fnp_effect *e,
                      uint64_t addr)
{
    const struct fnp_code code = fnp_insns_code(t->image, addr);
    unsigned char bytes[16];

    assert(e->len < sizeof(bytes));
    memcpy(bytes, code.bytes + (addr - code.addr), e->len);
    if (e->rip_relative) {
        uint32_t disp = 0;

        memcpy(&disp, bytes + e->disp_at, sizeof(disp));
        disp += (uint32_t)(addr - (uint64_t)(uintptr_t)t->e.at);
        memcpy(bytes + e->disp_at, &disp, sizeof(disp));
    }
    fnp_emit_bytes(&t->e, bytes, e->len);
}

/* ---- branches */

/* Is it what the block at hand always goes on to? */
static bool implied(const struct fnp_translation *t, uint64_t target)
{
    return t->block->implies && t->blocks[t->block->implies - 1].start == target;
}

/* Let what was just written go there. */
static void fix_later(struct fnp_translation *t, uint64_t target)
{
    struct fixup *f = APPEND(t, t->fixups, t->n_fixups, t->room_fixups);

    *f = (struct fixup){ .behind = t->e.at,
                         .target = target,
                         .to_body = target == t->block->start || implied(t, target) };
}

static void emit_jump_to(struct fnp_translation *t, uint64_t target)
{
    fnp_emit_jump(&t->e, t->e.at);
    fix_later(t, target);
}

/* What comes next in the copy is what comes next. */
static void emit_branch(struct fnp_translation *t, const struct fnp_effect *e)
{
    if (e->short_branch) {
        /* There is no long form: taken, it hops over a hop over a jump. */
        if (e->ecx_only)
            fnp_emit_u8(&t->e, ADDRESS_SIZE);
        fnp_emit_u8(&t->e, e->opcode);
        fnp_emit_u8(&t->e, SHORT_LEN);
        fnp_emit_u8(&t->e, SHORT_JUMP);
        fnp_emit_u8(&t->e, JUMP_LEN);
        fnp_emit_jump(&t->e, t->e.at);
    } else {
        fnp_emit_branch(&t->e, e->condition, t->e.at);
    }
    fix_later(t, e->target);
}

/*
 * mov TARGET,%rax for `jmp *TARGET` or `call *TARGET`: the same operand bytes behind
 * another opcode.
 */
static void emit_load_target(struct fnp_translation *t, const struct fnp_effect *e,
                             uint64_t addr)
{
    const struct fnp_code code = fnp_insns_code(t->image, addr);
    const unsigned char *bytes = code.bytes + (addr - code.addr);
    unsigned char rex = 0x48;
    unsigned at = 0;

    for (; at < e->modrm_at; at++) {
        if (bytes[at] == 0xff)
            break;
        if (!code.is32 && (bytes[at] & 0xf0) == 0x40) {
            rex |= bytes[at] & 3;
            continue;
        }
        rex = 0x48; /* one in front of another prefix counts for nothing */
        fnp_emit_u8(&t->e, bytes[at]);
    }
    if (!code.is32)
        fnp_emit_u8(&t->e, rex);
    fnp_emit_u8(&t->e, 0x8b);
    fnp_emit_u8(&t->e, bytes[e->modrm_at] & 0xc7);
    if (e->rip_relative)
        fnp_emit_u32(&t->e, (uint32_t)((uint64_t)e->touch[0].disp -
                                       ((uint64_t)(uintptr_t)t->e.at + 4)));
    else
        fnp_emit_bytes(&t->e, bytes + e->modrm_at + 1, e->len - e->modrm_at - 1u);
}

/* The target is read before anything is pushed, and rax is its own while that is done. */
static void emit_indirect(struct fnp_translation *t, const struct fnp_effect *e,
                          uint64_t addr)
{
    struct fnp_cache_data *data = t->cache->data;

    fnp_emit_store(&t->e, RAX, &data->rax);
    emit_load_target(t, e, addr);
    if (e->flow == FNP_FLOW_CALL) {
        fnp_emit_store(&t->e, RAX, &data->target);
        fnp_emit_load(&t->e, RAX, &data->rax);
        fnp_emit_push(&t->e, pooled(t, addr + e->len));
        fnp_emit_load(&t->e, RAX, &data->target);
    }
    emit_look_up(t);
}

/*
 * To the caller by a return of its own, which the CPU foresees; anywhere else by the
 * table.  A return address that cannot be read faults in the first load.
 */
static void emit_return(struct fnp_translation *t, const struct fnp_effect *e,
                        uint64_t addr)
{
    struct fnp_cache_data *data = t->cache->data;
    unsigned char *behind;

    fnp_emit_store(&t->e, RCX, &data->rcx);
    fnp_emit_mov_from(&t->e, RCX, FNP_RSP, 0);
    fnp_emit_store(&t->e, RDX, &data->rdx);
    fnp_emit_load(&t->e, RDX, &t->cache->table->caller);
    fnp_emit_lea_index(&t->e, RCX, RCX, RDX, 1);
    fnp_emit_load(&t->e, RDX, &data->rdx);
    fnp_emit_u8(&t->e, JRCXZ);
    fnp_emit_u8(&t->e, JUMP_LEN);
    fnp_emit_jump(&t->e, t->e.at);
    behind = t->e.at;
    fnp_emit_load(&t->e, RCX, &data->rcx);
    emit_copy(t, e, addr);
    if (!t->e.full)
        fnp_emit_aim(behind, t->e.at);
    fnp_emit_load(&t->e, RCX, &data->rcx);
    fnp_emit_pop(&t->e, &data->target);
    if (e->pop_len)
        fnp_emit_lea(&t->e, FNP_RSP, FNP_RSP, e->pop_len);
    fnp_emit_store(&t->e, RAX, &data->rax);
    fnp_emit_load(&t->e, RAX, &data->target);
    emit_look_up(t);
}

/* ---- instructions */

static void emit_stand_in(struct fnp_translation *t, const struct fnp_effect *e)
{
    static const unsigned char emms[] = { 0x0f, 0x77 };

    if (e->stand_in == FNP_STAND_IN_EMMS)
        fnp_emit_bytes(&t->e, emms, sizeof(emms));
}

static void emit_insn(struct fnp_translation *t, const struct fnp_effect *e,
                      uint64_t addr)
{
    if (e->refused) {
        emit_stop(t, FNP_STOP_REFUSED, addr, e->refused);
        return;
    }
    switch (e->flow) {
    case FNP_FLOW_BRANCH:
        emit_branch(t, e);
        return;
    case FNP_FLOW_JUMP:
    case FNP_FLOW_CALL:
        if (!e->is_direct)
            emit_indirect(t, e, addr);
        else if (e->flow == FNP_FLOW_CALL)
            fnp_emit_push(&t->e, pooled(t, addr + e->len));
        return;
    case FNP_FLOW_RET:
        emit_return(t, e, addr);
        return;
    case FNP_FLOW_SYSCALL:
        emit_stop(t, FNP_STOP_SYSCALL, addr, "a system call");
        return;
    default:
        break;
    }
    if (e->stand_in)
        emit_stand_in(t, e);
    else
        emit_copy(t, e, addr);
}

static void emit_before(struct fnp_translation *t, const struct fnp_effect *e,
                        uint64_t addr)
{
    if (t->mode != FNP_TRANSLATE_FULL)
        return;
    for (unsigned i = 0; i < e->n_touches; i++) {
        if (e->touch[i].masked) {
            emit_mask(t, &e->touch[i], e->mask_is_mmx);
            break;
        }
    }
    emit_record(t, addr);
}

static struct copy *begin_copy(struct fnp_translation *t, uint64_t addr)
{
    struct copy *c = APPEND(t, t->copies, t->n_copies, t->room_copies);

    *c = (struct copy){ .stub = here(t), .body = here(t), .addr = addr };
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
        struct copy *c = begin_copy(t, *addr);

        emit_before(t, e, *addr);
        c->body = here(t);
        emit_insn(t, e, *addr);
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

    b->body = here(t);
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
        b->place = here(t);
        b->is_marked_apart =
            next == b->start && todo[i - 1]->implies == (uint32_t)(b - t->blocks) + 1;
        if (!b->is_marked_apart)
            emit_mark(t, b);
        next = emit_block(t, b);

        if (next && (i + 1 == n || todo[i + 1]->start != next))
            emit_jump_to(t, next);
    }
    for (size_t i = 0; i < n; i++) {
        if (!todo[i]->is_marked_apart)
            continue;
        todo[i]->place = here(t);
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

    fnp_emit_jump_through(&t->e, pooled(t, addr));
    return here;
}

static void emit_missing(struct fnp_translation *t)
{
    emit_blocks(t);
    for (size_t i = 0; i < t->n_fixups; i++) {
        const struct fixup f = t->fixups[i];
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
    emit_stop(t, FNP_STOP_MISS, 0, NULL);
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

    if (place >= here(t))
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
    const struct copy *c = &t->copies[lo - 1];

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
