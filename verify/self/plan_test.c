/* SPDX-License-Identifier: MIT */
/*
 * plan_test.c - plans stay within contracts, cover what they should, and meet
 * planted triggers within the gate
 */
#include <string.h>

#include "run/pool.h"
#include "verify/plan.h"
#include "verify/self/tap.h"

#define COPY_N "(void dst[n], const void src[n], size_t n)\n"

static const struct {
    const char *name, *ini;
} contracts[] = {
    { "memcpy",      "proto = void *f" COPY_N "op = copy\nreturns = dst\n"                },
    { "memmove",     "proto = void *f" COPY_N "op = move\noverlap = any\n"                },
    { "forward",
     "proto = void f" COPY_N "op = copy\noverlap = forward\nstate = preserve\n"           },
    { "backward",    "proto = void f" COPY_N "op = copy\noverlap = backward\n"            },
    { "same",
     "proto = void f" COPY_N "op = copy\noverlap = same\nalign = dst:16 src:16\n"         },
    { "memset",      "proto = void *f(void dst[n], int c, size_t n)\nop = set\n"          },
    { "listed fill", "proto = void f(void dst[n], long c, unsigned n)\nop = set\n"
                     "values = c:0,255,300\nstate = kernel-fpu\n"     },
    { "blocks",
     "proto = void f" COPY_N "op = copy\nsizes = 64:-:64\nalign = dst:64 src:16\n"
      "overlap = any\n"                                                                   },
    { "divided",
     "proto = void f(void dst[n], const void src[n], size_t n/8)\nop = copy\n"
      "state = mmx-live\noverlap = any\nalign = dst:8 src:8\n"                            },
    { "few sizes",   "proto = void f" COPY_N "op = copy\nsizes = 4096,64,1000\n"          },
    { "page copy",   "proto = void f(void dst[4096], const void src[4096])\nop = copy\n"
                   "state = preserve\nalign = dst:4096 src:4096\n"      },
    { "page clear",  "proto = void f(void dst[4096])\nop = zero\nstate = preserve\n"      },
    { "doubled",
     "proto = void f(void dst[n*2], const void src[n], size_t n)\nop = ref:g\n"           },
    { "signed",      "proto = void f(void dst[n], const void src[n], int n)\nop = copy\n" },
    { "huge blocks", "proto = void f(void dst[n], int c, size_t n)\nop = set\n"
                     "sizes = 1048576:-:1048576\n"                    },
    { "i386",        "proto = void f" COPY_N "op = copy\nabi = i386\n"                    },
    { "inout",       "proto = void f(inout void dst[n], const void src[n], size_t n)\n"
               "op = copy\n"                                                },
};

/* Constants as they stand in code that looks for n = 2741, dst mod 64 = 13, lap 7. */
static const uint64_t planted[] = { 1,           2,        4,
                                    7,           8,        13,
                                    16,          32,       63,
                                    64,          128,      256,
                                    2741,        4096,     0xfffffffffffffff0u,
                                    0xfffffff8u, 0x100000u };

static bool make(struct fnp_arena *arena, const char *ini, bool with_constants,
                 struct fnp_kernel *out)
{
    struct fnp_contract_file file;
    struct fnp_err err = { { 0 } };
    char text[512];
    struct fnp_str str = fnp_str_over(text, sizeof(text));

    fnp_str_add(&str, "[f]\n%s", ini);
    if (fnp_contract_parse(arena, "t.ini", text, str.len, &file, &err)) {
        tap_ok(false, "contract: %s", err.text);
        return false;
    }
    *out = (struct fnp_kernel){ .name = "f", .contract = file.contracts[0] };
    for (size_t i = 0; with_constants && i < FNP_ARRAY_LEN(planted); i++)
        out->scan.constants[out->scan.n_constants++] = planted[i];
    return true;
}

/* Every case of a budget: canonical, allowed, the same when asked again. */
static void test_contract(const char *name, const struct fnp_kernel *kernel,
                          enum fnp_budget budget)
{
    struct fnp_arena arena = { NULL };
    struct fnp_plan plan, again;
    uint64_t bad = 0, none = 0, other = 0, shown = 0;
    struct fnp_case c, canonical;
    struct fnp_err why = { { 0 } };

