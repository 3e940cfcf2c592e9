/* SPDX-License-Identifier: MIT */
/*
 * promise_test.c - promises and neighbours on tables, without running a kernel
 */
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "base/str.h"
#include "verify/neighbour.h"
#include "verify/promise.h"
#include "verify/self/tap.h"
#include "x86/state.h"

#define COPY "proto = void f(void dst[n], const void src[n], size_t n)\nop = copy\n"
#define MOVE "proto = void f(void dst[n], const void src[n], size_t n)\nop = move\n"
#define PTR  "proto = void *f(void dst[n], const void src[n], size_t n)\nop = copy\n"
#define SET  "proto = void f(void dst[n], int c, size_t n)\nop = set\n"

static struct fnp_contract read_contract(struct fnp_arena *arena, const char *keys)
{
    struct fnp_contract_file file;
    struct fnp_err err = { "" };
    const char *text = fnp_arena_printf(arena, "[f]\n%s", keys);

    if (fnp_contract_parse(arena, "t.ini", text, strlen(text), &file, &err)) {
        printf("Bail out! %s\n", err.text);
        exit(1);
    }
    return file.contracts[0];
}

/* ---- promises: which calls fail decides what is promised */

typedef bool fails_fn(const struct fnp_tally_row *row);

static bool odd_sizes(const struct fnp_tally_row *row)
{
    return row->c.n % 2;
}

static bool not_eights(const struct fnp_tally_row *row)
{
    return row->c.n % 8;
}

static bool no_size(const struct fnp_tally_row *row)
{
    return row->c.n == 0;
}

static bool short_sizes(const struct fnp_tally_row *row)
{
    return row->c.n < 20;
}

static bool one_size(const struct fnp_tally_row *row)
{
    return row->c.n == 33;
}

static bool odd_dst(const struct fnp_tally_row *row)
{
    return row->addr[FNP_DST] % 16;
}

static bool odd_src(const struct fnp_tally_row *row)
{
    return row->addr[FNP_SRC] % 4;
}

static bool one_phase(const struct fnp_tally_row *row)
{
    return row->addr[FNP_DST] % 32 == 31;
}

static bool dst_above(const struct fnp_tally_row *row)
{
    return row->c.relation && row->c.distance > 0;
}

static bool overlapping(const struct fnp_tally_row *row)
{
    return row->c.relation;
}

static bool with_value(const struct fnp_tally_row *row)
{
    return row->c.value[0];
}

static bool always(const struct fnp_tally_row *row)
{
    return row->c.n != UINT64_MAX;
}

static const struct {
    const char *name, *contract;
    enum fnp_rule rule;
    fails_fn *fails;
    const char *want; /* the first promise; NULL: none */
} rows[] = {
    { "odd sizes",             COPY,                      FNP_RULE_STRAY_WRITE,    odd_sizes,   "sizes = 0:-:2"      },
    { "all but eights",        COPY,                      FNP_RULE_WRONG_BYTES,    not_eights,  "sizes = 0:-:8"      },
    { "eights of fours",       COPY "sizes = 4:-:4\n",    FNP_RULE_WRONG_BYTES,    not_eights,
     "sizes = 8:-:8"                                                                                                 },
    { "nothing to do",         COPY,                      FNP_RULE_HANG,           no_size,     "sizes = 1:-:1"      },
    { "short ones",            COPY,                      FNP_RULE_STRAY_READ,     short_sizes, "sizes = 20:-:1"     },
    { "one size",              COPY,                      FNP_RULE_WRONG_BYTES,    one_size,    NULL                 },
    { "dst off 16",            COPY,                      FNP_RULE_CRASH,          odd_dst,     "align = dst:16"     },
    { "src off 4",             COPY,                      FNP_RULE_CRASH,          odd_src,     "align = src:4"      },
    { "src off 4, aligned",    COPY "align = dst:8\n",    FNP_RULE_CRASH,          odd_src,
     "align = dst:8 src:4"                                                                                           },
    { "one phase of dst",      COPY,                      FNP_RULE_CRASH,          one_phase,   NULL                 },
    { "dst above src",         MOVE,                      FNP_RULE_WRONG_BYTES,    dst_above,   "overlap = forward"  },
    { "any overlap",           MOVE,                      FNP_RULE_WRONG_BYTES,    overlapping, "overlap = none"     },
    { "values",                SET,                       FNP_RULE_WRONG_BYTES,    with_value,  "values = c:0"       },
    { "state by size",         COPY,                      FNP_RULE_MMX_DIRTY,      odd_sizes,   "state = mmx-live"   },
    { "all wrong",             COPY,                      FNP_RULE_WRONG_BYTES,    always,      NULL                 },
    { "wrong result",          PTR "returns = dst\n",     FNP_RULE_BAD_RETURN,     always,
     "returns = dst+n"                                                                                               },
    { "register",              COPY "clobbers = rax\n",   FNP_RULE_REGISTER_LOST,  always,
     "clobbers = rax rbx xmm2"                                                                                       },
    { "vector in kernel code", COPY "state = preserve\n", FNP_RULE_VECTOR_CHANGED,
     always,                                                                                    "state = kernel-fpu" },
    { "below rsp",             COPY "redzone = 0\n",      FNP_RULE_BELOW_STACK,    always,
     "redzone = 128"                                                                                                 },
    { "below any red zone",    COPY,                      FNP_RULE_BELOW_STACK,    always,      NULL                 },
    { "no red zone at all",    COPY "abi = ms64\n",       FNP_RULE_BELOW_STACK,    always,      NULL                 },
    { "no promise for it",     COPY,                      FNP_RULE_DF_SET,         always,      NULL                 },
};

