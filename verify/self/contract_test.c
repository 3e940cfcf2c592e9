/* SPDX-License-Identifier: MIT */
/*
 * contract_test.c - every key and what it changes, the way back, defaults, guesses
 *
 * Refusals, forms and damage of whole files are in contract_file_test.c.
 */
#include <stddef.h>
#include <string.h>

#include "base/arena.h"
#include "base/rng.h"
#include "base/str.h"
#include "subject/contract.h"
#include "verify/self/tap.h"
#include "x86/state.h"

static enum fnp_status parse(struct fnp_arena *arena, const char *text,
                             struct fnp_contract_file *out, struct fnp_err *err)
{
    *err = (struct fnp_err){ 0 };
    return fnp_contract_parse(arena, "dir/x.ini", text, strlen(text), out, err);
}

/* ---- every key changes the contract, and how */

#define BASE_PROTO                                                                     \
    "proto = void *f(void dst[n], const void src[n], int c, unsigned char v, size_t "  \
    "n)\n"

/*
 * KEY_TEST(key, keys beside it, value, what must hold then and must not without it).
 * `c` is the contract with the key.
 */
#define KEY_TESTS(T)                                                                   \
    T(proto, "", "void g(void a[n*2+1], unsigned n)",                                  \
      c->bufs[0].mul == 2 && !c->n_values)                                             \
    T(profile, BASE_PROTO, "linux", c->state == FNP_STATE_PRESERVE && c->redzone == 0) \
    T(op, BASE_PROTO, "move", c->op == FNP_OP_MOVE && c->overlap == FNP_OVERLAP_ANY)   \
    T(object, BASE_PROTO, "sub/a.o", c->object && !strcmp(c->object, "sub/a.o"))       \
    T(symbol, BASE_PROTO, "_g", !strcmp(c->symbol, "_g"))                              \
    T(address, BASE_PROTO, "0x1240",                                                   \
      c->has_address && c->address == 0x1240 && !c->symbol)                            \
    T(sizes, BASE_PROTO, "64:4096:64",                                                 \
      c->sizes.least == 64 && c->sizes.most == 4096 && c->sizes.step == 64)            \
    T(align, BASE_PROTO, "dst:16 src:8",                                               \
      c->bufs[0].align == 16 && c->bufs[1].align == 8)                                 \
    T(overlap, BASE_PROTO, "forward", c->overlap == FNP_OVERLAP_FORWARD)               \
    T(returns, BASE_PROTO, "dst+n@rdi",                                                \
      c->returns == FNP_RETURNS_DST_N && c->returns_reg == FNP_RDI)                    \
    T(abi, BASE_PROTO, "regs: rdi=dst rsi=src r8=c r9=v rcx=n rax=0",                  \
      c->abi == FNP_ABI_REGS && c->n_params == 6 && c->params[4].reg == FNP_RCX &&     \
          c->params[5].kind == FNP_PARAM_CONST && c->params[2].reg == FNP_R8)          \
    T(clobbers, BASE_PROTO, "rax r11 flags cc memory xmm0-xmm2,ymm15",                 \
      c->has_clobbers && c->clobbers == 0x801 && c->clobbers_vector == 0x8007)         \
    T(state, BASE_PROTO, "mmx-live", c->state == FNP_STATE_MMX_LIVE)                   \
    T(redzone, BASE_PROTO, "0", c->redzone == 0)                                       \
    T(order, BASE_PROTO, "weak", c->order == FNP_ORDER_WEAK)                           \
    T(drain, BASE_PROTO, "drain_it", c->drain && !strcmp(c->drain, "drain_it"))        \
    T(reads, BASE_PROTO, "aligned:16", c->reads_aligned == 16)                         \
    T(writes, BASE_PROTO, "atomic:8",                                                  \
      c->writes == FNP_WRITES_ATOMIC && c->writes_atomic == 8)                         \
    T(faults, BASE_PROTO "returns = left\n", "left", c->faults == FNP_FAULTS_LEFT)     \
    T(values, BASE_PROTO, "v:0,255 c:3-5",                                             \
      c->values[1].count == 2 && c->values[0].count == 3 && c->values[0].item[2] == 5) \
    T(cpu, BASE_PROTO, "sse2",                                                         \
      c->has_cpu && c->cpu == (fnp_features)1 << FNP_FEATURE_SSE2)                     \
    T(set, BASE_PROTO, "limit:0x800 other:1",                                          \
      c->n_defines == 2 && c->defines[0].value == 2048 && !c->defines[0].is_stub)      \
    T(stub, BASE_PROTO, "__chk_fail probe:3",                                          \
      c->n_defines == 2 && c->defines[1].value == 3 && c->defines[0].is_stub)          \
    T(cc, BASE_PROTO, "clang-19", c->cc && !strcmp(c->cc, "clang-19"))                 \
    T(cflags, BASE_PROTO, "-O3 -DX", c->cflags && !strcmp(c->cflags, "-O3 -DX"))       \
    T(box, BASE_PROTO, "n=0:64 dst=0:63",                                              \
      c->box && !strcmp(c->box, "n=0:64 dst=0:63"))                                    \
    T(cases, BASE_PROTO, "corpus/f", c->cases && !strcmp(c->cases, "corpus/f"))        \
    T(allow, BASE_PROTO, "df-set@f+0x10 \"known, harmless\",hang",                     \
      c->n_allows == 2 && c->allows[0].rule == FNP_RULE_DF_SET &&                      \
          c->allows[0].offset == 16 && !strcmp(c->allows[0].symbol, "f") &&            \
          !strcmp(c->allows[0].reason, "known, harmless") && !c->allows[1].reason)     \
    T(origin, BASE_PROTO, "lkml 2002, a.c",                                            \
      c->origin && !strcmp(c->origin, "lkml 2002, a.c"))                               \
    T(expect, BASE_PROTO, "wrong-bytes",                                               \
      c->expect && !strcmp(c->expect, "wrong-bytes"))                                  \
    T(twin, BASE_PROTO, "good_f", c->twin && !strcmp(c->twin, "good_f"))               \
    T(like, BASE_PROTO "[model]\nredzone=8\n" BASE_PROTO "[g]\n", "model",             \
      c->redzone == 8 && !strcmp(c->symbol, "g"))

