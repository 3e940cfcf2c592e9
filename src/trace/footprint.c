/* SPDX-License-Identifier: MIT */
#include "trace/footprint.h"

#include <string.h>

enum {
    MARGIN = 8192, /* bytes looked at on both sides of a buffer */
    MAX_LEN = FNP_FOOTPRINT_MAX,
    ZONE_LEN = MAX_LEN + 2 * MARGIN,
    SHARED_LEN = 2 * ZONE_LEN, /* two buffers in one field */
    MAX_ZONES = FNP_MAX_BUFS,
    BIGGEST_BLOCK = 4096,
    MAX_BELOW = 4096, /* distinct bytes kept of what lies below the stack */
};

/* What happened to a byte. */
enum {
    WRITTEN = 1,
    REWRITTEN = 2,
    PENDING = 4,   /* its last store was weak, and no fence came since */
    WEAK_ONCE = 8, /* a weak store to it is not fenced, whatever came on top of it */
    SEEN_OUTSIDE = 16,
    SEEN_EARLY = 32,
    READABLE = 64, /* of an input, or in an aligned block that may be read */
    OUTPUT = 128,  /* of an output */
};

/* The same bit in each of eight bytes. */
#define EIGHT(bits) ((bits) * 0x0101010101010101u)

/* Field bytes [lo, hi) with one shadow byte each. */
struct zone {
    uint64_t lo, hi;
    uint8_t *shadow; /* SHARED_LEN bytes */
};

struct fnp_footprints {
    struct zone zones[MAX_ZONES];
    unsigned n_zones;
    uint64_t weak_lo, weak_hi; /* hull of weak stores since the last fence, in zones */
    /* the case at hand */
    const struct fnp_outcome *outcome;
    const struct fnp_footprint_rules *rules;
    struct fnp_footprint *out;
    uint64_t rsp;         /* at entry: where the return address is */
    uint64_t stack_bytes; /* of the machine word */
    struct round {
        uint64_t insn;
        uint32_t count;
        uint32_t log; /* which log it was met in: entries of earlier ones are empty */
    } *rounds;
    size_t n_rounds; /* a power of two */
    uint32_t n_logs;
};

enum {
    N_ROUNDS = 8192
};

struct fnp_footprints *fnp_footprints_make(struct fnp_arena *arena)
{
    struct fnp_footprints *f = fnp_arena_alloc(arena, sizeof(*f));

    for (unsigned i = 0; i < MAX_ZONES; i++)
        f->zones[i].shadow = fnp_arena_alloc(arena, SHARED_LEN);
    f->rounds = fnp_arena_array(arena, N_ROUNDS, sizeof(*f->rounds));
    f->n_rounds = N_ROUNDS;
    return f;
}

/* ---- rounds */

static uint32_t *round_of(struct fnp_footprints *f, uint64_t insn)
{
    size_t i = (size_t)(insn * 0x9e3779b97f4a7c15u >> 40) & (f->n_rounds - 1);

    for (size_t tries = 0; tries < f->n_rounds; tries++) {
        if (f->rounds[i].insn == insn || f->rounds[i].log != f->n_logs)
            break;
        i = (i + 1) & (f->n_rounds - 1);
    }
    if (f->rounds[i].insn != insn || f->rounds[i].log != f->n_logs)
        f->rounds[i] = (struct round){ .insn = insn, .log = f->n_logs };
    return &f->rounds[i].count;
}

/* ---- events */

static void widen(struct fnp_event_seen *e, int64_t offset)
{
    if (e->count == 0 || offset < e->first)
        e->first = offset;
    if (e->count == 0 || offset > e->last)
        e->last = offset;
    e->count++;
}

static void note(struct fnp_footprints *f, enum fnp_event kind,
                 const struct fnp_step *s, unsigned role, int64_t offset)
{
    struct fnp_event_seen *e = &f->out->events[kind];

    if (e->count == 0 && s) {
        e->insn = s->addr;
        e->step = (uint32_t)s->index;
        e->round = *round_of(f, s->addr);
    }
    if (e->count == 0)
        e->role = (uint8_t)role;
    if (e->role == role)
        widen(e, offset);
}

