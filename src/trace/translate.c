/* SPDX-License-Identifier: MIT */
#include "trace/translate.h"

#include <assert.h>
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
    EMPTY_KEY = 1, /* minus the address -1, which is no code */
};

/* A branch that waits for its target's copy. */
struct fixup {
    unsigned char *behind;
    uint64_t target;
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

/* A block begins there, if that is code; true when it is new. */
static bool begin_block(struct fnp_translation *t, uint64_t start)
{
    if (!fnp_insns_at(&t->insns, start) || block_at(t, start))
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
    struct fnp_cache_data *data = t->cache->data;

    for (size_t i = 0; i < t->n_pool; i++) {
        if (data->pool[i] == addr)
            return &data->pool[i];
    }
    if (t->n_pool == FNP_CACHE_POOL) {
        t->pool_full = true;
        return &data->pool[0];
    }
    data->pool[t->n_pool] = addr;
    return &data->pool[t->n_pool++];
}

static void emit_stop(struct fnp_translation *t, enum fnp_stop stop, uint64_t addr,
                      const char *why)
{
    struct fnp_stop_at *s = APPEND(t, t->stops, t->n_stops, t->room_stops);

    *s = (struct fnp_stop_at){ .place = (uint32_t)(t->e.at - t->cache->code),
                               .stop = (uint8_t)stop,
                               .addr = addr,
                               .why = why };
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
    struct fnp_emit *e = &t->e;

    fnp_emit_store(e, RAX, &data->target);
    fnp_emit_store(e, RCX, &data->rcx);
    fnp_emit_store(e, RDX, &data->rdx);
    fnp_emit_bytes(e, movzx_ecx_ax, sizeof(movzx_ecx_ax));
    fnp_emit_address(e, RDX, data->key);
    fnp_emit_lea_index(e, RDX, RDX, RCX, sizeof(data->key[0]));
    fnp_emit_mov_from(e, RCX, RDX, 0);
    fnp_emit_lea_index(e, RCX, RCX, RAX, 1);
    fnp_emit_u8(e, JRCXZ);
    fnp_emit_u8(e, 5);
    fnp_emit_jump(e, t->miss);
    fnp_emit_mov_from(e, RDX, RDX, (int32_t)sizeof(data->key));
    fnp_emit_store(e, RDX, &data->found);
    fnp_emit_load(e, RDX, &data->rdx);
    fnp_emit_load(e, RCX, &data->rcx);
    fnp_emit_load(e, RAX, &data->rax);
    fnp_emit_jump_through(e, &data->found);
}

/* ---- branches */

static void fix_later(struct fnp_translation *t, uint64_t target)
{
    struct fixup *f = APPEND(t, t->fixups, t->n_fixups, t->room_fixups);

    *f = (struct fixup){ .behind = t->e.at, .target = target };
}

static void emit_jump_to(struct fnp_translation *t, uint64_t target)
{
    fnp_emit_jump(&t->e, t->e.at);
    fix_later(t, target);
}

static void emit_branch(struct fnp_translation *t, const struct fnp_effect *e,
                        uint64_t next)
{
    if (e->short_branch) {
        /* It hops over the jump to what comes next. */
        if (e->ecx_only)
            fnp_emit_u8(&t->e, ADDRESS_SIZE);
        fnp_emit_u8(&t->e, e->opcode);
        fnp_emit_u8(&t->e, 5);
        emit_jump_to(t, next);
        emit_jump_to(t, e->target);
        return;
    }
    fnp_emit_branch(&t->e, e->condition, t->e.at);
    fix_later(t, e->target);
    emit_jump_to(t, next);
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
        if (!code.is32 && (bytes[at] & 0xf0) == 0x40)
            rex |= bytes[at] & 3;
        else
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

static void emit_jump(struct fnp_translation *t, const struct fnp_effect *e,
                      uint64_t addr)
{
    bool is_call = e->flow == FNP_FLOW_CALL;

    if (!e->is_direct) {
        fnp_emit_store(&t->e, RAX, &t->cache->data->rax);
        emit_load_target(t, e, addr);
    }
    if (is_call)
        fnp_emit_push(&t->e, pooled(t, addr + e->len));
    if (e->is_direct)
        emit_jump_to(t, e->target);
    else
        emit_look_up(t);
}

static void emit_return(struct fnp_translation *t, const struct fnp_effect *e)
{
    struct fnp_cache_data *data = t->cache->data;

    fnp_emit_pop(&t->e, &data->target);
    if (e->pop_len)
        fnp_emit_lea(&t->e, FNP_RSP, FNP_RSP, e->pop_len);
    fnp_emit_store(&t->e, RAX, &data->rax);
    fnp_emit_load(&t->e, RAX, &data->target);
    emit_look_up(t);
}

/* ---- instructions */

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
        emit_branch(t, e, addr + e->len);
        return;
    case FNP_FLOW_JUMP:
    case FNP_FLOW_CALL:
        emit_jump(t, e, addr);
        return;
    case FNP_FLOW_RET:
        emit_return(t, e);
        return;
    case FNP_FLOW_SYSCALL:
        emit_stop(t, FNP_STOP_SYSCALL, addr, NULL);
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

static void emit_block(struct fnp_translation *t, size_t i)
{
    const struct fnp_effect *e;
    uint64_t addr = t->blocks[i].start;
    bool ended = false;

    t->blocks[i].place = (uint32_t)(t->e.at - t->cache->code);
    t->blocks[i].is_translated = true;
    if (t->mode == FNP_TRANSLATE_COVER && i < FNP_CACHE_COVER)
        fnp_emit_set_byte(&t->e, &t->cache->data->cover[i]);
    do {
        e = fnp_insns_at(&t->insns, addr);
        if (!e)
            break;
        emit_before(t, e, addr);
        emit_insn(t, e, addr);
        addr += e->len;
        ended = e->flow != FNP_FLOW_NEXT || e->refused;
    } while (!ended && !block_at(t, addr));
    t->blocks[i].end = addr;
    if (!ended)
        emit_jump_to(t, addr);
}

/* ---- the table of indirect targets */

/* An indirect jump to addr goes to place; false when another address has the slot. */
static bool enter(struct fnp_translation *t, uint64_t addr, uint64_t place)
{
    struct fnp_cache_data *data = t->cache->data;
    size_t i = addr & (FNP_CACHE_TABLE - 1);

    if (data->key[i] != EMPTY_KEY && data->key[i] != 0 - addr)
        return false;
    data->key[i] = 0 - addr;
    data->place[i] = place;
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
    for (size_t i = 0; i < t->n_blocks; i++) {
        if (!t->blocks[i].is_translated)
            emit_block(t, i);
    }
    for (size_t i = 0; i < t->n_fixups; i++) {
        const struct fixup f = t->fixups[i];
        const struct fnp_block *b = block_at(t, f.target);

        if (!t->e.full)
            fnp_emit_aim(f.behind,
                         b ? t->cache->code + b->place : emit_way_out(t, f.target));
    }
    t->n_fixups = 0;
}

static void clear_table(struct fnp_cache_data *data)
{
    for (size_t i = 0; i < FNP_CACHE_TABLE; i++)
        data->key[i] = EMPTY_KEY;
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
    clear_table(cache->data);
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

const struct fnp_block *fnp_translation_blocks(const struct fnp_translation *t,
                                               size_t *count)
{
    *count = t->n_blocks;
    return t->blocks;
}