#define T(key, beside, value, holds)                                                   \
    static bool holds_##key(const struct fnp_contract *c)                              \
    {                                                                                  \
        return holds;                                                                  \
    }
KEY_TESTS(T)
#undef T

static const struct {
    const char *key, *beside, *value;
    bool (*holds)(const struct fnp_contract *c);
} key_tests[] = {
#define T(key, beside, value, holds) { #key, beside, value, holds_##key },
    KEY_TESTS(T)
#undef T
};

static void test_keys(void)
{
    for (size_t k = 0; k < fnp_contract_n_keys; k++) {
        size_t i = 0;
        struct fnp_arena arena = { 0 };
        struct fnp_contract_file with, without;
        struct fnp_err err;
        bool plain;

        while (i < FNP_ARRAY_LEN(key_tests) &&
               strcmp(key_tests[i].key, fnp_contract_keys[k]) != 0) {
            i++;
        }
        if (i == FNP_ARRAY_LEN(key_tests)) {
            tap_ok(false, "key %s has no row in KEY_TESTS", fnp_contract_keys[k]);
            continue;
        }
        const char *base = fnp_arena_printf(&arena, "[f]\n%s", key_tests[i].beside);
        const char *more = fnp_arena_printf(&arena, "%s%s = %s\n", base,
                                            key_tests[i].key, key_tests[i].value);
        /* Without `like`, [g] has no prototype, and without `proto` neither has [f]. */
        plain = !parse(&arena, base, &without, &err) &&
                key_tests[i].holds(&without.contracts[without.count - 1]);
        tap_ok(!parse(&arena, more, &with, &err) &&
                   key_tests[i].holds(&with.contracts[with.count - 1]) && !plain,
               "%s = %s %s", key_tests[i].key, key_tests[i].value, err.text);
        fnp_arena_release(&arena);
    }
}

/* ---- the way back */

static bool same_text(const char *a, const char *b)
{
    return a == b || (a && b && !strcmp(a, b));
}

static bool same_define(const struct fnp_define *a, const struct fnp_define *b)
{
    return same_text(a->name, b->name) && a->value == b->value &&
           a->is_stub == b->is_stub;
}

static bool same_allow(const struct fnp_allow *a, const struct fnp_allow *b)
{
    return a->rule == b->rule && same_text(a->symbol, b->symbol) &&
           a->offset == b->offset && a->has_offset == b->has_offset &&
           same_text(a->reason, b->reason);
}

