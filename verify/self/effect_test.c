/* SPDX-License-Identifier: MIT */
/*
 * effect_test.c - does an instruction do to memory and registers what effect.h says?
 *
 * Each row of effect_rows.def runs natively from several random states.  What it changed
 * must be what was claimed; whatever is claimed must fault when it is taken away, and
 * nothing else may; a register is read when its value makes a difference.
 */
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/rng.h"
#include "base/status.h"
#include "trace/access.h"
#include "verify/self/effect_machine.h"
#include "verify/self/tap.h"
#include "x86/scan.h"

struct effect_row {
    const unsigned char *setup, *insn, *end;
    const char *text;
    uint32_t bits, align, flags, pad;
};
extern const struct effect_row effect_rows[], effect_rows_end[];

enum {
    SEEDS = 5,
    LEAST_ROWS = 500, /* run here: else the test has seen too little */
    MAX_CLAIMS = 80,
    STD_AT = CODE,
    CLD_AT = CODE + 1,
    TWISTS = 3 /* ways to change a register */
};

/* What is claimed of a byte. */
enum {
    READ = 1,
    WRITE = 2,
    MAYBE = 4
};

struct claims {
    uint8_t of[N_SLOTS][EFFECT_SLOT_LEN];
    struct fnp_traced_access all[MAX_CLAIMS];
    unsigned n;
};

/* The row at hand. */
static const struct effect_row *row;
static bool is32;
static struct fnp_insns insns;
static struct fnp_image image;
static unsigned char code[CODE_LEN];
static const struct fnp_effect *effect;
static char why[200]; /* the first thing that is wrong; "": nothing */
static uint16_t seen_read, seen_written;

static struct effect_state fresh, before, after, twisted, other;
static struct claims claims;

#define WRONG(...) (void)(why[0] || snprintf(why, sizeof(why), __VA_ARGS__))

/* ---- states */

static uint64_t word(uint64_t value)
{
    return is32 ? (uint32_t)value : value;
}

/* A random state; `shift` is added to the pointers into each slot. */
static void make_fresh(uint64_t seed, const int64_t shift[N_SLOTS])
{
    static const uint8_t pointers[N_SLOTS] = { FNP_RDI, FNP_RSI, FNP_RBX, FNP_RSP };
    struct fnp_rng rng = { seed };
    const uint32_t mxcsr = 0x1f80;

    memset(fresh.x, 0, sizeof(fresh.x));
    memcpy(fresh.x + 24, &mxcsr, sizeof(mxcsr));
    for (unsigned i = 0; i < N_SLOTS; i++) {
        for (unsigned k = 0; k < EFFECT_SLOT_LEN; k += 8) {
            uint64_t r = fnp_rng_next(&rng);

            memcpy(fresh.memory[i] + k, &r, 8);
        }
    }
    for (unsigned i = 0; i < FNP_N_GPRS; i++)
        fresh.gpr[i] = word(fnp_rng_next(&rng));
    for (unsigned i = 0; i < N_SLOTS; i++)
        fresh.gpr[pointers[i]] = EDGE(i) + (uint64_t)shift[i];
    fresh.gpr[FNP_RBP] = fresh.gpr[FNP_RSP] + 64;
    fresh.flags = 2 | (fnp_rng_next(&rng) & FNP_FLAGS_STATUS);
}

/* `fresh` after the setup. */
static bool make_before(void)
{
    struct effect_end e = effect_machine_run(
        row->setup, (size_t)(row->insn - row->setup), is32, &fresh, NULL, &before);

    if (e.sig)
        WRONG("its setup ended with signal %d", e.sig);
    return !e.sig;
}

static struct effect_end run(const struct effect_state *from,
                             const struct effect_away *away, struct effect_state *to)
{
    return effect_machine_run(row->insn, (size_t)(row->end - row->insn), is32, from,
                              away, to);
}

/* ---- claims */

static void on_access(void *arg, const struct fnp_step *s,
                      const struct fnp_traced_access *a)
{
    struct claims *c = arg;

    if (s->index != 1)
        return;
    if (c->n < MAX_CLAIMS)
        c->all[c->n++] = *a;
    for (unsigned i = 0; i < N_SLOTS && !a->unknown; i++) {
        for (uint64_t k = 0; k < a->len; k++) {
            uint64_t at = a->addr + k - SLOT(i);

            if (at < EFFECT_SLOT_LEN)
                c->of[i][at] |=
                    (uint8_t)((a->read ? READ : 0) | (a->write ? WRITE : 0) |
                              (a->maybe ? MAYBE : 0));
        }
    }
}

