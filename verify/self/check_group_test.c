/* SPDX-License-Identifier: MIT */
/*
 * check_group_test.c - a case and its variants: undeclared inputs and lossy copies;
 * waivers, declared CPU features, and when two findings are the same
 *
 * A row says what base and variants show.  Variants without an edit are clean; those
 * not in `ran` are NULL.
 */
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "verify/check.h"
#include "verify/self/tap.h"

enum who {
    BASE,
    JUNK,
    UPPER,
    NEUTRAL,
    OTHER,
    N_OUTCOMES
};

#define R(who) (1u << (who))
#define SAME   R(N_OUTCOMES)     /* OTHER is run with the case of the base */
#define BOTH   R(N_OUTCOMES + 1) /* JUNK changes the upper bits too */
#define ALL    (R(JUNK) | R(UPPER) | R(NEUTRAL) | R(OTHER))

static struct fnp_contract memcpy_contract(void)
{
    return (struct fnp_contract){
        .bufs = { { .role = FNP_DST, .name = "dst", .mul = 1, .writes = true },
                 { .role = FNP_SRC, .name = "src", .mul = 1, .reads = true } },
        .n_bufs = 2,
        .has_n = true,
        .returns = FNP_RETURNS_DST,
        .returns_width = 8,
    };
}

/* Clean outcomes whose cases differ as those of a group do. */
static void clean_group(struct fnp_outcome o[N_OUTCOMES])
{
    for (unsigned i = 0; i < N_OUTCOMES; i++) {
        o[i] = (struct fnp_outcome){ .c = fnp_case_default(), .judged_bytes = true };
        o[i].c.n = 100;
        o[i].buf[FNP_DST] = (struct fnp_placed){ .len = 100, .present = true };
        o[i].buf[FNP_SRC] = o[i].buf[FNP_DST];
        o[i].in.captured = o[i].out.captured = FNP_HAS_GPR;
        o[i].out.gpr[FNP_RSP] = 8;
        o[i].has_want_return = true;
    }
    o[JUNK].c.junk = 3;
    o[UPPER].c.upper = FNP_UPPER_ZERO;
    o[OTHER].c.seed = 8;
}

/* What one outcome shows. */
enum shows {
    NOTHING,
    BYTES,       /* wrong bytes, hash 1 */
    BYTES2,      /* the same place, other wrong bytes */
    BYTES_FROM2, /* the same, and other wanted bytes: the source differs */
    MISSING,     /* never written */
    OVERRUN,
    RETURN,
    RETURN2, /* another wrong value */
    UNSET,   /* what the register held at entry */
    RBX,
    WILD_READ,
    WILD_READ2, /* at another address */
    NO_ADDRESS, /* #GP */
    HANG,
    DIED,
    SKIPPED,
    TOOL,
    MISSING2, /* the same over other old bytes */
    QUIETED,  /* a double sNaN became a quiet one */
    QUIETED_FLOAT,
    NOT_A_NAN, /* the same bit, no NaN */
    CUT_NAN,   /* its exponent is not within the range */
    SYSCALL,
    ILLEGAL,
    FRAME,
    SOURCE,
    HOSTILE_OVERRUN,
    SNAN_BYTES, /* wrong bytes, and the fill is hostile */
    BYTES_AND_OVERRUN,
    UPPER_DIRTY,
};

static void show_bytes(struct fnp_outcome *o, unsigned kind)
{
    struct fnp_diff *d = &o->body[FNP_DST];

    d->count = 1;
    d->first = d->last = 17;
    d->n_bytes = 1;
    d->hash = kind == BYTES || kind == MISSING ? 1 : 2;
    d->got[0] = (uint8_t)d->hash;
    d->want[0] = kind == BYTES_FROM2 ? 0x77 : 0x2a;
    d->stale = kind == MISSING;
}

/* Bytes `want` and `next` are wanted, bits `set` are set in the first one. */
static void show_nan(struct fnp_outcome *o, uint8_t want, uint8_t next, uint8_t set)
{
    struct fnp_diff *d = &o->body[FNP_DST];

    show_bytes(o, BYTES);
    d->n_bytes = 16;
    d->want[0] = want;
    d->got[0] = want | set;
    d->want[1] = d->got[1] = next;
}

