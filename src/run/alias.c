/* SPDX-License-Identifier: MIT */
#include "run/alias.h"

#include <string.h>
#include <sys/mman.h>

#include "run/context.h"
#include "run/observe.h"
#include "run/raw.h"
#include "run/reference.h"

enum {
    PAGE = 4096,
    MAX_OWN = 3,
    MAX_PARTS = MAX_OWN + 1,
    KEPT = 4, /* chunks of a buffer that are mapped at a time */
    SEEN_BITS = 64,
};

#define OWN_LEN   (64ull << 10) /* own memory on each side of a mark */
#define CHUNK_LEN (64ull << 20) /* mapped at a time */
#define MAX_CHUNK (2 * SEEN_BITS)

_Static_assert(FNP_ALIAS_N_MAX / CHUNK_LEN < MAX_CHUNK, "a bit for every chunk");
_Static_assert(FNP_ALIAS_LEN + MAX_OWN * (2 * OWN_LEN + 2 * PAGE) < 2 * FNP_FIELD_LEN,
               "what is written there before the call fits into `saved`");

/* [lo, hi) by address, `at` in the file: memory that stands there and nowhere else. */
struct own {
    uint64_t lo, hi, at;
};

/* Bytes [x, x + len) of an output, `at` in the file, that are compared. */
struct part {
    uint64_t x, at, len;
};

/* What lies behind the field of a buffer. */
struct stretch {
    unsigned char *harness; /* the file; NULL: not in use */
    int fd, prot;
    uint64_t lo, hi; /* addresses */
    uint64_t len;    /* bytes of the file: what repeats, then own memory */
    struct own own[MAX_OWN];
    unsigned n_own;
    struct part part[MAX_PARTS];
    unsigned n_parts;
    struct part tail; /* the redzone behind the buffer */
    uint64_t seen[MAX_CHUNK / SEEN_BITS];
    uint32_t kept[KEPT]; /* number of a mapped chunk, plus 1 */
    unsigned next;       /* of `kept`, to be replaced */
};

static union {
    struct stretch of[FNP_MAX_BUFS]; /* by role */
    unsigned char page[PAGE];
} stretches __attribute__((section("fnp_rw"), aligned(4096)));

_Static_assert(sizeof(stretches) == PAGE, "whole pages of section fnp_rw");

/* The order of calls is ascending. */
static void add_own(struct stretch *s, uint64_t lo, uint64_t hi)
{
    const uint64_t least = s->n_own ? s->own[s->n_own - 1].hi : s->lo;

    lo = lo > least ? lo & ~(uint64_t)(PAGE - 1) : least;
    hi = hi < s->hi ? hi & ~(uint64_t)(PAGE - 1) : s->hi;
    if (lo >= hi)
        return;
    s->own[s->n_own++] = (struct own){ lo, hi, s->len };
    s->len += hi - lo;
}

/* Where 31 or 32 bits end, and the buffer's end. */
static void choose_own(struct stretch *s, const struct fnp_placed *p)
{
    static const uint64_t marks[] = { 1ull << 31, 1ull << 32 };

    const uint64_t end = p->addr + p->len;

    for (size_t i = 0; i < FNP_ARRAY_LEN(marks); i++) {
        uint64_t mark = p->addr + marks[i];

        /* No mark ends so near the end that only its redzone would be left. */
        add_own(s, mark - OWN_LEN, mark + 2 * OWN_LEN < end ? mark + OWN_LEN : s->hi);
    }
    add_own(s, end - OWN_LEN, s->hi);
}

/*
 * What is compared.  Where the source's field ends behind the output's, the first round
 * holds other bytes at the start of what repeats than the later ones: left out.
 */
static void choose_parts(const struct fnp_lab *lab, struct stretch *s,
                         const struct fnp_placed *p)
{
    const struct fnp_placed *src = &lab->layout.buf[FNP_SRC];
    const uint64_t end = p->addr + p->len;
    uint64_t skip = 0;

    if (src->present && src->mapped > p->mapped)
        skip = src->mapped - p->mapped;
    s->part[s->n_parts++] =
        (struct part){ p->mapped + FNP_ALIAS_LEN + skip, skip, FNP_ALIAS_LEN - skip };
    for (unsigned i = 0; i < s->n_own; i++) {
        const struct own *own = &s->own[i];
        uint64_t hi = own->hi < end ? own->hi : end;

        s->part[s->n_parts++] =
            (struct part){ own->lo - p->addr, own->at, hi - own->lo };
        if (hi == end)
            s->tail = (struct part){ p->len, own->at + (hi - own->lo), own->hi - end };
    }
}