    fnp_plan_make(&arena, kernel, 1, budget, &plan);
    fnp_plan_make(&arena, kernel, 1, budget, &again);
    for (uint64_t i = 0; i < plan.count; i++) {
        uint64_t back = plan.count - 1 - i;

        none += !fnp_plan_case(&plan, i, &c);
        canonical = c;
        fnp_case_canonical(&canonical);
        if (!fnp_case_equal(&c, &canonical) ||
            !fnp_case_allowed(&kernel->contract, &c, &why)) {
            bad++;
            if (shown++ < 3) {
                char text[FNP_CASE_TEXT_MAX];
                struct fnp_str str = fnp_str_over(text, sizeof(text));

                fnp_case_text(&c, true, &str);
                printf("# %s: case %u: %s: %s\n", name, (unsigned)i, text, why.text);
            }
        }
        /* Asking in another order must not matter. */
        fnp_plan_case(&plan, back, &c);
        fnp_plan_case(&again, back, &canonical);
        other += !fnp_case_equal(&c, &canonical);
    }
    none += fnp_plan_case(&plan, plan.count, &c);
    tap_ok(plan.count > 0 && bad == 0 && none == 0 && other == 0,
           "%s: %u cases, all canonical, allowed and repeatable", name,
           (unsigned)plan.count);
    fnp_arena_release(&arena);
}

/* What a plan has met. */
struct coverage {
    bool dst[64], src[64], x87[10], fill[FNP_N_FILLS], place[3][FNP_N_PLACES];
    bool upper[FNP_N_UPPERS], small[289];
    bool rounding[4], ftz, daz, sticky, ymm, low, fcw, flush;
    unsigned lap[2], distance[2], same, apart, repeat, hostile, huge, large, alias;
    unsigned unmasked;
};

static void note_relation(const struct fnp_contract *contract, const struct fnp_case *c,
                          struct coverage *v)
{
    const struct fnp_buf *dst = fnp_contract_buf(contract, FNP_DST);
    int64_t len = (int64_t)(dst ? fnp_buf_len(dst, c->n) : 0);
    int64_t distance = fnp_case_distance(c, (uint64_t)len);

    if (c->relation == FNP_REL_NONE)
        return;
    if (distance == 0)
        v->same++;
    else if (distance >= len || -distance >= len)
        v->apart++;
    else if (c->relation == FNP_REL_LAP)
        v->lap[distance < 0]++;
    else
        v->distance[distance < 0]++;
}

static void note(const struct fnp_contract *contract, const struct fnp_case *c,
                 struct coverage *v)
{
    if (c->offset[0])
        v->dst[c->offset[0] - 1] = true;
    if (c->offset[1])
        v->src[c->offset[1] - 1] = true;
    for (unsigned role = 0; role < 3; role++)
        v->place[role][c->place[role]] = true;
    v->flush |= c->place[0] == FNP_PLACE_END && !c->offset[0];
    v->x87[c->x87] = v->fill[c->fill] = v->upper[c->upper] = true;
    if (c->n < FNP_ARRAY_LEN(v->small))
        v->small[c->n] = true;
    v->rounding[c->mxcsr >> 13 & 3] = true;
    v->ftz |= c->mxcsr >> 15 & 1;
    v->daz |= c->mxcsr >> 6 & 1;
    v->sticky |= (c->mxcsr & 0x3f) != 0;
    v->ymm |= c->ymm;
    v->low |= c->field == FNP_FIELD_LOW;
    v->fcw |= c->fcw != FNP_FCW_DEFAULT;
    v->repeat += c->repeat > 0;
    v->hostile += c->fill >= FNP_FILL_SNAN && c->fill <= FNP_FILL_INF;
    v->huge += c->n >= FNP_HUGE_N_MIN;
    v->large += c->n > 20000 && c->n < FNP_HUGE_N_MIN;
    v->unmasked += (c->mxcsr & 0x1f80) != 0x1f80 || (c->fcw & 0x3f) != 0x3f;
    v->alias += c->relation == FNP_REL_NONE && c->place[0] == FNP_PLACE_MID &&
                c->place[1] == FNP_PLACE_MID && c->line[0] == c->line[1] &&
                c->offset[0] == c->offset[1] && c->n > 64;
    note_relation(contract, c, v);
}