static void show_fault(struct fnp_outcome *o, uint8_t region, uint64_t addr)
{
    o->end = FNP_END_FAULT;
    o->fault = (struct fnp_fault){ .sig = SIGSEGV,
                                   .rip = 0x2a4000000012u,
                                   .addr = addr,
                                   .access = FNP_ACCESS_READ,
                                   .region = region };
}

static void show_overrun(struct fnp_outcome *o)
{
    o->tail[FNP_DST].count = 1;
    o->tail[FNP_DST].first = o->tail[FNP_DST].last = 100;
}

/* What differs in memory after a return; false when `what` is none of these. */
static bool show_memory(struct fnp_outcome *o, enum shows what)
{
    switch (what) {
    case BYTES:
    case BYTES2:
    case BYTES_FROM2:
    case MISSING:
        show_bytes(o, what);
        return true;
    case MISSING2:
        show_bytes(o, BYTES2);
        o->body[FNP_DST].stale = 1;
        return true;
    case QUIETED:
        show_nan(o, 0xf4, 0x7f, 0x08);
        return true;
    case QUIETED_FLOAT:
        show_nan(o, 0xa6, 0xff, 0x40);
        return true;
    case NOT_A_NAN:
        show_nan(o, 0xf4, 0x7e, 0x08);
        return true;
    case CUT_NAN:
        show_nan(o, 0xf4, 0x7f, 0x08);
        o->body[FNP_DST].n_bytes = 1;
        return true;
    case SNAN_BYTES:
        show_bytes(o, BYTES);
        o->c.fill = FNP_FILL_SNAN;
        return true;
    case BYTES_AND_OVERRUN:
        show_bytes(o, BYTES);
        show_overrun(o);
        return true;
    case HOSTILE_OVERRUN:
        o->c.fill = FNP_FILL_SNAN;
        show_overrun(o);
        return true;
    case OVERRUN:
        show_overrun(o);
        return true;
    case FRAME:
        o->frame.count = 8;
        return true;
    case SOURCE:
        o->body[FNP_SRC].count = 1;
        return true;
    case TOOL:
        o->tool.count = 1;
        return true;
    default:
        return false;
    }
}

/* Registers, and how the call ended. */
static void show_rest(struct fnp_outcome *o, enum shows what)
{
    switch (what) {
    case RETURN:
    case RETURN2:
        o->out.gpr[FNP_RAX] = what;
        break;
    case UNSET:
        o->in.gpr[FNP_RAX] = o->out.gpr[FNP_RAX] = 5;
        break;
    case RBX:
        o->out.gpr[FNP_RBX] = 1;
        break;
    case UPPER_DIRTY:
        o->out.captured |= FNP_HAS_INUSE;
        o->out.xinuse = 4;
        break;
    case WILD_READ:
    case WILD_READ2:
        show_fault(o, FNP_REGION_UNKNOWN, what);
        break;
    case NO_ADDRESS:
        show_fault(o, FNP_REGION_NONCANONICAL, 0);
        break;
    case ILLEGAL:
        show_fault(o, FNP_REGION_UNKNOWN, 0);
        o->fault.sig = SIGILL;
        break;
    case SYSCALL:
        o->end = FNP_END_SYSCALL;
        break;
    case HANG:
        o->end = FNP_END_HANG;
        break;
    case DIED:
        o->end = FNP_END_DIED;
        break;
    case SKIPPED:
        o->end = FNP_END_SKIPPED;
        break;
    default:
        break;
    }
}

static void show(struct fnp_outcome *o, enum shows what)
{
    if (!show_memory(o, what)) {
        show_rest(o, what);
    }
}