static bool same_lists(const struct fnp_contract *a, const struct fnp_contract *b)
{
    bool same = a->n_defines == b->n_defines && a->n_allows == b->n_allows;

    for (size_t i = 0; same && i < a->n_defines; i++) {
        same = same_define(&a->defines[i], &b->defines[i]);
    }
    for (size_t i = 0; same && i < a->n_allows; i++) {
        same = same_allow(&a->allows[i], &b->allows[i]);
    }
    return same;
}

/* Members without pointers in them, and members that are one text. */
#define PLAIN(member)                                                                  \
    { #member, offsetof(struct fnp_contract, member),                                  \
      sizeof(((struct fnp_contract *)0)->member) }
#define TEXT(member) { #member, offsetof(struct fnp_contract, member), 0 }
static const struct {
    const char *name;
    size_t offset;
    size_t size; /* 0: a text */
} members[] = {
    TEXT(name),
    TEXT(object),
    TEXT(symbol),
    TEXT(proto),
    TEXT(ref),
    TEXT(drain),
    TEXT(cc),
    TEXT(cflags),
    TEXT(box),
    TEXT(cases),
    TEXT(origin),
    TEXT(expect),
    TEXT(twin),
    PLAIN(address),
    PLAIN(has_address),
    PLAIN(op),
    PLAIN(params),
    PLAIN(n_params),
    PLAIN(bufs),
    PLAIN(n_bufs),
    PLAIN(n_values),
    PLAIN(has_n),
    PLAIN(returns_pointer),
    PLAIN(returns_void),
    PLAIN(sizes),
    PLAIN(overlap),
    PLAIN(returns),
    PLAIN(returns_reg),
    PLAIN(returns_value),
    PLAIN(returns_width),
    PLAIN(abi),
    PLAIN(has_clobbers),
    PLAIN(clobbers),
    PLAIN(clobbers_vector),
    PLAIN(state),
    PLAIN(redzone),
    PLAIN(reads_aligned),
    PLAIN(writes),
    PLAIN(writes_atomic),
    PLAIN(faults),
    PLAIN(order),
    PLAIN(values),
    PLAIN(has_cpu),
    PLAIN(cpu),
};

static const char *text_at(const struct fnp_contract *c, size_t offset)
{
    const char *text;

    memcpy(&text, (const char *)c + offset, sizeof(text));
    return text;
}

/* Everything but `read_from`, guess and `promises`, which say how it was written. */
static bool same_contract(const struct fnp_contract *a, const struct fnp_contract *b)
{
    for (size_t i = 0; i < FNP_ARRAY_LEN(members); i++) {
        size_t at = members[i].offset;

        if (members[i].size ? memcmp((const char *)a + at, (const char *)b + at,
                                     members[i].size) != 0
                            : !same_text(text_at(a, at), text_at(b, at))) {
            printf("# %s differs\n", members[i].name);
            return false;
        }
    }
    return same_lists(a, b);
}