static unsigned count(const bool *seen, size_t n)
{
    unsigned total = 0;

    for (size_t i = 0; i < n; i++)
        total += seen[i];
    return total;
}

static struct coverage cover(const struct fnp_kernel *kernel, enum fnp_budget budget,
                             uint64_t least, uint64_t most)
{
    struct fnp_arena arena = { NULL };
    struct coverage v;
    struct fnp_plan plan;
    struct fnp_case c;

    memset(&v, 0, sizeof(v));
    fnp_plan_make(&arena, kernel, 1, budget, &plan);
    for (uint64_t i = 0; i < plan.count; i++) {
        if (fnp_plan_case(&plan, i, &c))
            note(&kernel->contract, &c, &v);
    }
    tap_ok(plan.count >= least && plan.count <= most, "%u cases planned",
           (unsigned)plan.count);
    fnp_arena_release(&arena);
    return v;
}

static void test_small_things(const struct coverage *v)
{
    tap_ok(count(v->dst, 64) == 64 && count(v->src, 64) == 64,
           "every dst and src offset");
    tap_ok(count(v->small, FNP_ARRAY_LEN(v->small)) == FNP_ARRAY_LEN(v->small),
           "every size up to 288");
    tap_ok(count(v->place[0], FNP_N_PLACES) == FNP_N_PLACES &&
               count(v->place[1], FNP_N_PLACES) == FNP_N_PLACES && v->flush,
           "every placement of dst and src, also flush");
    tap_ok(count(v->fill, FNP_N_FILLS) == FNP_N_FILLS, "every fill");
    tap_ok(count(v->rounding, 4) == 4 && v->ftz && v->daz && v->sticky && v->fcw,
           "every FP mode");
    tap_ok(v->unmasked == 0, "no exception is ever unmasked");
}

static void test_move_coverage(const struct fnp_kernel *move)
{
    struct coverage v = cover(move, FNP_BUDGET_GATE, 11000, 13000);

    test_small_things(&v);
    tap_ok(v.lap[0] > 300 && v.lap[1] > 300 && v.distance[0] > 300 &&
               v.distance[1] > 300 && v.same > 20 && v.apart > 20,
           "laps %u/%u, distances %u/%u, same %u, apart %u", v.lap[0], v.lap[1],
           v.distance[0], v.distance[1], v.same, v.apart);
    tap_ok(count(v.x87, 10) == 1 && v.ymm,
           "state = user enters with empty x87, and at times with upper halves set");
    tap_ok(v.low && v.repeat > 60 && v.alias > 60 && v.huge >= 10 && v.large > 30,
           "low field, %u repeats, %u aliases, %u huge, %u large", v.repeat, v.alias,
           v.huge, v.large);
    v = cover(move, FNP_BUDGET_QUICK, 2000, 3000);
    tap_ok(count(v.dst, 64) == 64 && v.lap[0] > 20 && v.lap[1] > 20 && v.huge > 0 &&
               count(v.small, FNP_ARRAY_LEN(v.small)) == FNP_ARRAY_LEN(v.small),
           "quick covers offsets, sizes, laps and huge lengths too");
}

static const char *ini_of(const char *name)
{
    for (size_t i = 0; i < FNP_ARRAY_LEN(contracts); i++) {
        if (strcmp(contracts[i].name, name) == 0)
            return contracts[i].ini;
    }
    return NULL;
}

/* Whole huge buffers: in deep plans alone, early, behind 2 and 4 GiB, and where right. */
static void test_whole_buffers(struct fnp_arena *arena, const char *name,
                               enum fnp_budget budget, unsigned want)
{
    struct fnp_kernel kernel;
    struct fnp_plan plan;
    struct fnp_case c;
    unsigned n = 0, past_4g = 0, flush = 0;