/* ---- where a byte is */

static const struct fnp_placed *placed(const struct fnp_footprints *f, unsigned role)
{
    return &f->outcome->buf[role];
}

static bool inside(const struct fnp_placed *p, uint64_t addr)
{
    return p->present && addr - p->addr < p->len;
}

static struct zone *zone_at(struct fnp_footprints *f, uint64_t addr)
{
    for (unsigned i = 0; i < f->n_zones; i++) {
        if (addr >= f->zones[i].lo && addr < f->zones[i].hi)
            return &f->zones[i];
    }
    return NULL;
}

/* Is it in an aligned block of n bytes that holds bytes of an input?  n 0: no. */
static bool in_block(const struct fnp_footprints *f, uint64_t addr, uint64_t n)
{
    for (unsigned role = 0; n && role < FNP_MAX_BUFS; role++) {
        const struct fnp_placed *p = placed(f, role);

        if (f->rules->is_input[role] && p->present && p->len &&
            addr >= (p->addr & ~(n - 1)) &&
            addr < ((p->addr + p->len + n - 1) & ~(n - 1)))
            return true;
    }
    return false;
}

/* The buffer whose field it is in, and which it is nearest to. */
static unsigned nearest(const struct fnp_footprints *f, uint64_t addr, int64_t *offset)
{
    uint64_t best = UINT64_MAX;
    unsigned at = 0;

    for (unsigned role = 0; role < FNP_MAX_BUFS; role++) {
        const struct fnp_placed *p = placed(f, role);
        uint64_t far = addr < p->addr             ? p->addr - addr
                       : addr >= p->addr + p->len ? addr - (p->addr + p->len) + 1
                                                  : 0;

        if (p->present && addr >= p->lo && addr < p->hi && far < best) {
            best = far;
            at = role;
        }
    }
    *offset = (int64_t)(addr - placed(f, at)->addr);
    return at;
}

/* ---- accesses to fields */

/* The blocks that it takes to allow reading this byte, too. */
static void note_block(struct fnp_footprints *f, uint64_t addr)
{
    bool first = f->out->events[FNP_EVENT_READ_OUTSIDE].count == 0;
    uint64_t n = first ? 2 : f->out->block;

    while (n && n <= BIGGEST_BLOCK && !in_block(f, addr, n))
        n *= 2;
    f->out->block = n <= BIGGEST_BLOCK ? n : 0;
}

static void read_byte(struct fnp_footprints *f, struct zone *z,
                      const struct fnp_step *s, uint64_t addr)
{
    uint8_t *shadow = &z->shadow[addr - z->lo];
    int64_t offset = 0;
    unsigned role;

    if (*shadow & (WRITTEN | READABLE))
        return;
    role = nearest(f, addr, &offset);
    if (*shadow & OUTPUT) {
        if (!(*shadow & SEEN_EARLY))
            note(f, FNP_EVENT_READ_EARLY, s, role, offset);
        *shadow |= SEEN_EARLY;
        return;
    }
    if (!(*shadow & SEEN_OUTSIDE)) {
        note_block(f, addr);
        note(f, FNP_EVENT_READ_OUTSIDE, s, role, offset);
    }
    *shadow |= SEEN_OUTSIDE;
}

static void write_byte(struct fnp_footprints *f, struct zone *z,
                       const struct fnp_step *s, uint64_t addr, bool weak)
{
    uint8_t *shadow = &z->shadow[addr - z->lo];
    bool again = *shadow & WRITTEN;
    int64_t offset = 0;
    unsigned role;

    if (!(*shadow & OUTPUT)) {
        role = nearest(f, addr, &offset);
        if (!again)
            note(f,
                 inside(placed(f, role), addr) ? FNP_EVENT_SOURCE_WRITE
                                               : FNP_EVENT_WRITE_OUTSIDE,
                 s, role, offset);
    } else if (again && !(*shadow & REWRITTEN)) {
        role = nearest(f, addr, &offset);
        note(f, FNP_EVENT_REWRITTEN, s, role, offset);
        *shadow |= REWRITTEN;
    }
    *shadow |= WRITTEN;
    *shadow = (uint8_t)(weak ? *shadow | PENDING | WEAK_ONCE : *shadow & ~PENDING);
}