/* clang-format off */
static const struct row {
    const char *name;
    const char *expect; /* slug, then the slugs of `also`; "": clean */
    const char *region;
    const char *says;
    unsigned ran;
    enum shows shows[N_OUTCOMES]; /* base, junk, upper, neutral, other */
} rows[] = {
    { "a clean base", "", NULL, NULL, ALL, { NOTHING, BYTES, BYTES, BYTES, BYTES } },
    { "wrong everywhere alike", "wrong-bytes", "dst-first64", NULL, ALL,
      { BYTES, BYTES, BYTES, BYTES, BYTES } },
    { "no variant was run", "wrong-bytes", NULL, NULL, 0, { BYTES } },
    { "right with other junk", "undeclared-input wrong-bytes", "input",
      "result depends on junk in caller-saved registers: wrong-bytes with junk=0, clean with junk=3 (1 byte differs",
      ALL, { BYTES, NOTHING, BYTES, BYTES, BYTES } },
    { "right with upper bits zero", "undeclared-input wrong-bytes", "input",
      "result depends on unused argument bits: wrong-bytes with upper=junk, clean with "
      "upper=zero", ALL, { BYTES, BYTES, NOTHING, BYTES, BYTES } },
    { "other wrong bytes with other junk", "undeclared-input wrong-bytes", "input",
      "another one with junk=3", ALL, { BYTES, BYTES2, BYTES, BYTES, BYTES } },
    { "over-run only with junk", "undeclared-input stray-write", NULL, NULL, ALL,
      { OVERRUN, NOTHING, NOTHING, NOTHING, NOTHING } },
    { "over-run with any junk", "stray-write", "dst-tail", NULL, ALL,
      { OVERRUN, OVERRUN, OVERRUN, OVERRUN, OVERRUN } },
    { "crash turns into wrong bytes", "undeclared-input crash", NULL,
      "crash with junk=0, wrong-bytes with junk=3", R(JUNK), { WILD_READ, BYTES } },
    { "crash at an address made of junk", "undeclared-input crash", NULL, NULL, R(JUNK),
      { WILD_READ, WILD_READ2 } },
    { "crash at one address", "crash", "read-fault", NULL, ALL,
      { WILD_READ, WILD_READ, WILD_READ, WILD_READ, WILD_READ } },
    { "crash without address", "crash", NULL, NULL, R(JUNK), { NO_ADDRESS, NO_ADDRESS } },
    { "hang only with junk", "undeclared-input hang", NULL, NULL, ALL, { HANG } },
    { "hang with any junk", "hang", NULL, NULL, R(JUNK) | R(UPPER), { HANG, HANG, HANG } },
    { "returns junk", "bad-return", "return", NULL, R(JUNK), { RETURN, RETURN2 } },
    { "return register never set", "bad-return", NULL, "rax was never set", R(JUNK),
      { UNSET, NOTHING } },
    { "bad return only with junk", "undeclared-input bad-return", NULL, NULL, R(JUNK),
      { RETURN, NOTHING } },
    { "register lost only with junk", "register-lost", "rbx", NULL, ALL, { RBX } },
    { "our memory, only once", "stray-write", "tool", NULL, ALL, { TOOL } },
    { "died only once", "crash", "died", NULL, ALL, { DIED } },
    { "variants that say nothing", "wrong-bytes", NULL, NULL, R(JUNK) | R(UPPER) | R(OTHER),
      { BYTES, DIED, SKIPPED, NOTHING, SKIPPED } },
    { "other wrong bytes with old bytes", "undeclared-input wrong-bytes", "old",
      "old destination bytes or an earlier call: wrong-bytes with seed=0", R(OTHER),
      { BYTES, NOTHING, NOTHING, NOTHING, BYTES2 } },
    { "source differs with the seed", "wrong-bytes", NULL, NULL, R(OTHER),
      { BYTES, NOTHING, NOTHING, NOTHING, BYTES_FROM2 } },
    { "right over other old bytes, same case", "undeclared-input wrong-bytes", "old",
      "earlier call: wrong-bytes, clean with others (1 byte", R(OTHER) | SAME,
      { BYTES, NOTHING, NOTHING, NOTHING, NOTHING } },
    { "wrong otherwise over other old bytes, same case", "undeclared-input wrong-bytes",
      "old", "wrong-bytes, other wrong bytes with others", R(OTHER) | SAME,
      { BYTES, NOTHING, NOTHING, NOTHING, BYTES2 } },
    { "wrong alike over other old bytes", "wrong-bytes", NULL, NULL, R(OTHER) | SAME,
      { BYTES, NOTHING, NOTHING, NOTHING, BYTES } },
    { "never written over other old bytes", "wrong-bytes", NULL, NULL, R(OTHER) | SAME,
      { MISSING, NOTHING, NOTHING, NOTHING, MISSING2 } },
    { "never written, other old bytes happen to be right", "wrong-bytes", NULL, NULL,
      R(OTHER) | SAME, { MISSING, NOTHING, NOTHING, NOTHING, NOTHING } },
    { "or-ed onto old bytes that covered it", "undeclared-input wrong-bytes", "old", NULL,
      R(OTHER) | SAME, { MISSING, NOTHING, NOTHING, NOTHING, BYTES2 } },
    { "or-ed zeros, other values show it", "undeclared-input wrong-bytes", "old", NULL,
      R(OTHER), { MISSING, NOTHING, NOTHING, NOTHING, BYTES_FROM2 } },
    { "a double NaN made quiet by plain contents", "lossy-copy wrong-bytes", "dst",
      "a signalling NaN was made quiet", R(JUNK), { QUIETED, QUIETED } },
    { "a float NaN made quiet", "lossy-copy wrong-bytes", "dst", NULL, 0,
      { QUIETED_FLOAT } },
    { "junk explains it before hostile contents do", "undeclared-input wrong-bytes",
      "input", NULL, ALL, { SNAN_BYTES, NOTHING, BYTES, NOTHING, BYTES } },
    { "old bytes explain it before hostile contents do", "undeclared-input wrong-bytes",
      "old", NULL, R(OTHER) | R(NEUTRAL), { SNAN_BYTES, NOTHING, NOTHING, NOTHING, BYTES2 } },
    { "old bytes do not explain it, contents do", "lossy-copy wrong-bytes", "dst", NULL, ALL,
      { SNAN_BYTES, BYTES, BYTES, NOTHING, BYTES } },
    { "over-run under hostile contents", "stray-write", "dst-tail", NULL,
      R(JUNK) | R(NEUTRAL), { HOSTILE_OVERRUN, OVERRUN, NOTHING, NOTHING } },
    { "ud2 only with junk", "undeclared-input illegal-instruction", NULL, NULL, R(JUNK),
      { ILLEGAL, NOTHING } },
    { "frame written only with junk", "undeclared-input stack-smashed", NULL, NULL, R(JUNK),
      { FRAME, NOTHING } },
    { "source written only with junk", "undeclared-input source-changed", NULL, NULL,
      R(JUNK), { SOURCE, NOTHING } },
    { "system call only with junk", "undeclared-input system-call", NULL, NULL, R(JUNK),
      { SYSCALL, NOTHING } },
    { "half a NaN at the end", "wrong-bytes", NULL, NULL, 0, { CUT_NAN } },
    { "a bit set in no NaN", "wrong-bytes", NULL, NULL, 0, { NOT_A_NAN } },
    { "junk and upper bits both changed", "undeclared-input crash", NULL,
      "junk in caller-saved registers or unused argument bits: crash with junk=0 upper=junk,"
      " clean with junk=3 upper=zero", R(JUNK) | BOTH, { WILD_READ, NOTHING } },
    { "never written", "wrong-bytes", NULL, "never written", ALL,
      { MISSING, MISSING, MISSING, MISSING, MISSING2 } },
    { "right without hostile contents", "lossy-copy wrong-bytes", "dst",
      "right with plain contents", R(JUNK) | R(UPPER) | R(NEUTRAL),
      { SNAN_BYTES, BYTES, BYTES, NOTHING } },
    { "wrong with plain contents too", "wrong-bytes", NULL, NULL, R(NEUTRAL),
      { SNAN_BYTES, NOTHING, NOTHING, BYTES } },
    { "neutral variant of a plain case", "wrong-bytes", NULL, NULL, R(NEUTRAL),
      { BYTES, NOTHING, NOTHING, NOTHING } },
    { "neutral variant crashed", "wrong-bytes", NULL, NULL, R(NEUTRAL),
      { SNAN_BYTES, NOTHING, NOTHING, WILD_READ } },
    { "the rest goes to also", "stray-write wrong-bytes", NULL, NULL, 0,
      { BYTES_AND_OVERRUN } },
    { "the first one vanishes, the other stays", "undeclared-input stray-write wrong-bytes",
      NULL, NULL, R(JUNK), { BYTES_AND_OVERRUN, BYTES } },
    { "a warning alone", "upper-dirty", NULL, NULL, ALL, { UPPER_DIRTY } },
};
/* clang-format on */