    if (!make(arena, ini_of(name), false, &kernel))
        return;
    fnp_plan_make(arena, &kernel, 1, budget, &plan);
    for (uint64_t i = 0; i < 60000 && i < plan.count; i++) {
        if (!fnp_plan_case(&plan, i, &c) || c.huge != FNP_HUGE_ALIAS)
            continue;
        n++;
        past_4g += c.n > UINT32_MAX;
        flush += c.place[FNP_DST] == FNP_PLACE_END;
    }
    tap_ok(n == want && past_4g == want / 2 && flush == want / 2,
           "%s, budget %d: %u whole huge buffers, %u past 4 GiB, %u flush", name,
           (int)budget, n, past_4g, flush);
}

static void test_state_coverage(struct fnp_kernel *page)
{
    struct coverage v = cover(page, FNP_BUDGET_GATE, 1500, 2000);
    unsigned plain = v.hostile;

    tap_ok(count(v.x87, 10) == 10 && v.ymm,
           "preserve enters with every live x87 state");
    tap_ok(v.place[0][FNP_PLACE_END] && v.place[0][FNP_PLACE_START] && v.flush,
           "pages stand at both guards");
    page->scan.x87_mmx = true;
    v = cover(page, FNP_BUDGET_GATE, 1500, 2000);
    tap_ok(v.hostile > 2 * plain && v.hostile > 500,
           "code with x87 gets more hostile contents: %u instead of %u", v.hostile,
           plain);
}

static bool first_in(const struct fnp_plan *plan, uint64_t cases,
                     bool (*shows)(const struct fnp_case *c), uint64_t *at)
{
    struct fnp_case c;

    for (*at = 0; *at < cases; ++*at) {
        if (fnp_plan_case(plan, *at, &c) && shows(&c))
            return true;
    }
    return false;
}

static unsigned at(const struct fnp_case *c, unsigned role)
{
    return c->offset[role] ? c->offset[role] - 1u : 99;
}

static int64_t lap(const struct fnp_case *c)
{
    int64_t distance = fnp_case_distance(c, c->n);

    if (c->relation == FNP_REL_NONE)
        return 0;
    return distance < 0 ? -(int64_t)c->n - distance : (int64_t)c->n - distance;
}

static bool is_4093_13(const struct fnp_case *c)
{
    return c->n == 4093 && at(c, 0) == 13;
}

static bool is_2741_13(const struct fnp_case *c)
{
    return c->n == 2741 && at(c, 0) == 13;
}

static bool is_2741_13_above(const struct fnp_case *c)
{
    return is_2741_13(c) && lap(c) == 7;
}

static bool is_2741_13_below(const struct fnp_case *c)
{
    return is_2741_13(c) && lap(c) == -7;
}

static bool is_2741_13_7(const struct fnp_case *c)
{
    return is_2741_13(c) && at(c, 1) == 7;
}

static bool is_same_in_page(const struct fnp_case *c)
{
    return c->relation == FNP_REL_NONE && c->place[0] == 0 && c->place[1] == 0 &&
           c->line[0] == c->line[1] && at(c, 0) == at(c, 1) && at(c, 0) < 64 &&
           c->n > 64;
}

static bool is_tail_above(const struct fnp_case *c)
{
    return c->n > 2741 && c->n < FNP_HUGE_N_MIN && c->n % 16 == 5;
}

static bool is_close(const struct fnp_case *c)
{
    int64_t distance = fnp_case_distance(c, c->n);

    return c->relation != FNP_REL_NONE && distance > 0 && distance < 16 && c->n > 64 &&
           (at(c, 0) & 15) == 5;
}

static bool is_over_read(const struct fnp_case *c)
{
    return c->place[1] == FNP_PLACE_END && !c->offset[1] && c->n % 16 == 9 &&
           c->n > 128;
}