/* Words of an output that this store covers in part only. */
static void note_torn(struct fnp_footprints *f, const struct fnp_step *s,
                      const struct fnp_traced_access *a)
{
    uint64_t n = f->rules->word;

    for (unsigned role = 0; n && role < FNP_MAX_BUFS; role++) {
        const struct fnp_placed *p = placed(f, role);
        uint64_t lo = a->addr & ~(n - 1), end = a->addr + a->len;

        if (!p->present || !f->rules->is_output[role])
            continue;
        lo = lo < p->addr ? p->addr & ~(n - 1) : lo;
        for (; lo < end && lo < p->addr + p->len; lo += n) {
            bool whole = lo >= p->addr && lo + n <= p->addr + p->len;
            bool once = a->element >= n && (a->addr - lo) % a->element == 0 &&
                        lo >= a->addr && lo + n <= end;

            if (whole && !once)
                note(f, FNP_EVENT_TORN, s, role, (int64_t)(lo - p->addr));
        }
    }
}

/* The usual thing done to eight bytes at once; false: they must be looked at singly. */
static bool touch_eight(uint8_t *shadow, const struct fnp_traced_access *a)
{
    uint64_t bytes = 0;

    memcpy(&bytes, shadow, sizeof(bytes));
    if (a->read && ((bytes & EIGHT(WRITTEN)) | (bytes & EIGHT(READABLE)) / READABLE) !=
                       EIGHT(WRITTEN))
        return false;
    if (!a->write)
        return true;
    if ((bytes & EIGHT(OUTPUT | WRITTEN)) != EIGHT(OUTPUT))
        return false;
    bytes |= EIGHT(WRITTEN) | (a->weak ? EIGHT(PENDING | WEAK_ONCE) : 0);
    memcpy(shadow, &bytes, sizeof(bytes));
    return true;
}

static void touch_field(struct fnp_footprints *f, struct zone *z,
                        const struct fnp_step *s, const struct fnp_traced_access *a)
{
    uint64_t end = a->addr + a->len < z->hi ? a->addr + a->len : z->hi;
    uint64_t addr = a->addr > z->lo ? a->addr : z->lo;

    if (a->write && f->rules->word)
        note_torn(f, s, a);
    if (a->weak) {
        f->weak_lo = addr < f->weak_lo ? addr : f->weak_lo;
        f->weak_hi = end > f->weak_hi ? end : f->weak_hi;
    }
    while (addr < end) {
        if (end - addr >= 8 && touch_eight(&z->shadow[addr - z->lo], a)) {
            addr += 8;
            continue;
        }
        if (a->read)
            read_byte(f, z, s, addr);
        if (a->write)
            write_byte(f, z, s, addr, a->weak);
        addr++;
    }
}

/* ---- accesses to the stack */

/* A locked operation on the stack is how old code fences: lock addl $0,(%rsp).  What it
 * changes there shows when memory is compared. */
static bool is_fence_on_stack(const struct fnp_step *s,
                              const struct fnp_traced_access *a)
{
    return s->effect->order == FNP_ORDERS_FENCE && a->read && a->write;
}