static void slugs_of(const struct fnp_finding *f, struct fnp_str *out)
{
    fnp_str_add(out, "%s", fnp_rule_info(f->rule)->slug);
    for (size_t i = 0; i < f->n_also; i++) {
        fnp_str_add(out, " %s", fnp_rule_info(f->also[i])->slug);
    }
}

static void test_rows(void)
{
    struct fnp_contract c = memcpy_contract();

    for (size_t i = 0; i < FNP_ARRAY_LEN(rows); i++) {
        const struct row *row = &rows[i];
        struct fnp_outcome o[N_OUTCOMES];
        struct fnp_finding f = { 0 };
        struct fnp_group g;
        char slugs[256] = "";
        struct fnp_str text = fnp_str_over(slugs, sizeof(slugs));
        bool ok;

        clean_group(o);
        o[OTHER].c.seed = row->ran & SAME ? o[BASE].c.seed : o[OTHER].c.seed;
        o[JUNK].c.upper = row->ran & BOTH ? FNP_UPPER_ZERO : o[JUNK].c.upper;
        for (unsigned k = 0; k < N_OUTCOMES; k++) {
            show(&o[k], row->shows[k]);
        }
        g = (struct fnp_group){
            .base = &o[BASE],
            .junk = { row->ran & R(JUNK) ? &o[JUNK] : NULL,
                     row->ran & R(UPPER) ? &o[UPPER] : NULL },
            .neutral = row->ran & R(NEUTRAL) ? &o[NEUTRAL] : NULL,
            .other = row->ran & R(OTHER) ? &o[OTHER] : NULL,
        };
        if (fnp_check_group(&c, &g, &f)) {
            slugs_of(&f, &text);
        }
        ok = strcmp(slugs, row->expect) == 0 &&
             (!row->region || strcmp(f.region, row->region) == 0) &&
             (!row->says || strstr(f.message, row->says));
        tap_ok(ok, "%s", row->name);
        if (!ok) {
            printf("# %s: %s: %s\n", slugs, f.region, f.message);
        }
    }
}