/* Values for random contracts; "" leaves a key out, some do not fit some others. */
static const struct {
    const char *key;
    const char *values[6];
} mixture[] = {
    { "proto",
     { "void *f(void dst[n], const void src[n], int c, size_t n)",
        "void f(void d[4096], int c)",
        "int f(uint32_t a[2*n+4], const u8 b[8*n+16], const u8 k[3], unsigned n/8, 0)",
        "void f(inout void a[n], const void b[n], unsigned short n)",
        "long  fn_1 (void a[64]);" }                                                  },
    { "profile",  { "", "", "linux" }                                                 },
    { "op",       { "", "copy", "move", "set", "zero", "ref:lib.o:g" }                },
    { "object",   { "", "a b/c.o", "/x/y.S" }                                         },
    { "symbol",   { "", "f", "__g.part.0" }                                           },
    { "address",  { "", "", "", "99" }                                                },
    { "sizes",    { "", "", "0,8,16-20,65536", "64:-:64", "8:4096:8" }                },
    { "align",    { "", "16", "1", "dst:64", "a:8,b:4096", "dst:1" }                  },
    { "overlap",  { "", "any", "none", "same" }                                       },
    { "returns",
     { "", "none", "dst@rax", "value:0x12345678901234", "value:-7@rcx", "left@r9" }   },
    { "abi",
     { "", "", "ms64", "i386", "regs: rdi=dst rsi=src,rdx=c rcx=n rax=0 rbx=0" }      },
    { "clobbers", { "", "none", "rax, rcx,r15", "flags xmm1-ymm4 xmm9" }              },
    { "state",    { "", "user", "preserve", "kernel-fpu" }                            },
    { "redzone",  { "", "128", "0", "256" }                                           },
    { "order",    { "", "drained", "weak" }                                           },
    { "drain",    { "", "d" }                                                         },
    { "reads",    { "", "exact", "aligned:64" }                                       },
    { "writes",   { "", "once", "atomic:4" }                                          },
    { "values",   { "", "", "c:0,255,300", "c:0-255" }                                },
    { "cpu",      { "", "none", "sse2 avx" }                                          },
    { "set",      { "", "a:1,b:0xffffffffffffffff" }                                  },
    { "stub",     { "", "c d:4" }                                                     },
    { "cc",       { "", "gcc-12 -m64" }                                               },
    { "cflags",   { "", "-O2 '-DX=a b'" }                                             },
    { "box",      { "", "n=0:8192 dst=0:63" }                                         },
    { "cases",    { "", "corpus/open" }                                               },
    { "allow",    { "", "hang", "wrong-bytes@f+0x1 \"a reason\",hang\"b\",df-set@g" } },
    { "origin",   { "", "lkml 2002" }                                                 },
    { "expect",   { "", "crash" }                                                     },
    { "twin",     { "", "t" }                                                         },
};

static const char *mix(struct fnp_arena *arena, uint64_t seed)
{
    struct fnp_rng rng = { seed };
    const char *text = "[f]\n";

    for (size_t i = 0; i < FNP_ARRAY_LEN(mixture); i++) {
        size_t count = 0;
        const char *value;

        while (count < FNP_ARRAY_LEN(mixture[i].values) && mixture[i].values[count]) {
            count++;
        }
        /* Mostly few keys, so that many contracts are valid. */
        value = count ? mixture[i].values[fnp_rng_below(&rng, count)] : "";
        if (*value && (i == 0 || fnp_rng_below(&rng, 3) == 0)) {
            text = fnp_arena_printf(arena, "%s%s = %s\n", text, mixture[i].key, value);
        }
    }
    return text;
}

static void test_way_back(void)
{
    unsigned valid = 0, wrong = 0;

    for (uint64_t seed = 0; seed < 4000; seed++) {
        struct fnp_arena arena = { 0 };
        struct fnp_contract_file one, two;
        struct fnp_err err;
        const char *text = mix(&arena, seed);

        if (!parse(&arena, text, &one, &err)) {
            char *ini = fnp_contract_ini(&arena, &one.contracts[0]);
            bool back = !parse(&arena, ini, &two, &err) &&
                        same_contract(&one.contracts[0], &two.contracts[0]);

            valid++;
            if (!back && wrong++ < 3) {
                printf("# %s\n# gave\n# %s\n# %s\n", text, ini, err.text);
            }
        }
        fnp_arena_release(&arena);
    }
    tap_ok(!wrong, "%u random contracts read back equal", valid);
    tap_ok(valid > 500, "%u of 4000 random contracts are valid", valid);
}

/* What a line can just hold must still fit when it is written back. */
static void test_long_lines(void)
{
    static const char *const longest[] = {
        "sizes=1,3,5,7,9,11,13,15,17,19,21,23,25,27,29,31,33,35,37,39,41,43,45,47,49,"
        "51,53,"
        "55,57,59,61,63,65,67,69,71,73,75,77,79,81,83,85,87,89,91,93,95,97,99,101,103,"
        "105,"
        "107,109,111,113,115,117,119,0xffffff",
        "allow=hang\"a\",hang\"a\",hang\"a\",hang\"a\",hang\"a\",hang\"a\",hang\"a\","
        "hang\"a\","
        "hang\"a\",hang\"a\",hang\"a\",hang\"a\",hang\"a\",hang\"a\",hang\"a\",df-set@"
        "fffffffff"
        "\"1234567890123456789012345678901234\"",
        "cflags=-"
        "DAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
        "BBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBB"
        "BBBB"
        "CCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCC",
    };

    for (size_t i = 0; i < FNP_ARRAY_LEN(longest); i++) {
        struct fnp_arena arena = { 0 };
        struct fnp_contract_file one, two;
        struct fnp_err err;
        const char *text = fnp_arena_printf(
            &arena, "[f]\nproto=void f(void d[n],const void s[n],size_t n)\n%s\n",
            longest[i]);

        tap_ok(!parse(&arena, text, &one, &err) &&
                   !parse(&arena, fnp_contract_ini(&arena, &one.contracts[0]), &two,
                          &err) &&
                   same_contract(&one.contracts[0], &two.contracts[0]),
               "a line of %zu characters comes back %s", strlen(longest[i]), err.text);
        fnp_arena_release(&arena);
    }
}

