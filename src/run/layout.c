/* SPDX-License-Identifier: MIT */
#include "run/layout.h"

/* Fixed points of a field, bytes from its start. */
enum {
    MID_BASE = 64 * 1024,
    PAGE = 4096
};

/* A block to place: bytes [-before, after) around the address that is chosen. */
struct block {
    uint64_t before, after;
    uint64_t align; /* of the address, a power of two */
    int residue;    /* wanted address modulo 64, or -1 */
    unsigned place, line;
    bool paired; /* another one begins at a distance: `before`, else above */
};

#define SPLIT 0x80000000u

/* The highest address <= limit that fits residue and alignment. */
static uint64_t fit_down(uint64_t limit, const struct block *b)
{
    uint64_t addr = limit;

    if (b->residue >= 0) {
        addr = (limit & ~63ull) + (unsigned)b->residue;
        if (addr > limit)
            addr -= 64;
    }
    return addr & ~(b->align - 1);
}

/* The lowest address >= limit that fits. */
static uint64_t fit_up(uint64_t limit, const struct block *b)
{
    uint64_t addr = (limit + b->align - 1) & ~(b->align - 1);

    if (b->residue >= 0) {
        addr = (limit & ~63ull) + (unsigned)b->residue;
        if (addr < limit)
            addr += 64;
        addr = (addr + b->align - 1) & ~(b->align - 1);
    }
    return addr;
}

/* Does the whole block lie in [lo, hi)?  addr may be anywhere, below lo as well. */
static bool fits(uint64_t addr, const struct block *b, uint64_t lo, uint64_t hi)
{
    return addr >= lo + b->before && addr <= hi - b->after;
}

/*
 * Across 0x80000000: one block in its middle, two so that the upper one begins there and
 * the lower one below, since what is compared is where they begin.
 */
static uint64_t choose_split(const struct block *b)
{
    if (b->before)
        return fit_up(SPLIT, b);
    return fit_down(b->paired ? SPLIT - 1 : SPLIT - b->after / 2, b);
}

static uint64_t choose(const struct fnp_field_place *field, const struct block *b)
{
    const uint64_t lo = (uint64_t)(uintptr_t)field->kernel;
    const uint64_t hi = lo + field->len;

    if (lo < SPLIT && hi > SPLIT && b->place == FNP_PLACE_MID) {
        uint64_t addr = choose_split(b);

        if (fits(addr, b, lo, hi))
            return addr;
    }
    switch (b->place) {
    case FNP_PLACE_END:
        return fit_down(hi - b->after, b);
    case FNP_PLACE_START:
        return fit_up(lo + b->before, b);
    case FNP_PLACE_CROSS:
        return fit_down(lo + field->len / 2 + b->before / 2 - b->after / 2, b);
    default:
        break;
    }
    uint64_t start = lo + MID_BASE + ((b->before + 4095) & ~4095ull);

    return (start + b->line * 64u + (b->residue > 0 ? (unsigned)b->residue : 0)) &
           ~(b->align - 1);
}

static struct block block_of(const struct fnp_case *c, const struct fnp_buf *buf,
                             uint64_t len)
{
    unsigned role = buf->role;

    return (struct block){
        .after = len,
        .align = buf->align ? buf->align : 1,
        .residue = (int)c->offset[role] - 1,
        .place = c->place[role],
        .line = c->line[role],
    };
}

static int64_t distance_of(const struct fnp_case *c, uint64_t len)
{
    if (c->relation == FNP_REL_DISTANCE)
        return c->distance;
    return c->distance >= 0 ? (int64_t)len - c->distance : -(int64_t)len - c->distance;
}

static void put(struct fnp_layout *out, const struct fnp_buf *buf, uint64_t addr,
                uint64_t len, struct fnp_field_place *field, bool read_only)
{
    uint64_t lo = (uint64_t)(uintptr_t)field->kernel;

    fnp_field_ready(field, buf->role);
    out->field[buf->role] = field;
    /* Field by field: a literal becomes a slow string instruction. */
    struct fnp_placed *p = &out->buf[buf->role];

    p->addr = addr;
    p->len = len;
    p->mapped = len;
    p->lo = lo;
    p->hi = lo + field->len;
    out->end[buf->role] = p->hi;
    p->present = true;
    p->read_only = read_only;
}

/*
 * Does a huge buffer at addr end where a caller's could?  A size beyond 2^62 is one that
 * no caller has; the others must find no memory of ours behind the window.
 */
static bool has_room(const struct fnp_field_place *field, uint64_t addr, uint64_t len)
{
    if (field->guard_high == FNP_LOW_GUARD)
        return addr + len <= 1ull << 32;
    return len >= 1ull << 62 || len <= field->guard_high - FNP_WINDOW_LEN;
}