static bool open_one(const struct fnp_lab *lab, unsigned role)
{
    const struct fnp_placed *p = &lab->layout.buf[role];
    struct stretch *s = &stretches.of[role];

    *s = (struct stretch){ .prot = p->read_only ? PROT_READ : PROT_READ | PROT_WRITE,
                           .lo = p->hi,
                           .hi = lab->layout.end[role],
                           .len = FNP_ALIAS_LEN };
    if (lab->buf[role]->writes) {
        choose_own(s, p);
        choose_parts(lab, s, p);
    }
    s->fd = (int)fnp_raw3(SYS_memfd_create, (long)"alias", MFD_CLOEXEC, 0);
    if (s->fd < 0)
        return false;
    long got = fnp_raw3(SYS_ftruncate, s->fd, (long)s->len, 0);

    if (got == 0)
        got =
            fnp_raw_mmap_file(0, s->len, PROT_READ | PROT_WRITE, MAP_SHARED, s->fd, 0);
    if (got < 0 && got > -PAGE) {
        fnp_raw3(SYS_close, s->fd, 0, 0);
        return false;
    }
    s->harness = (unsigned char *)got;
    return true;
}

bool fnp_alias_open(const struct fnp_lab *lab)
{
    for (unsigned role = 0; role < FNP_MAX_BUFS; role++) {
        const struct fnp_placed *p = &lab->layout.buf[role];

        if (!p->present || p->mapped >= p->len)
            continue;
        if (p->mapped + FNP_ALIAS_LEN > FNP_FIELD_LEN || !open_one(lab, role)) {
            fnp_alias_close();
            return false;
        }
    }
    return true;
}

static long hide(uint64_t lo, uint64_t hi)
{
    return fnp_raw_mmap(lo, hi - lo, PROT_NONE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED);
}

void fnp_alias_close(void)
{
    for (unsigned role = 0; role < FNP_MAX_BUFS; role++) {
        struct stretch *s = &stretches.of[role];

        if (!s->harness)
            continue;
        hide(s->lo, s->hi);
        fnp_raw_munmap((uint64_t)(uintptr_t)s->harness, s->len);
        fnp_raw3(SYS_close, s->fd, 0, 0);
        s->harness = NULL;
    }
}

/* The place in the file behind an address; *end: up to where that goes on. */
static uint64_t offset_of(const struct stretch *s, uint64_t addr, uint64_t *end)
{
    const uint64_t phase = (addr - s->lo) % FNP_ALIAS_LEN;

    *end = addr + (FNP_ALIAS_LEN - phase);
    for (unsigned i = 0; i < s->n_own; i++) {
        const struct own *own = &s->own[i];

        if (addr >= own->lo && addr < own->hi) {
            *end = own->hi;
            return own->at + (addr - own->lo);
        }
        if (addr < own->lo && own->lo < *end)
            *end = own->lo;
    }
    return phase;
}

static bool map_chunk(const struct stretch *s, uint64_t lo, uint64_t hi)
{
    const int flags = MAP_SHARED | MAP_FIXED | MAP_POPULATE;
    uint64_t end = 0;

    for (uint64_t at = lo; at < hi; at = end) {
        uint64_t offset = offset_of(s, at, &end);

        end = end < hi ? end : hi;
        if (fnp_raw_mmap_file(at, end - at, s->prot, flags, s->fd, offset) != (long)at)
            return false;
    }
    return true;
}

static uint64_t chunk_end(const struct stretch *s, uint32_t chunk)
{
    const uint64_t end = s->lo + (chunk + 1) * CHUNK_LEN;

    return end < s->hi ? end : s->hi;
}

/* One more chunk in place of the one that has been there for longest. */
static bool bring(struct stretch *s, uint32_t chunk)
{
    uint32_t *slot = &s->kept[s->next];
    uint64_t *seen = &s->seen[chunk / SEEN_BITS], bit = 1ull << chunk % SEEN_BITS;

    for (unsigned i = 0; i < KEPT; i++) {
        if (s->kept[i] == chunk + 1)
            return false;
    }
    if (*slot)
        hide(s->lo + (*slot - 1) * CHUNK_LEN, chunk_end(s, *slot - 1));
    *slot = chunk + 1;
    s->next = (s->next + 1) % KEPT;
    /* Going on is progress, going round is not. */
    if (!(*seen & bit))
        fnp_context.ticks = 0;
    *seen |= bit;
    return map_chunk(s, s->lo + chunk * CHUNK_LEN, chunk_end(s, chunk));
}