/* Calls as a planner would make them: sizes, phases, overlaps and values mixed. */
static void make_tally(const struct fnp_contract *c, fails_fn *fails,
                       enum fnp_rule rule, struct fnp_tally *out)
{
    struct fnp_rng rng = { 1 };

    *out = (struct fnp_tally){ 0 };
    while (out->count < FNP_TALLY_MAX) {
        struct fnp_tally_row *row = &out->rows[out->count++];
        uint64_t align = c->bufs[0].align;

        *row = (struct fnp_tally_row){ .c = fnp_case_default(), .rule = FNP_N_RULES };
        row->c.n = c->sizes.least + out->count % 40 * c->sizes.step;
        row->addr[FNP_DST] = 0x10000 + fnp_rng_below(&rng, 64 / align) * align;
        row->addr[FNP_SRC] = c->n_bufs > 1 ? 0x20000 + fnp_rng_below(&rng, 64) : 0;
        if (c->overlap == FNP_OVERLAP_ANY && row->c.n > 8 && fnp_rng_below(&rng, 2)) {
            row->c.relation = FNP_REL_DISTANCE;
            row->c.distance = 3 * (int32_t)fnp_rng_below(&rng, 3) - 3;
        }
        row->c.value[0] = c->n_values ? fnp_rng_below(&rng, 3) : 0;
        if (fails(row)) {
            row->rule = rule;
            row->gprs = 1u << FNP_RBX;
            row->vectors = 1u << 2;
        }
    }
}

static void first_promise(const struct fnp_contract *c, const struct fnp_tally *tally,
                          uint64_t told, char *out, size_t room)
{
    struct fnp_promise_search search = { 0 };
    static struct fnp_promise promise;
    struct fnp_str text = fnp_str_over(out, room);

    if (fnp_promise_next(c, tally, told, &search, &promise)) {
        char value[200];
        struct fnp_str v = fnp_str_over(value, sizeof(value));

        fnp_contract_value(&promise.weaker, promise.key, &v);
        fnp_str_add(&text, "%s = %s", promise.key, value);
    }
}

static void test_promises(void)
{
    for (size_t i = 0; i < FNP_ARRAY_LEN(rows); i++) {
        struct fnp_arena arena = { 0 };
        struct fnp_contract c = read_contract(&arena, rows[i].contract);
        static struct fnp_tally tally;
        char got[256];

        make_tally(&c, rows[i].fails, rows[i].rule, &tally);
        first_promise(&c, &tally, 0, got, sizeof(got));
        tap_ok(!strcmp(got, rows[i].want ? rows[i].want : ""), "%s: %s", rows[i].name,
               got);
        first_promise(&c, &tally, (uint64_t)1 << rows[i].rule, got, sizeof(got));
        tap_ok(!*got, "%s: nothing when it is told already", rows[i].name);
        fnp_arena_release(&arena);
    }
}