/* Does what is reserved behind a field hold a buffer at addr with its redzone? */
static bool has_alias_room(const struct fnp_field_place *field, uint64_t len)
{
    return field->guard_high != FNP_LOW_GUARD && len <= FNP_ALIAS_N_MAX;
}

/* Up to where such a buffer is accessible: flush, or with a redzone behind an output. */
static uint64_t alias_end(const struct fnp_case *c, const struct fnp_buf *buf,
                          uint64_t end)
{
    bool flush = !buf->writes || c->place[buf->role] == FNP_PLACE_END;

    return (end + (flush ? 0 : FNP_REDZONE_LEN) + PAGE - 1) & ~(uint64_t)(PAGE - 1);
}

/* A buffer of 2^31 bytes and more: in its field lies its first window. */
static bool put_huge(struct fnp_layout *out, const struct fnp_case *c,
                     const struct fnp_buf *buf, uint64_t len,
                     struct fnp_field_place *field)
{
    uint64_t hi = (uint64_t)(uintptr_t)field->kernel + field->len;
    struct block b = block_of(c, buf, FNP_WINDOW_LEN);
    const bool alias = c->huge == FNP_HUGE_ALIAS;
    uint64_t limit = hi - FNP_WINDOW_LEN;

    if (alias && b.place == FNP_PLACE_END)
        limit -= (limit + len) % PAGE;
    uint64_t addr = fit_down(limit, &b);

    /* fnp_buf_len saturates: no caller can pass such an n. */
    if (len == UINT64_MAX || !has_room(field, addr, len) ||
        (alias && !has_alias_room(field, len)))
        return false;
    put(out, buf, addr, len, field, !buf->writes);
    out->buf[buf->role].mapped = hi - addr;
    if (alias)
        out->end[buf->role] = alias_end(c, buf, addr + len);
    out->alias |= alias;
    out->huge |= !alias;
    return true;
}

/* The address of dst.  In a split field place=dst:cross is about src, which has no place. */
static uint64_t choose_pair(const struct fnp_field_place *field, const struct block *b,
                            int64_t distance, uint64_t src_len)
{
    const uint64_t lo = (uint64_t)(uintptr_t)field->kernel;
    const uint64_t hi = lo + field->len;

    if (lo < SPLIT && hi > SPLIT && b->place == FNP_PLACE_CROSS) {
        uint64_t addr = fit_down(SPLIT - src_len / 2 + (uint64_t)distance, b);

        if (fits(addr, b, lo, hi))
            return addr;
    }
    return choose(field, b);
}

/* dst and src in dst's field, at the distance the case asks for. */
static bool put_pair(struct fnp_layout *out, const struct fnp_case *c,
                     const struct fnp_buf *dst, const struct fnp_buf *src,
                     struct fnp_field_place *field)
{
    uint64_t dst_len = fnp_buf_len(dst, c->n), src_len = fnp_buf_len(src, c->n);
    int64_t distance = distance_of(c, dst_len);
    struct block b = block_of(c, dst, dst_len);
    uint64_t src_after = 0, addr = 0;

    b.paired = true;

    if (dst_len > FNP_FIELD_N_MAX || src_len > FNP_FIELD_N_MAX)
        return false;
    if (distance > 0) {
        b.before = (uint64_t)distance;
        src_after = src_len > b.before ? src_len - b.before : 0;
    } else {
        src_after = src_len + (uint64_t)-distance;
    }
    if (src_after > b.after)
        b.after = src_after;
    if (b.before + b.after > FNP_FIELD_LEN - 2 * (uint64_t)MID_BASE - 8192)
        return false;
    addr = choose_pair(field, &b, distance, src_len);
    put(out, dst, addr, dst_len, field, false);
    put(out, src, addr - (uint64_t)distance, src_len, field, false);
    out->shared = true;
    return true;
}

/* 32-bit code cannot reach the high fields: its ordinary cases stand in the low ones. */
static unsigned kind_of(const struct fnp_contract *contract, const struct fnp_case *c)
{
    return contract->is32 && c->field == FNP_FIELD_HIGH ? FNP_FIELD_LOW : c->field;
}

/* A buffer in a field of its own. */
static bool put_alone(struct fnp_fields *fields, const struct fnp_contract *contract,
                      const struct fnp_case *c, const struct fnp_buf *buf,
                      struct fnp_layout *out)
{
    const unsigned large = contract->is32 ? FNP_FIELD_LARGE_LOW : FNP_FIELD_LARGE;
    struct fnp_field_place *field = &fields->place[kind_of(contract, c)][buf->role];
    uint64_t len = fnp_buf_len(buf, c->n);