/* Rules passed over: the next finding stands for the case, also for renamed ones. */
static void test_except(void)
{
    struct fnp_contract c = memcpy_contract();
    struct fnp_outcome o[N_OUTCOMES];
    struct fnp_group g = { .base = &o[BASE] };
    struct fnp_finding f;
    bool skip[FNP_N_RULES] = { [FNP_RULE_STRAY_WRITE] = true };

    clean_group(o);
    show(&o[BASE], BYTES_AND_OVERRUN);
    tap_ok(fnp_check_group_except(&c, &g, skip, &f) && f.rule == FNP_RULE_WRONG_BYTES &&
               f.n_also == 0,
           "a skipped rule makes room for the next and is not in also");
    skip[FNP_RULE_WRONG_BYTES] = true;
    tap_ok(!fnp_check_group_except(&c, &g, skip, &f), "all rules skipped");
    g.junk[0] = &o[JUNK];
    tap_ok(fnp_check_group_except(&c, &g, skip, &f) &&
               f.rule == FNP_RULE_UNDECLARED_INPUT,
           "a renamed finding counts under its new name");
    skip[FNP_RULE_UNDECLARED_INPUT] = true;
    skip[FNP_RULE_WRONG_BYTES] = false;
    skip[FNP_RULE_STRAY_WRITE] = false;
    tap_ok(!fnp_check_group_except(&c, &g, skip, &f),
           "and does not come back under the old one");
}