/* The bytes of the register that masks, as the recorder logs it. */
static void put_mask(const struct fnp_touch *t, const struct effect_state *s,
                     unsigned char *out)
{
    if (t->masked == FNP_MASKED_K || t->masked == FNP_MASKED_PACKED) {
        memcpy(out, s->x + effect_machine_offset(5) + 8 * t->mask, 8);
    } else if (effect->mask_is_mmx) {
        memcpy(out, s->x + 32 + 16 * t->mask, 8);
    } else {
        memcpy(out, s->x + 160 + 16 * t->mask, 16);
        memcpy(out + 16, s->x + effect_machine_offset(2) + 16 * t->mask, 16);
    }
}

union record {
    struct fnp_log64 wide;
    struct fnp_log32 narrow;
};

static unsigned char *record_at(unsigned char *log, size_t i)
{
    return log + i * (is32 ? sizeof(struct fnp_log32) : sizeof(struct fnp_log64));
}

static void put_record(unsigned char *at, uint64_t addr, const struct effect_state *s)
{
    union record r = { 0 };

    if (is32) {
        r.narrow.at = (uint32_t)(addr - CODE);
        for (unsigned i = 0; i < FNP_N_GPRS_32; i++)
            r.narrow.gpr[i] = (uint32_t)s->gpr[i];
        memcpy(at, &r.narrow, sizeof(r.narrow));
    } else {
        r.wide.at = (uint32_t)(addr - CODE);
        memcpy(r.wide.gpr, s->gpr, sizeof(r.wide.gpr));
        memcpy(at, &r.wide, sizeof(r.wide));
    }
}

/* What the trace says of the instruction between two states; NULL: it did not end. */
static void claim(const struct effect_state *from, const struct effect_state *to)
{
    unsigned char records[4 * sizeof(struct fnp_log64)] = { 0 };
    const struct fnp_steps steps = { .access = on_access, .arg = &claims };
    const uint32_t is_mask = FNP_LOG_MASK;
    const bool back = from->flags & FNP_FLAG_DF;
    size_t n = 0;

    memset(&claims, 0, sizeof(claims));
    /* Only of an instruction that did not end may the log's own DF be believed: popf. */
    put_record(record_at(records, n++), back == (to == NULL) ? STD_AT : CLD_AT, from);
    for (unsigned i = 0; i < effect->n_touches; i++) {
        if (effect->touch[i].masked) {
            unsigned char *at = record_at(records, n++);

            memcpy(at, &is_mask, sizeof(is_mask));
            put_mask(&effect->touch[i], from, at + FNP_LOG_MASK_AT);
            break;
        }
    }
    put_record(record_at(records, n++), INSN, from);
    if (to)
        put_record(record_at(records, n++), EXIT, to);
    const struct fnp_log log = {
        .records = records, .count = n, .is32 = is32, .span = CODE
    };

    if (!fnp_trace_walk(&insns, &log, &steps))
        WRONG("the walk fails");
}

static bool is_claimed(uint64_t addr)
{
    for (unsigned i = 0; i < claims.n; i++) {
        if (addr - claims.all[i].addr < claims.all[i].len)
            return true;
    }
    return false;
}

/* ---- writes */

static void check_writes(void)
{
    bool again = false;

    other = before;
    for (unsigned i = 0; i < N_SLOTS; i++) {
        for (unsigned k = 0; k < EFFECT_SLOT_LEN; k++) {
            bool changed = before.memory[i][k] != after.memory[i][k];
            unsigned c = claims.of[i][k];

            if (changed && !(c & WRITE))
                WRONG("wrote slot %u%+d", i, (int)k - SLOT_HALF);
            if (!changed && c == WRITE) {
                other.memory[i][k] ^= 0xff;
                again = true;
            }
        }
    }
    if (!again)
        return;
    /* What was not changed held its new value by chance. */
    run(&other, NULL, &twisted);
    for (unsigned i = 0; i < N_SLOTS; i++) {
        for (unsigned k = 0; k < EFFECT_SLOT_LEN; k++) {
            if (other.memory[i][k] != before.memory[i][k] &&
                twisted.memory[i][k] == other.memory[i][k])
                WRONG("did not write slot %u%+d", i, (int)k - SLOT_HALF);
        }
    }
}

