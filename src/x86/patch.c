/* SPDX-License-Identifier: MIT */
#include "x86/patch.h"

#include <assert.h>
#include <string.h>

#include "x86/effect.h"

enum {
    NOP = 0x90,
    LOCK = 0xf0,
    XCHG = 0x86, /* and 0x87, of words */
    OPERAND_SIZE = 0x66
};

struct walk {
    const struct fnp_code *code;
    struct fnp_patch *out;
    bool *seen;     /* by byte: an instruction that begins there was looked at */
    uint64_t *next; /* where to go on */
    size_t n_next;
};

/* Offset of a lock prefix; the instruction's length when it has none. */
static size_t lock_at(const unsigned char *bytes, size_t len)
{
    static const unsigned char prefixes[] = { 0xf2, 0xf3, 0x2e, 0x36, 0x3e,
                                              0x26, 0x64, 0x65, 0x66, 0x67 };
    size_t i = 0;

    while (i < len && memchr(prefixes, bytes[i], sizeof(prefixes)))
        i++;
    return i < len && bytes[i] == LOCK ? i : len;
}

/* One nop of `len` bytes, at least three. */
static void put_nop(unsigned char *bytes, size_t len)
{
    static const unsigned char nop[] = { 0x0f, 0x1f, 0x00 };

    assert(len >= sizeof(nop));
    memset(bytes, OPERAND_SIZE, len - sizeof(nop));
    memcpy(bytes + len - sizeof(nop), nop, sizeof(nop));
}

/* Nop first, so that other prefixes still stand before their instruction. */
static void put_unlocked(unsigned char *bytes, size_t at)
{
    memmove(bytes + 1, bytes, at);
    bytes[0] = NOP;
}

/* Does it do nothing but order? */
static bool is_pure(const struct fnp_effect *e)
{
    return e->n_touches == 0 && !e->regs_read && !e->regs_written &&
           e->flow == FNP_FLOW_NEXT && !e->stand_in && e->len >= 3;
}

static void patch(struct walk *w, uint64_t addr, const struct fnp_effect *e)
{
    struct fnp_patch *out = w->out;
    struct fnp_patch_site *site = &out->sites[out->n_sites++];
    unsigned char *bytes = out->bytes + (addr - w->code->addr);
    size_t lock = lock_at(bytes, e->len);

    *site = (struct fnp_patch_site){ .addr = addr, .len = e->len };
    if (lock < e->len) {
        site->kind = FNP_PATCH_UNLOCKED;
        put_unlocked(bytes, lock);
    } else if (is_pure(e)) {
        site->kind = FNP_PATCH_NOPED;
        put_nop(bytes, e->len);
    } else {
        site->kind = FNP_PATCH_KEPT;
        site->why = (e->opcode & 0xfe) == XCHG ? "xchg with memory locks by itself"
                                               : "it does more than order stores";
        out->n_kept++;
    }
}

static void go_on_at(struct walk *w, uint64_t addr)
{
    if (addr - w->code->addr < w->code->len && !w->seen[addr - w->code->addr])
        w->next[w->n_next++] = addr;
}

/* Does what comes next in memory follow? */
static bool falls_through(const struct fnp_effect *e)
{
    return e->flow == FNP_FLOW_NEXT || e->flow == FNP_FLOW_BRANCH ||
           e->flow == FNP_FLOW_CALL || e->flow == FNP_FLOW_SYSCALL;
}

static void follow(struct walk *w, uint64_t addr)
{
    struct fnp_effect e;

    while (addr - w->code->addr < w->code->len && !w->seen[addr - w->code->addr] &&
           fnp_effect_of(w->code, addr, &e)) {
        w->seen[addr - w->code->addr] = true;
        if (e.order == FNP_ORDERS_FENCE)
            patch(w, addr, &e);
        if (e.is_direct)
            go_on_at(w, e.target);
        else if (e.flow == FNP_FLOW_JUMP || e.flow == FNP_FLOW_CALL)
            w->out->indirect = true;
        if (!falls_through(&e))
            return;
        addr += e.len;
    }
}

void fnp_patch_unfence(struct fnp_arena *arena, const struct fnp_code *code,
                       const uint64_t *starts, size_t n_starts, struct fnp_patch *out)
{
    struct walk w = { .code = code, .out = out };

    /* Each instruction is a site, and adds a place to go on at, at most once. */
    *out = (struct fnp_patch){
        .bytes = fnp_arena_alloc(arena, code->len),
        .sites = fnp_arena_array(arena, code->len, sizeof(*out->sites)),
    };
    w.seen = fnp_arena_array(arena, code->len, sizeof(*w.seen));
    w.next = fnp_arena_array(arena, code->len, sizeof(*w.next));
    memcpy(out->bytes, code->bytes, code->len);
    for (size_t i = 0; i < n_starts; i++) {
        go_on_at(&w, starts[i]);
        while (w.n_next > 0)
            follow(&w, w.next[--w.n_next]);
    }
}