bool fnp_alias_fault(uint64_t addr)
{
    const uint8_t selector = fnp_context.selector;
    bool brought = false;

    for (unsigned role = 0; role < FNP_MAX_BUFS; role++) {
        struct stretch *s = &stretches.of[role];

        if (!s->harness || addr - s->lo >= s->hi - s->lo)
            continue;
        fnp_context.selector = 0; /* these system calls are ours */
        brought = bring(s, (uint32_t)((addr - s->lo) / CHUNK_LEN));
        fnp_context.selector = selector;
    }
    return brought;
}

/* Bytes of a source from offset x on; *len: at most how many of them, cut to one piece. */
static const unsigned char *source_at(const struct fnp_lab *lab,
                                      const struct fnp_case *c, uint64_t x,
                                      uint64_t *len)
{
    const uint64_t mapped = lab->layout.buf[FNP_SRC].mapped;
    const uint64_t phase = (x - mapped) % FNP_ALIAS_LEN;
    const unsigned char *bytes = fnp_contents_of(&lab->contents, c, FNP_SRC);

    if (*len > FNP_ALIAS_LEN - phase)
        *len = FNP_ALIAS_LEN - phase;
    return bytes + mapped + phase;
}

/* The bytes wanted in a part of an output, in memory behind `expect`'s own use. */
static const unsigned char *expected(const struct fnp_lab *lab,
                                     const struct fnp_case *c, unsigned role,
                                     const struct part *part)
{
    unsigned char *bytes = lab->expect + FNP_FIELD_LEN;
    const uint8_t elem = lab->buf[role]->elem > 1 ? lab->buf[role]->elem : 1;

    switch (lab->kernel->contract.op) {
    case FNP_OP_COPY:
    case FNP_OP_MOVE:
        for (uint64_t done = 0, len = 0; done < part->len; done += len) {
            const unsigned char *from = NULL;

            len = part->len - done;
            from = source_at(lab, c, part->x + done, &len);
            memcpy(bytes + done, from, len);
        }
        return bytes;
    default:
        /* From a multiple of the element on, then cut. */
        fnp_reference_set(bytes,
                          lab->kernel->contract.op == FNP_OP_SET ? c->value[0] : 0,
                          elem, part->len + elem);
        return bytes + part->x % elem;
    }
}

/* What an output holds before the call, by place in its file. */
static unsigned char *old_bytes(const struct fnp_lab *lab, unsigned role)
{
    return lab->saved[role] + FNP_FIELD_LEN;
}

static void fill_output(const struct fnp_lab *lab, const struct fnp_case *c,
                        unsigned role)
{
    const struct stretch *s = &stretches.of[role];
    unsigned char *old = old_bytes(lab, role);

    for (unsigned i = 0; i < s->n_parts; i++) {
        const struct part *part = &s->part[i];
        const unsigned char *want = expected(lab, c, role, part);

        for (uint64_t k = 0; k < part->len; k++)
            old[part->at + k] = (unsigned char)~want[k];
    }
    memcpy(old + s->tail.at, lab->layout.field[role]->pristine, s->tail.len);
    memcpy(s->harness, old, s->len);
}

void fnp_alias_fill(const struct fnp_lab *lab, const struct fnp_case *c)
{
    for (unsigned role = 0; role < FNP_MAX_BUFS; role++) {
        const struct stretch *s = &stretches.of[role];

        if (!s->harness)
            continue;
        if (lab->buf[role]->writes)
            fill_output(lab, c, role);
        else
            memcpy(s->harness,
                   fnp_contents_of(&lab->contents, c, role) +
                       lab->layout.buf[role].mapped,
                   FNP_ALIAS_LEN);
    }
}

void fnp_alias_compare(const struct fnp_lab *lab, const struct fnp_case *c,
                       unsigned role, struct fnp_outcome *out)
{
    const struct stretch *s = &stretches.of[role];
    const unsigned char *old = old_bytes(lab, role);

    if (!s->harness)
        return;
    for (unsigned i = 0; i < s->n_parts && out->body[role].count == 0; i++) {
        const struct part *part = &s->part[i];
        struct fnp_comparison cmp = {
            .got = s->harness + part->at,
            .want = expected(lab, c, role, part),
            .stale = old + part->at,
            .len = part->len,
            .origin = -(int64_t)part->x,
        };

        fnp_observe_diff(&cmp, &out->body[role]);
    }
    struct fnp_comparison cmp = {
        .got = s->harness + s->tail.at,
        .want = old + s->tail.at,
        .len = s->tail.len,
        .origin = -(int64_t)s->tail.x,
    };

    fnp_observe_diff(&cmp, &out->tail[role]);
}