/* ---- faults */

/* Run with a part of a slot away: it faults exactly when that is claimed. */
static void check_away(struct effect_away away)
{
    unsigned lo = away.high && !away.whole ? SLOT_HALF : 0;
    unsigned hi = away.high || away.whole ? EFFECT_SLOT_LEN : SLOT_HALF;
    unsigned mask = away.writes ? WRITE : READ | WRITE;
    bool must = false, may = row->flags & PROBES;
    struct effect_end e;

    for (unsigned k = lo; k < hi; k++) {
        unsigned c = claims.of[away.slot][k];

        may |= (c & mask) != 0;
        must |= (c & mask) && !(c & MAYBE) && !(row->flags & PROBES);
    }
    e = run(&before, &away, NULL);
    if (e.sig && (!e.known || e.addr - SLOT(away.slot) >= EFFECT_SLOT_LEN))
        WRONG("ended with signal %d", e.sig);
    if ((e.sig && !may) || (!e.sig && must))
        WRONG("%s %s slot %u, where it is %s", e.sig ? "touched" : "did not touch",
              away.whole  ? "somewhere in"
              : away.high ? "the high half of"
                          : "the low half of",
              away.slot, away.writes ? "not written" : "not there");
}

/* With `at` on the edge of its slot, or one of its neighbours as far as it is aligned. */
static void check_edge(uint64_t seed, const int64_t shift[N_SLOTS], unsigned slot,
                       int at)
{
    int64_t moved[N_SLOTS];
    int64_t align = row->align;

    memcpy(moved, shift, sizeof(moved));
    moved[slot] += (SLOT_HALF - at) / align * align;
    make_fresh(seed, moved);
    if (!make_before() || run(&before, NULL, &after).sig)
        return;
    claim(&before, &after);
    for (unsigned k = 0; k < 4; k++)
        check_away((struct effect_away){ slot, k & 1, k & 2, false });
}

static void check_faults(uint64_t seed, const int64_t shift[N_SLOTS])
{
    for (unsigned i = 0; i < N_SLOTS; i++) {
        int lo = EFFECT_SLOT_LEN, hi = -1;

        make_fresh(seed, shift);
        if (!make_before() || run(&before, NULL, &after).sig)
            return;
        claim(&before, &after);
        check_away((struct effect_away){ i, false, false, true });
        check_away((struct effect_away){ i, false, true, true });
        for (int k = 0; k < EFFECT_SLOT_LEN; k++) {
            if (claims.of[i][k]) {
                lo = k < lo ? k : lo;
                hi = k + 1;
            }
        }
        for (int k = -1; hi >= 0 && k <= 1; k++) {
            check_edge(seed, shift, i, lo + k);
            check_edge(seed, shift, i, hi + k);
        }
    }
}

/* ---- registers */

/* Does `now` come out of another `was` as it went in, where they differ? */
static bool passed(unsigned r)
{
    uint64_t in = before.gpr[r] ^ twisted.gpr[r];
    uint64_t out = after.gpr[r] ^ other.gpr[r];
    uint64_t kept = ~(after.gpr[r] ^ before.gpr[r]) & ~(other.gpr[r] ^ twisted.gpr[r]);

    return (out & ~(in & kept)) == 0;
}

static bool same_but(unsigned r)
{
    for (unsigned i = 0; i < FNP_N_GPRS; i++) {
        if (i != r && after.gpr[i] != other.gpr[i])
            return false;
    }
    return passed(r) && after.flags == other.flags &&
           !memcmp(after.x, other.x, EFFECT_XLEN) &&
           !memcmp(after.memory, other.memory, sizeof(after.memory));
}

static void look_at_register(unsigned r, struct fnp_rng *rng)
{
    const uint64_t random = fnp_rng_next(rng);
    const uint64_t twist[TWISTS] = { random | 1, 1 + (random & 0x7f),
                                     (random & 0x7fff) << 16 };

    for (unsigned k = 0; k < TWISTS; k++) {
        twisted = before;
        twisted.gpr[r] = word(twisted.gpr[r] ^ twist[k]);
        if (run(&twisted, NULL, &other).sig || !same_but(r))
            seen_read |= (uint16_t)(1u << r);
        else if (other.gpr[r] != twisted.gpr[r])
            seen_written |= (uint16_t)(1u << r);
    }
}