/* ---- defaults, options, promises */

#define OK_PROTO "proto = void f(void d[n], const void s[n], size_t n)\n"
#define X10      "xxxxxxxxxx"
#define X50      X10 X10 X10 X10 X10
#define X200     X50 X50 X50 X50

static const struct {
    const char *proto;
    enum fnp_op op;
} default_ops[] = {
    { "void f(void d[n], const void s[n], size_t n)", FNP_OP_COPY },
    { "void f(const char s[8], char d[8])",           FNP_OP_COPY },
    { "void f(void d[n], int c, size_t n)",           FNP_OP_SET  },
    { "void f(void d[n], size_t n)",                  FNP_OP_ZERO },
    { "void f(u64 d[512])",                           FNP_OP_ZERO },
    { "void f(u16 d[n], u16 c, size_t n)",            FNP_OP_SET  },
    { "void f(u32 d[n], u64 c, size_t n)",            FNP_OP_SET  },
};

static void test_defaults(void)
{
    for (size_t i = 0; i < FNP_ARRAY_LEN(default_ops); i++) {
        struct fnp_arena arena = { 0 };
        struct fnp_err err = { 0 };
        struct fnp_contract c = { 0 };
        struct fnp_contract_draft *draft = fnp_contract_draft(&arena, "f", "options");

        tap_ok(
            !fnp_contract_key(draft, "proto", default_ops[i].proto, "--proto", &err) &&
                !fnp_contract_finish(draft, &c, &err) && c.op == default_ops[i].op &&
                c.redzone == 128 && c.overlap == FNP_OVERLAP_NONE &&
                c.returns == FNP_RETURNS_NONE && c.bufs[0].align == c.bufs[0].elem &&
                !c.promises && !strcmp(c.symbol, "f") &&
                !strcmp(c.read_from, "options"),
            "defaults: %s %s", default_ops[i].proto, err.text);
        fnp_arena_release(&arena);
    }
}

/* C aligns objects by their type; `align` has the last word. */
static void test_alignment(void)
{
    static const struct {
        const char *proto, *align;
        uint64_t first, second;
        const char *written; /* by fnp_contract_ini; NULL: no such key */
    } rows[] = {
        { "void f(void d[n], const char s[n], size_t n)",   NULL,    1, 1,  NULL              },
        { "void f(u32 d[n], const u32 s[n], size_t n)",     NULL,    4, 4,  NULL              },
        { "void f(u64 d[8], const void s[64])",             NULL,    8, 1,  NULL              },
        { "void f(u64 d[8], const void s[64])",             "1",     1, 1,  "align    = d:1"  },
        { "void f(u64 d[8], const void s[64])",             "s:16",  8, 16, "align    = s:16" },
        { "void f(wchar_t d[n], const void s[4*n], int n)", "dst:2", 2, 1,
         "align    = d:2"                                                                     },
        { "void f(u64 d[8], const u64 s[8])",               "8",     8, 8,  NULL              },
    };

    for (size_t i = 0; i < FNP_ARRAY_LEN(rows); i++) {
        struct fnp_arena arena = { 0 };
        struct fnp_contract_file one, two;
        struct fnp_err err;
        const char *text = fnp_arena_printf(
            &arena, "[f]\nproto = %s\n%s%s\n", rows[i].proto,
            rows[i].align ? "align = " : "", rows[i].align ? rows[i].align : "");
        bool ok = !parse(&arena, text, &one, &err) &&
                  one.contracts[0].bufs[0].align == rows[i].first &&
                  one.contracts[0].bufs[1].align == rows[i].second;
        const char *ini = ok ? fnp_contract_ini(&arena, &one.contracts[0]) : "";
        const char *key = strstr(ini, "align");

        tap_ok(ok && !parse(&arena, ini, &two, &err) &&
                   same_contract(&one.contracts[0], &two.contracts[0]) &&
                   (rows[i].written
                        ? key && !strncmp(key, rows[i].written, strlen(rows[i].written))
                        : !key),
               "align %s of %s %s", rows[i].align ? rows[i].align : "by default",
               rows[i].proto, err.text);
        fnp_arena_release(&arena);
    }
}