static bool is_wide(const struct fnp_case *c)
{
    return c->n >= 1ull << 32 && c->n < 1ull << 33 && (uint32_t)c->n > 0;
}

static bool is_negative(const struct fnp_case *c)
{
    return c->n >> 63;
}

static bool is_crossing(const struct fnp_case *c)
{
    return c->place[0] == FNP_PLACE_CROSS && c->place[1] == FNP_PLACE_CROSS &&
           c->n < 32;
}

static const struct {
    const char *name;
    bool (*shows)(const struct fnp_case *c);
    bool only_mined; /* needs the constants from the code */
} triggers[] = {
    { "n=4093 dst=13",                 is_4093_13,       false },
    { "n=2741 dst=13",                 is_2741_13,       true  },
    { "n=2741 dst=13 lap=7",           is_2741_13_above, true  },
    { "n=2741 dst=13 lap=-7",          is_2741_13_below, true  },
    { "n=2741 dst=13 src=7",           is_2741_13_7,     true  },
    { "dst and src agree modulo 4096", is_same_in_page,  false },
    { "tail above a threshold",        is_tail_above,    false },
    { "dst close above src",           is_close,         false },
    { "flush source of odd size",      is_over_read,     false },
    { "length above 32 bits",          is_wide,          false },
    { "negative length",               is_negative,      false },
    { "both across a page",            is_crossing,      false },
};

static void test_triggers(struct fnp_kernel *move)
{
    struct fnp_arena arena = { NULL };

    for (size_t k = 0; k < FNP_ARRAY_LEN(triggers); k++) {
        for (uint64_t seed = 1; seed <= 3; seed++) {
            struct fnp_plan plan;
            uint64_t first = 0;
            bool met = false;

            move->scan.n_constants =
                triggers[k].only_mined ? FNP_ARRAY_LEN(planted) : 0;
            fnp_plan_make(&arena, move, seed, FNP_BUDGET_GATE, &plan);
            met = first_in(&plan, plan.count, triggers[k].shows, &first);
            tap_ok(met, "seed %u meets %s in case %u", (unsigned)seed, triggers[k].name,
                   (unsigned)first);
        }
    }
    move->scan.n_constants = FNP_ARRAY_LEN(planted);
    fnp_arena_release(&arena);
}