static void look_at_registers(uint64_t seed)
{
    struct fnp_rng rng = { ~seed };

    for (unsigned r = 0; r < (is32 ? FNP_N_GPRS_32 : FNP_N_GPRS); r++) {
        if (before.gpr[r] != after.gpr[r])
            seen_written |= (uint16_t)(1u << r);
        look_at_register(r, &rng);
    }
}

static void check_registers(void)
{
    for (unsigned r = 0; r < FNP_N_GPRS; r++) {
        int read = (effect->regs_read >> r & 1) - (seen_read >> r & 1);
        int written = (effect->regs_written >> r & 1) - (seen_written >> r & 1);
        int most = row->flags & REGS ? 1 : 0;

        if (read < 0 || read > most)
            WRONG("%s %s", read < 0 ? "read" : "did not read", fnp_gpr_names[r]);
        if (written < 0 || written > most)
            WRONG("%s %s", written < 0 ? "wrote" : "did not write", fnp_gpr_names[r]);
    }
}

/* ---- x87 */

static void check_x87(void)
{
    const unsigned was = before.x[3] >> 3 & 7, top = after.x[3] >> 3 & 7;
    const unsigned tags_were = before.x[4], tags = after.x[4];
    const unsigned moved = (was + (unsigned)effect->x87_top) & 7;
    bool ok = false;

    switch ((enum fnp_x87_stack)effect->x87) {
    case FNP_X87_STACK_SAME:
        ok = top == was && tags == tags_were;
        break;
    case FNP_X87_STACK_STACK:
        ok = top == moved;
        break;
    case FNP_X87_STACK_VALID:
        ok = top == 0 && tags == 0xff;
        break;
    case FNP_X87_STACK_EMPTY:
        ok = top == 0 && tags == 0;
        break;
    case FNP_X87_STACK_LOADED:
        ok = top != was || tags != tags_were;
        break;
    }
    if (!ok)
        WRONG("moved TOP from %u to %u, tags from %02x to %02x", was, top, tags_were,
              tags);
}

/* ---- rows */

/* Where it is not known beforehand that it is maybe or unknown, it must be certain. */
static void check_certainty(void)
{
    bool unknown = row->flags & UNKNOWN;

    if (unknown && claims.n == 0)
        WRONG("touches nothing");
    for (unsigned i = 0; i < claims.n; i++) {
        if (claims.all[i].unknown != unknown)
            WRONG("is %sknown", unknown ? "" : "un");
        if (claims.all[i].maybe && !(row->flags & (LOOSE | UNKNOWN)))
            WRONG("is not certain");
    }
}

/* From one random state. */
static void check_seed(uint64_t seed)
{
    struct fnp_rng rng = { seed * 77 };
    int64_t shift[N_SLOTS];
    struct effect_end e;

    for (unsigned i = 0; i < N_SLOTS; i++)
        shift[i] = (int64_t)row->align * ((int64_t)fnp_rng_below(&rng, 40) - 20);
    make_fresh(seed, shift);
    if (!make_before())
        return;
    e = run(&before, NULL, &after);
    claim(&before, e.sig ? NULL : &after);
    if (row->flags & WILD) {
        if (!e.known || !is_claimed(e.addr))
            WRONG("went to %#llx, not to %#llx", (unsigned long long)e.addr,
                  (unsigned long long)claims.all[0].addr);
        return;
    }
    if (e.sig)
        WRONG("ended with signal %d", e.sig);
    check_certainty();
    check_x87();
    if (seed & 1)
        look_at_registers(seed);
    if (!(row->flags & UNKNOWN)) {
        check_writes();
        check_faults(seed, shift);
    }
}

/* Has the CPU what the row needs? */
static const char *lacking(void)
{
    const struct fnp_code c = { .bytes = row->setup,
                                .len = (size_t)(row->end - row->setup),
                                .addr = INSN,
                                .is32 = is32 };
    struct fnp_scan scan;
    fnp_features lacks;

    if (is32 && !fnp_cpu()->compat)
        return "32-bit code";
    fnp_scan_code(&c, INSN, &scan);
    lacks = scan.needs & ~fnp_cpu_features();
    for (unsigned i = 0; i < FNP_N_FEATURES; i++) {
        if (lacks >> i & 1)
            return fnp_feature_name(i);
    }
    return scan.unlisted;
}