/* One failing case that keeps the promise is enough to take it back. */
static void test_contradiction(void)
{
    struct fnp_arena arena = { 0 };
    struct fnp_contract c = read_contract(&arena, COPY);
    static struct fnp_tally tally;
    struct fnp_promise_search search = { 0 };
    static struct fnp_promise promise;
    char got[256];

    make_tally(&c, odd_sizes, FNP_RULE_WRONG_BYTES, &tally);
    tap_ok(fnp_promise_next(&c, &tally, 0, &search, &promise) &&
               promise.cases == FNP_TALLY_MAX / 2 &&
               promise.rule == FNP_RULE_WRONG_BYTES,
           "a promise counts its evidence");
    for (size_t i = 0; i < tally.count; i++) {
        if (tally.rows[i].c.n == 32) {
            tally.rows[i].rule = FNP_RULE_CRASH;
        }
    }
    first_promise(&c, &tally, 0, got, sizeof(got));
    tap_ok(!*got, "a case that keeps it and fails takes a promise back: %s", got);
    fnp_arena_release(&arena);
}

/* ---- neighbours */

static const struct {
    const char *name, *contract, *want; /* all of them, one a line */
} near[] = {
    { "a copy",               COPY,
     "abi = ms64\n"
      "proto = void f(const void src[n], void dst[n], size_t n)\n"
      "proto = void f(size_t n, const void src[n], void dst[n])\n"
      "proto = void f(void dst[n], size_t n, const void src[n])\n"
      "proto = void f(void dst[n], const void src[n], size_t n/8)\n"
      "proto = void f(void dst[n], const void src[n], size_t n/4)\n"
      "proto = void f(void dst[n], const void src[n], size_t n/2)\n"                                                                   },
    { "of Windows, in fours",
     "proto = void f(void d[n], const void s[n], int n/4)\nabi = ms64\n",               "abi = sysv64\n"
      "proto = void f(const void s[n], void d[n], int n/4)\n"
      "proto = void f(int n/4, const void s[n], void d[n])\n"
      "proto = void f(void d[n], int n/4, const void s[n])\n" },
    { "registers",            COPY "abi = regs: rdi=dst rsi=src rcx=n\nsizes = 8,16\n", ""                                             },
    { "a clear of a page",    "proto = void f(void page[4096])\n",                      "abi = ms64\n"                                 },
};

static void test_neighbours(void)
{
    for (size_t i = 0; i < FNP_ARRAY_LEN(near); i++) {
        struct fnp_arena arena = { 0 };
        struct fnp_contract c = read_contract(&arena, near[i].contract), other;
        const char *key = NULL;
        unsigned at = 0;
        bool same = true;
        char got[1024];
        struct fnp_str text = fnp_str_over(got, sizeof(got));

        while (fnp_neighbour_next(&arena, &c, &at, &other, &key)) {
            char value[200];
            struct fnp_str v = fnp_str_over(value, sizeof(value));
            struct fnp_contract read;

            fnp_contract_value(&other, key, &v);
            fnp_str_add(&text, "%s = %s\n", key, value);
            /* What is printed must mean what was tried. */
            read = read_contract(
                &arena,
                fnp_arena_printf(&arena, "%s = %s\nabi = %s\n%s", "proto", other.proto,
                                 other.abi == FNP_ABI_MS64 ? "ms64" : "sysv64",
                                 c.op == FNP_OP_COPY ? "op = copy\n" : ""));
            for (size_t k = 0; k < c.n_params; k++) {
                same &= !strcmp(read.params[k].name, other.params[k].name) &&
                        read.params[k].width == other.params[k].width &&
                        read.params[k].divisor == other.params[k].divisor;
            }
            same &=
                read.sizes.step == other.sizes.step && read.redzone == other.redzone;
        }
        tap_ok(!strcmp(got, near[i].want), "neighbours of %s", near[i].name);
        tap_ok(same, "%s: they read back as what was tried", near[i].name);
        if (strcmp(got, near[i].want) != 0) {
            printf("# %s\n", got);
        }
        fnp_arena_release(&arena);
    }
}

int main(void)
{
    test_promises();
    test_contradiction();
    test_neighbours();
    return tap_done();
}