/* What the contract rules out, with a part of the sentence. */
static const struct {
    const char *contract, *text, *says; /* NULL: allowed */
} questions[] = {
    { "memcpy",      "v1 n=0",                              NULL                          },
    { "memcpy",      "v1 n=524288",                         NULL                          },
    { "memcpy",      "v1 n=7340032",                        "longer than a field"         },
    { "memcpy",      "v1 n=4294967299",                     NULL                          },
    { "memcpy",      "v1 n=4294967299 field=low",           "usual field"                 },
    { "memcpy",      "v1 n=4294967299 overlap=1",           "cannot overlap"              },
    { "memcpy",      "v1 n=9 overlap=8",                    "overlap = none"              },
    { "memcpy",      "v1 n=9 lap=1",                        "overlap = none"              },
    { "memcpy",      "v1 n=9 overlap=9",                    NULL                          },
    { "memcpy",      "v1 n=9 overlap=-9",                   NULL                          },
    { "memcpy",      "v1 n=9 overlap=4106",                 "further apart"               },
    { "memcpy",      "v1 n=9 third=1",                      "does not have"               },
    { "memcpy",      "v1 n=9 value=1",                      "does not take"               },
    { "memcpy",      "v1 n=9 x87=1",                        "empty x87"                   },
    { "memcpy",      "v1 n=9 ymm=1",                        NULL                          },
    { "memcpy",      "v1 n=9 field=split31",                "32-bit"                      },
    { "memcpy",      "v1 n=9 mxcsr=0 fcw=0",                NULL                          },
    { "memmove",     "v1 n=9 lap=9",                        NULL                          },
    { "memmove",     "v1 n=9 lap=10",                       "more bytes overlap"          },
    { "memmove",     "v1 n=0 overlap=0",                    "empty"                       },
    { "memmove",     "v1 n=500000 overlap=499999",          "one field"                   },
    { "forward",     "v1 n=9 overlap=-8 x87=mmx ymm=1",     NULL                          },
    { "forward",     "v1 n=9 overlap=8",                    "forward"                     },
    { "forward",     "v1 n=9 overlap=0",                    "not dst == src"              },
    { "forward",     "v1 n=9 overlap=9",                    NULL                          },
    { "backward",    "v1 n=9 lap=1",                        NULL                          },
    { "backward",    "v1 n=9 lap=-1",                       "backward"                    },
    { "same",        "v1 n=9 overlap=0",                    NULL                          },
    { "same",        "v1 n=99 overlap=16",                  "overlap = same"              },
    { "same",        "v1 n=9 dst=8",                        "aligns dst to 16"            },
    { "same",        "v1 n=9 src=32",                       NULL                          },
    { "same",        "v1 n=9 overlap=9",                    "alignment forbids"           },
    { "memset",      "v1 n=9 value=1ff",                    NULL                          },
    { "memset",      "v1 n=9 value=100000000",              "wider"                       },
    { "memset",      "v1 n=9 overlap=1",                    "needs a dst and a src"       },
    { "listed fill", "v1 n=9 value=12c",                    NULL                          },
    { "listed fill", "v1 n=9 value=1",                      "list"                        },
    { "listed fill", "v1 n=9",                              NULL                          },
    { "listed fill", "v1 n=4294967295",                     NULL                          },
    { "listed fill", "v1 n=4294967296",                     "does not allow n=4294967296" },
    { "blocks",      "v1 n=64",                             NULL                          },
    { "blocks",      "v1 n=65",                             "does not allow n=65"         },
    { "divided",     "v1 n=8 x87=mmx",                      NULL                          },
    { "divided",     "v1 n=8 x87=8",                        "empty x87"                   },
    { "divided",     "v1 n=12",                             "does not allow n=12"         },
    { "page copy",   "v1",                                  NULL                          },
    { "page copy",   "v1 n=5",                              "constant"                    },
    { "page copy",   "v1 dst=16",                           "aligns dst to 4096"          },
    { "page copy",   "v1 line=src:1",                       "aligns src to 4096"          },
    { "signed",      "v1 n=2147483647",                     "shorter than a huge"         },
    { "signed",      "v1 n=2147483648",                     "does not allow"              },
    { "memcpy",      "v1 n=2147483648 huge=alias",          NULL                          },
    { "memcpy",      "v1 n=5905580032 huge=alias",          NULL                          },
    { "memcpy",      "v1 n=5905580033 huge=alias",          "at most 5.5 GiB"             },
    { "memcpy",      "v1 n=4096 huge=alias",                "2^31 bytes and more"         },
    { "memcpy",      "v1 n=2147483648 repeat=1 huge=alias", "one call"                    },
    { "memset",      "v1 n=2147483648 huge=alias",          NULL                          },
    { "doubled",     "v1 n=2147483648 huge=alias",          "op = ref"                    },
    { "i386",        "v1 n=2147483648 huge=alias",          "32-bit"                      },
    { "inout",       "v1 n=2147483648 huge=alias",          "both read and written"       },
};

static void test_allowed(struct fnp_arena *arena)
{
    for (size_t i = 0; i < FNP_ARRAY_LEN(questions); i++) {
        struct fnp_kernel kernel;
        struct fnp_case c;
        struct fnp_err why = { { 0 } };
        bool allowed = false;

        if (!make(arena, ini_of(questions[i].contract), false, &kernel) ||
            fnp_case_parse(questions[i].text, &c, &why)) {
            tap_ok(false, "%s", why.text);
            continue;
        }
        allowed = fnp_case_allowed(&kernel.contract, &c, &why);
        tap_ok(questions[i].says ? !allowed && strstr(why.text, questions[i].says)
                                 : allowed,
               "%s: %s: %s", questions[i].contract, questions[i].text,
               allowed ? "allowed" : why.text);
    }
}