static bool begin_row(struct fnp_arena *arena)
{
    image = (struct fnp_image){ .entry = INSN, .is32 = is32, .n_segments = 1 };
    image.segments[0] = (struct fnp_segment){
        .addr = CODE, .len = CODE_LEN, .prot = FNP_PROT_R | FNP_PROT_X, .bytes = code
    };
    memset(code, 0x90, sizeof(code));
    code[STD_AT - CODE] = 0xfd;
    code[CLD_AT - CODE] = 0xfc;
    memcpy(code + (INSN - CODE), row->insn, (size_t)(row->end - row->insn));
    insns = (struct fnp_insns){ .arena = arena, .image = &image };
    why[0] = '\0';
    seen_read = seen_written = 0;
    fnp_insns_at(&insns, STD_AT);
    fnp_insns_at(&insns, CLD_AT);
    fnp_insns_at(&insns, EXIT);
    effect = fnp_insns_at(&insns, INSN);
    return effect && effect->len == row->end - row->insn;
}

/* What the manuals say of instructions that few CPUs have: bytes read and written. */
static const struct {
    const char *name;
    unsigned reads, writes;
} by_manual[] = {
    { "clzero",    0,  64 },
    { "enqcmd ",   64, 64 },
    { "movntss",   0,  4  },
    { "movntsd",   0,  8  },
    { "femms",     0,  0  },
    { "invlpg",    0,  0  },
    { "0x0f, 0x1", 0,  0  },
};

/* Looked at only: what cannot be run here. */
static void look_at_row(void)
{
    static const int64_t shift[N_SLOTS];
    uint64_t reads = 0, writes = 0;

    make_fresh(1, shift);
    if (!make_before())
        return;
    claim(&before, NULL);
    check_certainty();
    for (unsigned i = 0; i < claims.n; i++) {
        reads += claims.all[i].read ? claims.all[i].len : 0;
        writes += claims.all[i].write ? claims.all[i].len : 0;
    }
    for (size_t i = 0; i < FNP_ARRAY_LEN(by_manual); i++) {
        if (strstr(row->text, by_manual[i].name) &&
            (reads != by_manual[i].reads || writes != by_manual[i].writes))
            WRONG("reads %u and writes %u bytes", (unsigned)reads, (unsigned)writes);
    }
}

static bool check_row(void)
{
    struct fnp_arena arena = { 0 };
    const char *lacks = row->flags & NEVER ? "privilege or permission" : lacking();
    bool decodes = begin_row(&arena);

    if (!decodes)
        WRONG("does not decode");
    else if (lacks)
        look_at_row();
    for (uint64_t seed = 1; decodes && !lacks && seed <= SEEDS && !why[0]; seed++)
        check_seed(seed);
    if (!lacks && !(row->flags & WILD))
        check_registers();
    tap_ok(!why[0], "%u: %s%s%s%s%s", row->bits, row->text, why[0] ? ": it " : "", why,
           lacks ? " # skip no " : "", lacks ? lacks : "");
    fnp_arena_release(&arena);
    return decodes && !lacks;
}

/* ---- the tables */

static const char *const in_tables[] = {
#define OVERLAY(NAME, what) #NAME,
#include "x86/overlay.def"
#undef OVERLAY
#define X87(NAME, effect, top) #NAME,
#include "x86/x87.def"
#undef X87
};

/* Is there a row whose instruction is called so, a suffix for its operand apart? */
static bool has_row(const char *name)
{
    for (const struct effect_row *r = effect_rows; r < effect_rows_end; r++) {
        const struct fnp_code c = { .bytes = r->insn,
                                    .len = (size_t)(r->end - r->insn),
                                    .is32 = r->bits == 32 };
        char text[100];
        struct fnp_str s = fnp_str_over(text, sizeof(text));
        const char *at;

        fnp_insn_text(&c, 0, &s);
        at = strcasestr(text, name);
        if (at && strchr(" wlqst", at[strlen(name)]))
            return true;
    }
    return false;
}

int main(void)
{
    unsigned n = 0;

    effect_machine_open();
    for (row = effect_rows; row < effect_rows_end; row++) {
        is32 = row->bits == 32;
        n += check_row();
    }
    for (size_t i = 0; i < FNP_ARRAY_LEN(in_tables); i++)
        tap_ok(has_row(in_tables[i]), "a row runs %s", in_tables[i]);
    tap_ok(n >= LEAST_ROWS, "%u rows were run", n);
    return tap_done();
}
