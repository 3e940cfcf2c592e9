/* SPDX-License-Identifier: MIT */
#include "trace/stub.h"

#include <assert.h>
#include <string.h>

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
};

void *fnp_stub_larger(struct fnp_arena *arena, void *list, size_t count, size_t *room,
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

/* An address that code can push or jump through. */
const void *fnp_stub_pooled(struct fnp_translation *t, uint64_t addr)
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

uint32_t fnp_stub_here(const struct fnp_translation *t)
{
    return (uint32_t)(t->e.at - t->cache->code);
}

void fnp_stub_stop(struct fnp_translation *t, enum fnp_stop stop, uint64_t addr,
                   const char *why)
{
    struct fnp_stop_at *s = FNP_APPEND(t, t->stops, t->n_stops, t->room_stops);

    *s = (struct fnp_stop_at){
        .place = fnp_stub_here(t), .stop = (uint8_t)stop, .addr = addr, .why = why
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
    if (touch->masked == FNP_MASKED_K || touch->masked == FNP_MASKED_PACKED)
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
    t->copies[t->n_copies - 1].leave = fnp_stub_here(t);
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
static void fnp_stub_fix(struct fnp_translation *t, uint64_t target)
{
    struct fnp_fixup *f = FNP_APPEND(t, t->fixups, t->n_fixups, t->room_fixups);

    *f = (struct fnp_fixup){ .behind = t->e.at,
                             .target = target,
                             .to_body =
                                 target == t->block->start || implied(t, target) };
}

void fnp_stub_jump(struct fnp_translation *t, uint64_t target)
{
    fnp_emit_jump(&t->e, t->e.at);
    fnp_stub_fix(t, target);
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
    fnp_stub_fix(t, e->target);
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
        fnp_emit_push(&t->e, fnp_stub_pooled(t, addr + e->len));
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

void fnp_stub_insn(struct fnp_translation *t, const struct fnp_effect *e, uint64_t addr)
{
    if (e->refused) {
        fnp_stub_stop(t, FNP_STOP_REFUSED, addr, e->refused);
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
            fnp_emit_push(&t->e, fnp_stub_pooled(t, addr + e->len));
        return;
    case FNP_FLOW_RET:
        emit_return(t, e, addr);
        return;
    case FNP_FLOW_SYSCALL:
        fnp_stub_stop(t, FNP_STOP_SYSCALL, addr, "a system call");
        return;
    default:
        break;
    }
    if (e->stand_in)
        emit_stand_in(t, e);
    else
        emit_copy(t, e, addr);
}

void fnp_stub_before(struct fnp_translation *t, const struct fnp_effect *e,
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