static void touch_stack(struct fnp_footprints *f, const struct fnp_step *s,
                        const struct fnp_traced_access *a)
{
    uint64_t rsp = s->gpr[FNP_RSP] < s->rsp_after ? s->gpr[FNP_RSP] : s->rsp_after;
    uint64_t floor = rsp - f->rules->redzone;
    uint64_t args = f->rsp + f->stack_bytes + f->rules->frame_args;

    if (is_fence_on_stack(s, a))
        return;
    if (a->addr < floor && floor - a->addr <= MAX_BELOW) {
        f->out->events[FNP_EVENT_BELOW_STACK].is_write |= a->write;
        note(f, FNP_EVENT_BELOW_STACK, s, 0, (int64_t)(a->addr - rsp));
    }
    if (a->maybe)
        return; /* where it ends is not known */
    if (a->write && a->addr + a->len > f->rsp && a->addr < f->rsp + f->stack_bytes)
        note(f, FNP_EVENT_ABOVE_STACK, s, 0, (int64_t)(a->addr - f->rsp));
    else if (a->write && a->addr >= args)
        note(f, FNP_EVENT_ABOVE_STACK, s, 0, (int64_t)(a->addr - f->rsp));
}

/* ---- a log */

static void fence(struct fnp_footprints *f, const struct fnp_step *s)
{
    for (unsigned i = 0; i < f->n_zones; i++) {
        struct zone *z = &f->zones[i];
        uint64_t lo = f->weak_lo > z->lo ? f->weak_lo : z->lo;
        uint64_t hi = f->weak_hi < z->hi ? f->weak_hi : z->hi;

        for (uint64_t addr = lo; addr < hi; addr++)
            z->shadow[addr - z->lo] &= (uint8_t)~(PENDING | WEAK_ONCE);
    }
    if (f->out->weak_insn)
        f->out->fence_insn = s->addr;
    f->weak_lo = UINT64_MAX;
    f->weak_hi = 0;
    f->out->events[FNP_EVENT_PENDING_ELSE] = (struct fnp_event_seen){ 0 };
}

static void on_step(void *arg, const struct fnp_step *s)
{
    struct fnp_footprints *f = arg;

    ++*round_of(f, s->addr);
    f->out->n_steps = s->index + 1;
    if (s->effect->order == FNP_ORDERS_FENCE)
        fence(f, s);
    if (s->effect->stand_in) {
        if (f->out->n_stand_ins++ == 0)
            f->out->stand_in = s->addr;
    }
}

static bool on_stack(const struct fnp_footprints *f, uint64_t addr)
{
    enum {
        NEAR = 128 * 1024
    };

    return addr - (f->rsp - NEAR) < 2 * NEAR;
}

static void on_access(void *arg, const struct fnp_step *s,
                      const struct fnp_traced_access *a)
{
    struct fnp_footprints *f = arg;
    struct zone *z;

    if (a->unknown)
        return;
    if (a->weak)
        f->out->weak_insn = s->addr;
    if (on_stack(f, a->addr)) {
        touch_stack(f, s, a);
        if (a->weak)
            note(f, FNP_EVENT_PENDING_ELSE, s, 0, (int64_t)(a->addr - f->rsp));
        return;
    }
    if (a->maybe)
        return;
    z = zone_at(f, a->addr);
    z = z ? z : zone_at(f, a->addr + a->len - 1);
    if (z)
        touch_field(f, z, s, a);
}

static void make_zone(struct fnp_footprints *f, const struct fnp_placed *p)
{
    uint64_t end = p->addr + p->len;
    uint64_t lo = p->addr - p->lo > MARGIN ? p->addr - MARGIN : p->lo;
    uint64_t hi = p->hi - end > MARGIN ? end + MARGIN : p->hi;

    for (unsigned i = 0; i < f->n_zones; i++) {
        struct zone *z = &f->zones[i];

        /* Two buffers of one field: one zone for both. */
        if (lo < z->hi && hi > z->lo) {
            z->lo = lo < z->lo ? lo : z->lo;
            z->hi = hi > z->hi ? hi : z->hi;
            return;
        }
    }
    f->zones[f->n_zones].lo = lo;
    f->zones[f->n_zones++].hi = hi;
}

/* Set a bit of [lo, hi), as far as it is in a zone. */
static void mark(struct fnp_footprints *f, uint64_t lo, uint64_t hi, uint8_t bit)
{
    for (unsigned i = 0; i < f->n_zones; i++) {
        struct zone *z = &f->zones[i];
        uint64_t end = hi < z->hi ? hi : z->hi;

        for (uint64_t addr = lo > z->lo ? lo : z->lo; addr < end; addr++)
            z->shadow[addr - z->lo] |= bit;
    }
}