/* Values that a file could not hold are refused as options, too. */
static void test_options(void)
{
    static const struct {
        const char *key, *value, *says;
    } rows[] = {
        { "cflags", X200,     "--cflags: the value of cflags does not fit a line"    },
        { "cflags", "-DX ;y", "which begins a comment"                               },
        { "cflags", ";y",     "begins with a comment"                                },
        { "cflags", "",       "the value of cflags is empty"                         },
        { "cflags", " x",     "begins or ends with a space"                          },
        { "cflags", "a\nb",   "control character"                                    },
        { "aling",  "1",      "--aling: unknown key \"aling\"; nearest is \"align\"" },
        { "align",  "5",      "--align: align: \"5\" is not a power of two"          },
        { "align",  "dst:3",  "--align: align: \"3\" is not a power of two"          },
        { "align",  "dst:",   "--align: align: \"\" is not a power of two"           },
        { "align",  ":16",    "--align: align: unknown buffer \"\""                  },
        { "sizes",  "some",   "--sizes: sizes: \"some\" is neither a number nor a"   },
        { "sizes",  "1-",     "--sizes: sizes: \"1-\" is neither a number nor a"     },
        { "proto",  "(((",    "--proto: proto: expected a type, found \"(\""         },
        { "proto",  "x",      "--proto: proto: unknown type \"x\""                   },
        { "proto",  "\xff",   "--proto: proto: expected a type"                      },
        { "like",   "g",      "only a section of a contract file"                    },
    };

    for (size_t i = 0; i < FNP_ARRAY_LEN(rows); i++) {
        struct fnp_arena arena = { 0 };
        struct fnp_err err = { 0 };
        struct fnp_contract c = { 0 };
        struct fnp_contract_draft *draft = fnp_contract_guess(&arena, "memcpy", NULL);
        const char *where = fnp_arena_printf(&arena, "--%s", rows[i].key);
        bool refused =
            fnp_contract_key(draft, rows[i].key, rows[i].value, where, &err) ||
            fnp_contract_finish(draft, &c, &err);

        tap_ok(refused && strstr(err.text, rows[i].says), "%s", err.text);
        fnp_arena_release(&arena);
    }
}

static void test_promises(void)
{
    static const struct {
        const char *keys, *promises;
    } rows[] = {
        { "",                                                        NULL                               },
        { "redzone = 64\n",                                          NULL                               },
        { "redzone = 64\nstate = preserve\n",                        "redzone = 64"                     },
        { "redzone = 256\n",                                         "redzone = 256"                    },
        { "reads = aligned:16\norder = weak\n",                      "order = weak, reads = aligned:16" },
        { "op = move\noverlap = same\n",                             "overlap = same"                   },
        { "state = mmx-live\n",                                      "state = mmx-live"                 },
        { "state = kernel-fpu\nset = a:1\nstub = b\nallow = hang\n",
         "state = kernel-fpu, set = a:1, stub = b, allow = hang"                                        },
        { "returns = left@rax\nfaults = left\n",                     "faults = left"                    },
    };

    for (size_t i = 0; i < FNP_ARRAY_LEN(rows); i++) {
        struct fnp_arena arena = { 0 };
        struct fnp_contract_file file;
        struct fnp_err err;
        const char *text =
            fnp_arena_printf(&arena, "[f]\n" OK_PROTO "%s", rows[i].keys);

        tap_ok(!parse(&arena, text, &file, &err) &&
                   same_text(file.contracts[0].promises, rows[i].promises),
               "weakening promises: %s %s",
               rows[i].promises ? rows[i].promises : "none", err.text);
        fnp_arena_release(&arena);
    }
}

/* ---- small questions */