static void test_same(void)
{
    struct fnp_finding a = { .rule = FNP_RULE_REGISTER_LOST,
                             .region = "rbx",
                             .reg = "rbx" };
    struct fnp_finding b = a;

    snprintf(b.message, sizeof(b.message), "another message");
    b.first = 5;
    tap_ok(fnp_finding_same(&a, &b), "message and offset do not matter");
    snprintf(b.reg, sizeof(b.reg), "r12");
    tap_ok(!fnp_finding_same(&a, &b), "another register");
    b = a;
    b.rule = FNP_RULE_CRASH;
    tap_ok(!fnp_finding_same(&a, &b), "another rule");
    b = a;
    snprintf(b.region, sizeof(b.region), "dst-tail");
    tap_ok(!fnp_finding_same(&a, &b), "another region");
}

static void test_waived(void)
{
    struct fnp_contract c = {
        .allows = { { .rule = FNP_RULE_CRASH, .reason = "by design" },
                   { .rule = FNP_RULE_STRAY_READ,
                      .symbol = "f",
                      .offset = 0x12,
                      .has_offset = true },
                   { .rule = FNP_RULE_HANG, .symbol = "f" } },
        .n_allows = 3,
    };
    struct fnp_finding f = { .rule = FNP_RULE_CRASH };
    const char *reason = NULL;
    size_t index = 9;

    tap_ok(fnp_finding_waived(&c, &f, &reason, &index) && index == 0 && reason &&
               strcmp(reason, "by design") == 0,
           "by rule alone");
    f.rule = FNP_RULE_WRONG_BYTES;
    tap_ok(!fnp_finding_waived(&c, &f, &reason, &index), "another rule");
    f.rule = FNP_RULE_STRAY_READ;
    tap_ok(!fnp_finding_waived(&c, &f, NULL, NULL), "a place is wanted, none is known");
    f.where = (struct fnp_where){ .known = true, .symbol = "f", .offset = 0x12 };
    tap_ok(fnp_finding_waived(&c, &f, &reason, &index) && index == 1 && !reason,
           "at its place, without reason");
    f.where.offset = 0x13;
    tap_ok(!fnp_finding_waived(&c, &f, NULL, NULL), "another offset");
    f.rule = FNP_RULE_HANG;
    tap_ok(fnp_finding_waived(&c, &f, NULL, NULL), "any offset of a symbol");
    snprintf(f.where.symbol, sizeof(f.where.symbol), "g");
    tap_ok(!fnp_finding_waived(&c, &f, NULL, NULL), "another symbol");
}

/* What is a warning because of its length stays one under its new name. */
static void test_warning_kept(void)
{
    struct fnp_contract c = memcpy_contract();
    struct fnp_outcome o[N_OUTCOMES];
    struct fnp_group g = { .base = &o[BASE], .junk = { &o[JUNK] } };
    struct fnp_finding f;

    clean_group(o);
    show(&o[BASE], BYTES);
    o[BASE].c.n = UINT64_MAX;
    tap_ok(fnp_check_group(&c, &g, &f) && f.rule == FNP_RULE_UNDECLARED_INPUT &&
               f.severity == FNP_WARNING,
           "a renamed warning stays a warning");
}