static const struct {
    const char *contract, *text;
    uint64_t count;   /* points */
    uint64_t allowed; /* of them; 0: refused */
    const char *says;
} boxes[] = {
    { "memcpy",    "n=0:100 dst=0:63",                                         6464, 6464, NULL                         },
    { "memcpy",    " n=7\tdst=1|5|8:10 ",                                      5,    5,    NULL                         },
    { "memcpy",    "n=0:100:50 place=dst:end|dst:start,src:end fill=pos|ones", 12,   12,
     NULL                                                                                                               },
    { "memmove",   "n=3 overlap=-4:4",                                         9,    9,    NULL                         },
    { "forward",   "n=3 overlap=-4:4",                                         9,    6,    NULL                         },
    { "blocks",    "n=0:256",                                                  257,  4,    NULL                         },
    { "page copy", "x87=0:9 mxcsr=1f80|9fc0",                                  20,   20,   NULL                         },
    { "memset",    "n=5 value=0:ff",                                           256,  256,  NULL                         },
    { "memcpy",    "n=0:9 dst=0:3 + n=100 src=0:63 + dst=5 n=7|9",             106,  106,  NULL                         },
    { "forward",   "n=3 overlap=0:4 + n=3 overlap=-4:4",                       14,   8,    NULL                         },
    { "memcpy",    "",                                                         0,    0,    "names no key"               },
    { "memcpy",    "n=1 +",                                                    0,    0,    "names no key"               },
    { "memcpy",    "+ n=1",                                                    0,    0,    "names no key"               },
    { "memcpy",    "n=1 + + n=2",                                              0,    0,    "names no key"               },
    { "memcpy",    "n=1 +n=2",                                                 0,    0,    "unknown case key"           },
    { "memcpy",    "n=5 + n=5 third=0:3",                                      0,    0,    "no case of it is allowed: " },
    { "memcpy",    "n=0:1048575 seed=0:1048575 + n=1",                         0,    0,    "2^40"                       },
    { "memcpy",    "n=1+n=1 + n=2 + n=3",                                      0,    0,    "case key \"n\""             },
    { "memcpy",    "size=1",                                                   0,    0,    "unknown case key"           },
    { "memcpy",    "n",                                                        0,    0,    "KEY=VALUE"                  },
    { "memcpy",    "n=1 n=2",                                                  0,    0,    "given twice"                },
    { "memcpy",    "n=5:4",                                                    0,    0,    "not a range"                },
    { "memcpy",    "n=4:5:0",                                                  0,    0,    "not a range"                },
    { "memcpy",    "n=4:5:x",                                                  0,    0,    "not a range"                },
    { "memcpy",    "n=4:",                                                     0,    0,    "case key \"n\""             },
    { "memcpy",    "n=1||2",                                                   0,    0,    "case key \"n\""             },
    { "memcpy",    "dst=0:64",                                                 0,    0,    "not 0..63"                  },
    { "memcpy",    "n=0:18446744073709551615",                                 0,    0,    "2^40"                       },
    { "memcpy",    "n=0:1048575 seed=0:4194303",                               0,    0,    "2^40"                       },
    { "memcpy",    "n=5 third=0:3",                                            0,    0,    "no case of it is allowed: " },
    { "page copy", "n=1:5",                                                    0,    0,    "constant"                   },
};