static void test_sizes(void)
{
    static const struct {
        struct fnp_sizes sizes;
        uint64_t n;
        bool allowed, any; /* `any`: some size <= n */
    } rows[] = {
        { { .least = 0, .most = UINT64_MAX, .step = 1 },       0,          true,  true  },
        { { .least = 0, .most = UINT64_MAX, .step = 1 },       UINT64_MAX, true,  true  },
        { { .least = 64, .most = 256, .step = 64 },            63,         false, false },
        { { .least = 64, .most = 256, .step = 64 },            64,         true,  true  },
        { { .least = 64, .most = 256, .step = 64 },            65,         false, true  },
        { { .least = 64, .most = 256, .step = 64 },            256,        true,  true  },
        { { .least = 64, .most = 256, .step = 64 },            320,        false, true  },
        { { .list = { 5, 9 }, .count = 2, .step = 1 },         5,          true,  true  },
        { { .list = { 5, 9 }, .count = 2, .step = 1 },         7,          false, true  },
        { { .list = { 5, 9 }, .count = 2, .step = 1 },         4,          false, false },
        { { .list = { 5 }, .count = 1, .most = 9, .step = 1 }, 0,          false, false },
    };
    const struct fnp_buf buf = { .mul = 3, .add = 5 };

    for (size_t i = 0; i < FNP_ARRAY_LEN(rows); i++) {
        tap_ok(fnp_sizes_allow(&rows[i].sizes, rows[i].n) == rows[i].allowed &&
                   fnp_sizes_any(&rows[i].sizes, rows[i].n) == rows[i].any,
               "sizes row %zu, n %llu", i, (unsigned long long)rows[i].n);
    }
    tap_ok(fnp_buf_len(&buf, 7) == 26, "3n + 5 at 7");
    tap_ok(fnp_buf_len(&buf, UINT64_MAX / 3) == UINT64_MAX, "3n + 5 saturates");
    tap_ok(fnp_buf_len(&buf, UINT64_MAX / 2) == UINT64_MAX, "3n saturates");
}

static void test_guesses(void)
{
    static const struct {
        const char *symbol, *as, *guess, *rest;
        enum fnp_op op;
        enum fnp_returns returns;
    } rows[] = {
        { "memcpy",                    NULL,     "memcpy",         NULL,                 FNP_OP_COPY, FNP_RETURNS_DST   },
        { "my_memmove_sse2",           NULL,     "memmove",        "my sse2",            FNP_OP_MOVE, FNP_RETURNS_DST   },
        { "__mempcpy_chk",             NULL,     "mempcpy",        "chk",                FNP_OP_COPY, FNP_RETURNS_DST_N },
        { "memset.part.0",             NULL,     "memset",         "part 0",             FNP_OP_SET,  FNP_RETURNS_DST   },
        { "clear_page_rep",            NULL,     "clear_page",     "rep",                FNP_OP_ZERO, FNP_RETURNS_NONE  },
        { "fnp_copy_page",             NULL,     "copy_page",      "fnp",                FNP_OP_COPY, FNP_RETURNS_NONE  },
        { "explicit_bzero",            NULL,     "explicit_bzero", NULL,                 FNP_OP_ZERO,
         FNP_RETURNS_NONE                                                                                               },
        { "memcpy_nodrain",            NULL,     "memcpy",         "nodrain",            FNP_OP_COPY, FNP_RETURNS_DST   },
        { "fast_copy",                 NULL,     "copy",           "fast",               FNP_OP_COPY, FNP_RETURNS_NONE  },
        { "frob",                      "memcpy", "memcpy",         NULL,                 FNP_OP_COPY, FNP_RETURNS_DST   },
        { "__wmemset_avx2",            NULL,     "wmemset",        "avx2",               FNP_OP_SET,  FNP_RETURNS_DST   },
        { "wmemcpy",                   NULL,     "wmemcpy",        NULL,                 FNP_OP_COPY, FNP_RETURNS_DST   },
        { "wmemmove",                  NULL,     "wmemmove",       NULL,                 FNP_OP_MOVE, FNP_RETURNS_DST   },
        { "wmempcpy_chk",              NULL,     "wmempcpy",       "chk",                FNP_OP_COPY, FNP_RETURNS_DST_N },
        { "wmemzero",                  NULL,     NULL,             NULL,                 0,           0                 },
        { "bcopy",                     NULL,     "bcopy",          NULL,                 FNP_OP_MOVE, FNP_RETURNS_NONE  },
        { "a_fill",                    NULL,     "fill",           "a",                  FNP_OP_SET,  FNP_RETURNS_NONE  },
        { "memcpy2",                   NULL,     NULL,             NULL,                 0,           0                 },
        { "xmemcpy",                   NULL,     NULL,             NULL,                 0,           0                 },
        { "copy_pages_xmemcpy_memcpy", NULL,     "memcpy",         "copy pages xmemcpy", 0,
         FNP_RETURNS_DST                                                                                                },
        { "memcpy",                    "frob",   NULL,             NULL,                 0,           0                 },
        { "",                          NULL,     NULL,             NULL,                 0,           0                 },
        { "_",                         NULL,     NULL,             NULL,                 0,           0                 },
    };

    for (size_t i = 0; i < FNP_ARRAY_LEN(rows); i++) {
        struct fnp_arena arena = { 0 };
        struct fnp_contract c = { 0 };
        struct fnp_err err = { 0 };
        struct fnp_contract_draft *draft =
            fnp_contract_guess(&arena, rows[i].symbol, rows[i].as);

        tap_ok(rows[i].guess ? draft && !fnp_contract_finish(draft, &c, &err) &&
                                   same_text(c.guess, rows[i].guess) &&
                                   same_text(c.guess_rest, rows[i].rest) &&
                                   c.op == rows[i].op && c.returns == rows[i].returns
                             : !draft,
               "guess %s: %s %s", rows[i].symbol, c.guess ? c.guess : "none", err.text);
        fnp_arena_release(&arena);
    }
    for (size_t i = 0; i < fnp_guess_n_words; i++) {
        struct fnp_arena arena = { 0 };
        struct fnp_contract c = { 0 };
        struct fnp_err err = { 0 };
        struct fnp_contract_draft *draft =
            fnp_contract_guess(&arena, fnp_guess_words[i], NULL);

        tap_ok(draft && !fnp_contract_finish(draft, &c, &err) &&
                   same_text(c.guess, fnp_guess_words[i]) && !c.guess_rest,
               "%s is guessed from itself %s", fnp_guess_words[i], err.text);
        fnp_arena_release(&arena);
    }
}