/* Each kind of hostile start alone makes wrong bytes lossy when the neutral run is right. */
static void test_hostile(void)
{
    static const struct {
        const char *name;
        struct fnp_case c;
        bool hostile;
    } cases[] = {
        { "position-coded",     { .fill = FNP_FILL_POS },      false },
        { "random",             { .fill = FNP_FILL_RANDOM },   false },
        { "zeros",              { .fill = FNP_FILL_ZERO },     false },
        { "signalling NaNs",    { .fill = FNP_FILL_SNAN },     true  },
        { "denormals",          { .fill = FNP_FILL_DENORMAL }, true  },
        { "unnormals",          { .fill = FNP_FILL_UNNORMAL }, true  },
        { "infinities",         { .fill = FNP_FILL_INF },      true  },
        { "MXCSR",              { .mxcsr = 0x9fc0 },           true  },
        { "control word",       { .fcw = 0x27f },              true  },
        { "live x87 registers", { .x87 = 8 },                  true  },
        { "upper YMM halves",   { .ymm = 1 },                  true  },
    };
    struct fnp_contract c = memcpy_contract();

    for (size_t i = 0; i < FNP_ARRAY_LEN(cases); i++) {
        struct fnp_outcome o[N_OUTCOMES];
        struct fnp_group g = { .base = &o[BASE], .neutral = &o[NEUTRAL] };
        struct fnp_finding f;

        clean_group(o);
        show(&o[BASE], BYTES);
        o[BASE].c = cases[i].c;
        if (!o[BASE].c.mxcsr) {
            o[BASE].c.mxcsr = FNP_MXCSR_DEFAULT;
        }
        if (!o[BASE].c.fcw) {
            o[BASE].c.fcw = FNP_FCW_DEFAULT;
        }
        tap_ok(fnp_check_group(&c, &g, &f) &&
                   (f.rule == FNP_RULE_LOSSY_COPY) == cases[i].hostile,
               "%s: %s", cases[i].name, cases[i].hostile ? "hostile" : "plain");
    }
}

#define F(NAME) ((fnp_features)1 << FNP_FEATURE_##NAME)

/* 32-bit CPUs came without what every 64-bit one has. */
static void test_cpu_32(void)
{
    const struct fnp_contract c = { .has_cpu = true, .cpu = F(MMX), .is32 = true };
    struct fnp_finding f = { 0 };

    tap_ok(fnp_check_cpu(&c, F(CMOV) | F(MMX), &f) && strstr(f.message, "needs cmov,"),
           "cpu: cmov does not come with 32 bits");
    tap_ok(!fnp_check_cpu(&c, F(FPU) | F(MMX), &f), "cpu: x87 does");
}

static void test_cpu(void)
{
    static const struct {
        const char *name;
        bool declared;
        fnp_features cpu, needs;
        const char *says; /* NULL: clean */
    } cases[] = {
        { "nothing declared",        false, 0,           F(AVX2),                  NULL        },
        { "exactly declared",        true,  F(SSE2),     F(SSE2),                  NULL        },
        { "declared more than used", true,  F(AVX2),     F(SSE2),                  NULL        },
        { "older sets are implied",  true,  F(AVX2),     F(AVX) | F(SSE) | F(MMX), NULL        },
        { "all the way down",        true,  F(AVX512BW), F(AVX512F) | F(SSE4_1),   NULL        },
        { "cmov comes with 64 bits", true,  F(MMX),      F(CMOV) | F(MMX),         NULL        },
        { "ssse3 in an sse2 kernel", true,  F(SSE2),     F(SSE2) | F(SSSE3),
         "needs ssse3, which"                                                                  },
        { "sse2 in an mmx kernel",   true,  F(MMX),      F(SSE2),                  "sse2"      },
        { "bmi does not come along", true,  F(AVX2),     F(BMI1) | F(BMI2),        "bmi1 bmi2" },
    };

    for (size_t i = 0; i < FNP_ARRAY_LEN(cases); i++) {
        struct fnp_contract c = { .has_cpu = cases[i].declared, .cpu = cases[i].cpu };
        struct fnp_finding f = { 0 };
        bool found = fnp_check_cpu(&c, cases[i].needs, &f);

        tap_ok(found == (cases[i].says != NULL) &&
                   (!found || (f.rule == FNP_RULE_CPU_UNDECLARED &&
                               strstr(f.message, cases[i].says))),
               "cpu: %s", cases[i].name);
    }
}

int main(void)
{
    test_rows();
    test_warning_kept();
    test_hostile();
    test_except();
    test_same();
    test_waived();
    test_cpu();
    test_cpu_32();
    return tap_done();
}