/* What may be done to a buffer's bytes, and to those of its aligned blocks. */
static void mark_buffer(struct fnp_footprints *f, unsigned role)
{
    const struct fnp_placed *p = placed(f, role);
    uint64_t n = f->rules->reads_aligned ? f->rules->reads_aligned : 1;

    if (!p->present || p->len == 0)
        return;
    if (f->rules->is_output[role])
        mark(f, p->addr, p->addr + p->len, OUTPUT);
    if (f->rules->is_input[role])
        mark(f, p->addr & ~(n - 1), (p->addr + p->len + n - 1) & ~(n - 1), READABLE);
}

static bool make_zones(struct fnp_footprints *f)
{
    f->n_zones = 0;
    for (unsigned role = 0; role < FNP_MAX_BUFS; role++) {
        const struct fnp_placed *p = placed(f, role);

        if (p->present && p->len > MAX_LEN)
            return false;
        if (p->present)
            make_zone(f, p);
    }
    for (unsigned i = 0; i < f->n_zones; i++)
        memset(f->zones[i].shadow, 0, f->zones[i].hi - f->zones[i].lo);
    for (unsigned role = 0; role < FNP_MAX_BUFS; role++)
        mark_buffer(f, role);
    return true;
}

/* Were eight bytes written, and is nothing on its way to them? */
static bool are_plain(const uint8_t *shadow)
{
    uint64_t bytes = 0;

    memcpy(&bytes, shadow, sizeof(bytes));
    return (bytes & EIGHT(WRITTEN | PENDING | WEAK_ONCE)) == EIGHT(WRITTEN);
}

/* What no store went to, and what is still on its way. */
static void look_at_outputs(struct fnp_footprints *f)
{
    for (unsigned role = 0; role < FNP_MAX_BUFS; role++) {
        const struct fnp_placed *p = placed(f, role);
        struct zone *z = p->present && p->len ? zone_at(f, p->addr) : NULL;

        if (!z || !f->rules->is_output[role])
            continue;
        for (uint64_t i = 0; i < p->len; i++) {
            if (p->len - i >= 8 && are_plain(&z->shadow[p->addr + i - z->lo])) {
                i += 7;
                continue;
            }
            uint8_t shadow = z->shadow[p->addr + i - z->lo];

            if (!(shadow & WRITTEN))
                note(f, FNP_EVENT_NOT_WRITTEN, NULL, role, (int64_t)i);
            if (shadow & PENDING)
                note(f, FNP_EVENT_PENDING, NULL, role, (int64_t)i);
            else if (shadow & WEAK_ONCE)
                note(f, FNP_EVENT_PENDING_ELSE, NULL, role, (int64_t)i);
        }
    }
    f->out->events[FNP_EVENT_PENDING].insn = f->out->weak_insn;
}

bool fnp_footprint_of(struct fnp_footprints *f, struct fnp_insns *insns,
                      const struct fnp_log *log, const struct fnp_outcome *outcome,
                      const struct fnp_footprint_rules *rules,
                      struct fnp_footprint *out)
{
    const struct fnp_steps steps = { .step = on_step, .access = on_access, .arg = f };
    struct fnp_record first;

    *out = (struct fnp_footprint){ .ended = log->ended };
    f->outcome = outcome;
    f->rules = rules;
    f->out = out;
    f->weak_lo = UINT64_MAX;
    f->weak_hi = 0;
    f->stack_bytes = fnp_word_len(log->is32);
    f->n_logs++;
    if (log->count == 0 || !make_zones(f))
        return false;
    fnp_log_read(log, 0, &first);
    f->rsp = first.gpr[FNP_RSP];
    out->complete = log->ended == FNP_RECORDED_ALL && outcome->end == FNP_END_RETURNED;
    if (!fnp_trace_walk(insns, log, &steps))
        return false;
    if (out->complete)
        look_at_outputs(f);
    return true;
}