static void test_boxes(struct fnp_arena *arena)
{
    for (size_t i = 0; i < FNP_ARRAY_LEN(boxes); i++) {
        struct fnp_kernel kernel;
        struct fnp_plan plan;
        struct fnp_err err = { { 0 } };
        struct fnp_case c, last = fnp_case_default();
        uint64_t before = 0, allowed = 0, twice = 0;

        if (!make(arena, ini_of(boxes[i].contract), false, &kernel))
            continue;
        fnp_plan_make(arena, &kernel, 1, FNP_BUDGET_QUICK, &plan);
        before = plan.count;
        if (fnp_plan_box(arena, &plan, boxes[i].text, &err)) {
            tap_ok(boxes[i].says && strstr(err.text, boxes[i].says) &&
                       plan.count == before,
                   "box \"%s\": %s", boxes[i].text, err.text);
            continue;
        }
        for (uint64_t k = 0; k < plan.box_count; k++) {
            if (!fnp_plan_case(&plan, k, &c))
                continue;
            allowed += fnp_case_allowed(&kernel.contract, &c, NULL);
            twice += k > 0 && fnp_case_equal(&c, &last);
            last = c;
        }
        tap_ok(!boxes[i].says && plan.box_count == boxes[i].count &&
                   allowed == boxes[i].allowed && twice == 0 &&
                   plan.count == before + plan.box_count &&
                   fnp_plan_case(&plan, plan.count - 1, &c),
               "box \"%s\" of %s: %u of %u points are cases", boxes[i].text,
               boxes[i].contract, (unsigned)allowed, (unsigned)plan.box_count);
        fnp_plan_leave_box(&plan);
        tap_ok(plan.box_count == 0 && plan.count == before &&
                   plan.box_untried == boxes[i].count && fnp_plan_case(&plan, 0, &c) &&
                   !fnp_plan_case(&plan, before, &c),
               "box \"%s\" left out again", boxes[i].text);
    }
}

/* Sizes that cannot be laid out, and a budget by the clock. */
static void test_edges(struct fnp_arena *arena)
{
    struct fnp_kernel kernel;
    struct fnp_plan plan;
    struct fnp_case c;

    if (make(arena, ini_of("huge blocks"), false, &kernel)) {
        fnp_plan_make(arena, &kernel, 1, FNP_BUDGET_GATE, &plan);
        tap_ok(plan.count == 0 && !fnp_plan_case(&plan, 0, &c),
               "no ordinary size: no case");
    }
    if (make(arena, ini_of("memcpy"), true, &kernel)) {
        struct fnp_case first;

        fnp_plan_make(arena, &kernel, 1, FNP_BUDGET_SECONDS, &plan);
        tap_ok(plan.count > 1ull << 60 && fnp_plan_case(&plan, plan.count - 1, &c) &&
                   fnp_case_allowed(&kernel.contract, &c, NULL),
               "a budget by the clock does not run out of cases");
        fnp_plan_case(&plan, 50000, &first);
        fnp_plan_make(arena, &kernel, 2, FNP_BUDGET_SECONDS, &plan);
        fnp_plan_case(&plan, 50000, &c);
        tap_ok(!fnp_case_equal(&c, &first), "another seed gives other cases");
    }
}

int main(void)
{
    struct fnp_arena arena = { NULL };
    struct fnp_kernel kernel;

    for (size_t i = 0; i < FNP_ARRAY_LEN(contracts); i++) {
        if (strcmp(contracts[i].name, "huge blocks") == 0)
            continue;
        if (make(&arena, contracts[i].ini, true, &kernel)) {
            test_contract(contracts[i].name, &kernel, FNP_BUDGET_GATE);
            test_contract(contracts[i].name, &kernel, FNP_BUDGET_QUICK);
        }
    }
    if (make(&arena, ini_of("memmove"), true, &kernel)) {
        test_move_coverage(&kernel);
        test_triggers(&kernel);
    }
    test_whole_buffers(&arena, "memcpy", FNP_BUDGET_DEEP, 2);
    test_whole_buffers(&arena, "memset", FNP_BUDGET_DEEP, 2);
    test_whole_buffers(&arena, "blocks", FNP_BUDGET_DEEP, 2);
    test_whole_buffers(&arena, "memcpy", FNP_BUDGET_GATE, 0);
    test_whole_buffers(&arena, "doubled", FNP_BUDGET_DEEP, 0);
    test_whole_buffers(&arena, "i386", FNP_BUDGET_DEEP, 0);
    if (make(&arena, ini_of("page clear"), false, &kernel))
        test_state_coverage(&kernel);
    test_allowed(&arena);
    test_boxes(&arena);
    test_edges(&arena);
    fnp_arena_release(&arena);
    return tap_done();
}