    if (!field->usable)
        return false;
    if (len > FNP_FIELD_N_MAX && c->field != FNP_FIELD_HIGH)
        return false;
    if (len >= FNP_HUGE_N_MIN)
        return put_huge(out, c, buf, len, field);
    if (len > FNP_FIELD_N_MAX) {
        field = &fields->place[large][buf->role];
        out->large = true;
        if (len > FNP_LARGE_N_MAX || !field->usable)
            return false;
    }
    struct block b = block_of(c, buf, len);

    put(out, buf, choose(field, &b), len, field, !buf->writes);
    return true;
}

/* Is an aliased case one that can be filled and compared? */
static bool suits_alias(const struct fnp_contract *contract, const struct fnp_case *c,
                        const struct fnp_layout *layout)
{
    const struct fnp_placed *buf = layout->buf;
    const bool copies = contract->op == FNP_OP_COPY || contract->op == FNP_OP_MOVE;

    if (!layout->alias || contract->op == FNP_OP_REF || c->repeat)
        return false;
    for (size_t i = 0; i < contract->n_bufs; i++) {
        if (contract->bufs[i].writes && contract->bufs[i].reads)
            return false;
    }
    return !copies || (buf[FNP_SRC].present && buf[FNP_SRC].len >= buf[FNP_DST].len);
}

bool fnp_layout_make(struct fnp_fields *fields, const struct fnp_contract *contract,
                     const struct fnp_case *c, struct fnp_layout *out)
{
    const struct fnp_buf *dst = fnp_contract_buf(contract, FNP_DST);
    const struct fnp_buf *src = fnp_contract_buf(contract, FNP_SRC);
    const unsigned kind = kind_of(contract, c);
    bool pair = c->relation != FNP_REL_NONE && dst && src;

    out->huge = false;
    out->alias = false;
    out->large = false;
    out->shared = false;
    for (unsigned role = 0; role < FNP_MAX_BUFS; role++) {
        out->buf[role].present = false;
        out->field[role] = NULL;
    }
    if (c->field == FNP_FIELD_SPLIT31 && !contract->is32)
        return false;
    if (pair && (!fields->place[kind][FNP_DST].usable ||
                 !put_pair(out, c, dst, src, &fields->place[kind][FNP_DST])))
        return false;
    for (size_t i = 0; i < contract->n_bufs; i++) {
        const struct fnp_buf *buf = &contract->bufs[i];

        if (pair && (buf->role == FNP_DST || buf->role == FNP_SRC))
            continue;
        if (!put_alone(fields, contract, c, buf, out))
            return false;
    }
    return c->huge != FNP_HUGE_ALIAS || suits_alias(contract, c, out);
}

static bool in_range(uint64_t addr, uint64_t lo, uint64_t hi)
{
    return addr >= lo && addr < hi;
}

/* Inside a huge buffer, where nothing is mapped?  addr + len may wrap. */
static bool is_behind_window(const struct fnp_layout *layout,
                             const struct fnp_placed *p, uint64_t addr)
{
    return !layout->alias && p->mapped < p->len && addr - p->hi < p->len - p->mapped;
}

/* Is this what is left of the address of `p` after 32 bits? */
static bool is_truncated(uint64_t addr, const struct fnp_placed *p)
{
    uint64_t base = (uint32_t)p->addr;
    uint64_t span = p->mapped + 65536;

    if (addr >> 32 != 0 && addr >> 32 != 0xffffffffu)
        return false;
    return (uint32_t)addr - base < span || base - (uint32_t)addr < 4096;
}

void fnp_layout_classify(const struct fnp_layout *layout, struct fnp_fault *fault)
{
    for (unsigned role = 0; role < FNP_MAX_BUFS; role++) {
        const struct fnp_placed *p = &layout->buf[role];
        struct fnp_field_place *field = layout->field[role];

        if (!p->present || (layout->shared && role == FNP_SRC))
            continue;
        fault->role = (uint8_t)role;
        fault->offset = (int64_t)(fault->addr - p->addr);
        if (is_behind_window(layout, p, fault->addr)) {
            fault->region = FNP_REGION_HUGE;
            return;
        }
        if (in_range(fault->addr, p->lo, layout->end[role])) {
            fault->region = fault->access == FNP_ACCESS_WRITE ? FNP_REGION_SOURCE
                                                              : FNP_REGION_UNKNOWN;
            return;
        }
        if (in_range(fault->addr, p->lo - field->guard_low,
                     p->hi + field->guard_high)) {
            fault->region = FNP_REGION_GUARD;
            return;
        }
    }
    for (unsigned role = 0; role < FNP_MAX_BUFS; role++) {
        if (layout->buf[role].present &&
            is_truncated(fault->addr, &layout->buf[role])) {
            fault->region = FNP_REGION_TRUNCATED;
            fault->role = (uint8_t)role;
            return;
        }
    }
    fault->role = 0;
    fault->offset = 0;
    fault->region = FNP_REGION_UNKNOWN;
}