/* Names with `chk` get the object size as a last parameter, "unknown". */
static void test_checked_guesses(void)
{
    static const struct {
        const char *symbol, *as;
        size_t n_params;
        bool checked;
    } rows[] = {
        { "memcpy",                           NULL,           3, false },
        { "memcpy_chk",                       NULL,           4, true  },
        { "__memcpy_chk_sse2_unaligned_erms", NULL,           4, true  },
        { "__mempcpy_chk",                    NULL,           4, true  },
        { "__memmove_chk_erms",               NULL,           4, true  },
        { "__memset_chk_erms",                NULL,           4, true  },
        { "__wmemset_chk",                    NULL,           4, true  },
        { "__explicit_bzero_chk",             NULL,           3, true  },
        { "bzero_chk",                        NULL,           3, true  },
        { "memcpy_chkd",                      NULL,           3, false },
        { "copy_chk",                         NULL,           3, false },
        { "clear_page_chk",                   NULL,           1, false },
        { "memcpy_chk",                       "memcpy",       3, false },
        { "frob",                             "__memset_chk", 4, true  },
    };

    for (size_t i = 0; i < FNP_ARRAY_LEN(rows); i++) {
        struct fnp_arena arena = { 0 };
        struct fnp_contract c = { 0 };
        struct fnp_contract_file back;
        struct fnp_err err = { 0 };
        struct fnp_contract_draft *draft =
            fnp_contract_guess(&arena, rows[i].symbol, rows[i].as);
        bool ok = draft && !fnp_contract_finish(draft, &c, &err) &&
                  c.n_params == rows[i].n_params;
        const struct fnp_param *last = ok ? &c.params[c.n_params - 1] : NULL;

        tap_ok(ok &&
                   rows[i].checked ==
                       (last->kind == FNP_PARAM_CONST && last->width == 8 &&
                        last->constant == UINT64_MAX) &&
                   !parse(&arena, fnp_contract_ini(&arena, &c), &back, &err) &&
                   same_contract(&c, &back.contracts[0]),
               "guess %s%s%s: %s %s", rows[i].symbol, rows[i].as ? " as " : "",
               rows[i].as ? rows[i].as : "", ok ? c.proto : "none", err.text);
        fnp_arena_release(&arena);
    }
}

int main(void)
{
    test_keys();
    test_way_back();
    test_long_lines();
    test_defaults();
    test_alignment();
    test_options();
    test_promises();
    test_sizes();
    test_guesses();
    test_checked_guesses();
    return tap_done();
}
