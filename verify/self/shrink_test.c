/* SPDX-License-Identifier: MIT */
/*
 * shrink_test.c - planted faults shrink to the known smallest case from any start
 */
#include <string.h>

#include "base/rng.h"
#include "verify/plan.h"
#include "verify/self/tap.h"
#include "verify/shrink.h"

enum {
    STARTS = 20,
    TRIES = 20000
};

static const char copy[] =
    "[copy]\n"
    "proto = void copy(void dst[n], const void src[n], size_t n)\n"
    "op = move\noverlap = any\nstate = preserve\n";
static const char blocks[] =
    "[blocks]\n"
    "proto = void blocks(void dst[n], const void src[n], size_t n)\n"
    "op = copy\nsizes = 64:-:64\nalign = dst:16 src:16\n";
static const char page[] = "[page]\nproto = void page(void dst[4096])\nop = zero\n";
static const char fill[] = "[fill]\nproto = void *fill(void dst[n], int c, size_t n)\n"
                           "op = set\nsizes = 3000,5,70,700\n";

static unsigned at(const struct fnp_case *c, unsigned role)
{
    return c->offset[role] ? c->offset[role] - 1u : 0;
}

static int64_t distance(const struct fnp_case *c)
{
    return fnp_case_distance(c, c->n);
}

static bool overlaps(const struct fnp_case *c)
{
    return c->relation != FNP_REL_NONE && distance(c) < (int64_t)c->n &&
           -distance(c) < (int64_t)c->n;
}

static bool is_always(const struct fnp_case *c)
{
    return c != NULL;
}

static bool is_threshold(const struct fnp_case *c)
{
    return c->n >= 4097;
}

static bool is_sum(const struct fnp_case *c)
{
    return c->n >= 4096 && c->n + at(c, 0) >= 4112;
}

static bool is_page_end(const struct fnp_case *c)
{
    return c->n >= 4097 && at(c, 0) % 64 + c->n % 16 > 60;
}

static bool is_conjunction(const struct fnp_case *c)
{
    return c->n == 4093 && at(c, 0) == 13;
}

static bool is_triple(const struct fnp_case *c)
{
    return c->n == 2741 && at(c, 0) == 13 && overlaps(c) && distance(c) == 2741 - 7;
}

static bool is_close_below(const struct fnp_case *c)
{
    return overlaps(c) && distance(c) < 0 && distance(c) > -32 && c->n > 40;
}

static bool is_far_lap(const struct fnp_case *c)
{
    return overlaps(c) && distance(c) > 0 && (int64_t)c->n - distance(c) < 16 &&
           c->n >= 100;
}

static bool is_mode(const struct fnp_case *c)
{
    return (c->mxcsr & 0x6000) == 0x6000 && c->n > 7;
}

static bool is_remainder(const struct fnp_case *c)
{
    return c->n % 64 >= 50 && c->n > 1000;
}

static bool is_guard(const struct fnp_case *c)
{
    return c->place[1] == FNP_PLACE_END && c->n % 16 != 0 &&
           (c->offset[1] == 0 || (at(c, 1) + c->n) % 64 == 0);
}

static bool is_alias(const struct fnp_case *c)
{
    return c->relation == FNP_REL_NONE && at(c, 0) == at(c, 1) &&
           c->line[0] == c->line[1] && c->n >= 65;
}

static bool is_state(const struct fnp_case *c)
{
    return c->x87 >= 3 && c->ymm == 1 && (c->fcw & 0xc00) == 0x800;
}

static bool is_contents(const struct fnp_case *c)
{
    return c->n >= (c->fill == FNP_FILL_SNAN ? 8 : 787);
}

static bool is_block(const struct fnp_case *c)
{
    return c->n >= 640 && c->fill == FNP_FILL_RANDOM;
}

static bool is_place(const struct fnp_case *c)
{
    return c->place[0] == FNP_PLACE_MID && c->line[0] >= 60;
}

static bool is_value(const struct fnp_case *c)
{
    return (c->value[0] & 0x180) == 0x180 && c->n >= 70;
}

static bool is_wide(const struct fnp_case *c)
{
    return c->n >= (1ull << 32) + 3;
}

/* `start` says what a random start must have to show the fault at all. */
static const struct {
    const char *name, *contract;
    bool (*shows)(const struct fnp_case *c);
    const char *start, *least;
} faults[] = {
    { "always",                 copy,   is_always,      "",                           "v1 n=0"               },
    { "threshold",              copy,   is_threshold,   "n=9000",                     "v1 n=4097"            },
    { "n + dst",                copy,   is_sum,         "n=5000 dst=20",              "v1 n=4096 dst=16"     },
    { "n and dst modulo",       copy,   is_page_end,    "n=6015 dst=62",              "v1 n=4097 dst=60"     },
    { "conjunction",            copy,   is_conjunction, "n=4093 dst=13",              "v1 n=4093 dst=13"     },
    { "triple as lap",          copy,   is_triple,      "n=2741 dst=13 lap=7",
     "v1 n=2741 dst=13 lap=7"                                                                                },
    { "triple as distance",     copy,   is_triple,      "n=2741 dst=13 overlap=2734",
     "v1 n=2741 dst=13 lap=7"                                                                                },
    { "close below",            copy,   is_close_below, "n=900 overlap=-25",          "v1 n=41 overlap=-1"   },
    { "close below, as lap",    copy,   is_close_below, "n=900 lap=-890",
     "v1 n=41 overlap=-1"                                                                                    },
    { "far lap",                copy,   is_far_lap,     "n=900 overlap=889",          "v1 n=100 lap=1"       },
    { "rounding mode",          copy,   is_mode,        "n=77 mxcsr=ffff",            "v1 n=8 mxcsr=7f80"    },
    { "remainder",              copy,   is_remainder,   "n=16183",                    "v1 n=1010"            },
    { "guard",                  copy,   is_guard,       "n=4093 src=3 place=src:end", "v1 n=1 place=src:end" },
    { "same place in the page", copy,   is_alias,
     "n=3000 dst=17 src=17 line=dst:9,src:9 place=dst:mid",                           "v1 n=65"              },
    { "start state",            copy,   is_state,       "x87=mmx ymm=1 fcw=b7f",
     "v1 n=0 fcw=b7f x87=3 ymm=1"                                                                            },
    { "truncated length",       copy,   is_wide,        "n=4294971405 field=high",    "v1 n=4294967299"      },
    { "contents",               copy,   is_contents,    "n=3000",                     "v1 n=8 fill=snan"     },
    { "whole blocks",           blocks, is_block,       "n=6400 fill=random",         "v1 n=640 fill=random" },
    { "constant extents",       page,   is_place,       "place=dst:mid line=dst:63",
     "v1 line=dst:60"                                                                                        },
    { "listed sizes",           fill,   is_value,       "n=3000 value=5ff",           "v1 n=70 value=180"    },
};

struct run {
    bool (*shows)(const struct fnp_case *c);
    const struct fnp_contract *contract;
    size_t tries, bad;
};

static size_t attempt(void *arg, const struct fnp_case *cases, size_t count)
{
    struct run *run = arg;

    for (size_t i = 0; i < count; i++) {
        struct fnp_case canonical = cases[i];

        run->tries++;
        fnp_case_canonical(&canonical);
        run->bad += !fnp_case_allowed(run->contract, &cases[i], NULL) ||
                    !fnp_case_equal(&canonical, &cases[i]) || count > 64;
        if (run->shows(&cases[i]))
            return i;
    }
    return count;
}

/* Random fields, then those of the start on top; canonical and allowed. */
static bool make_start(const struct fnp_contract *contract, const char *fixed,
                       struct fnp_rng *rng, struct fnp_case *out)
{
    unsigned char bytes[FNP_CASE_BYTES] = { 0 };
    char text[256], rest[FNP_CASE_TEXT_MAX];
    struct fnp_str str = fnp_str_over(text, sizeof(text));
    struct fnp_str all = fnp_str_over(rest, sizeof(rest));

    /* Offsets of the byte record, see case_bytes.c. */
    static const uint8_t free_bytes[] = {
        2, 3, 7, 8, 9, 10, 11, 12, 24, 26, 30, 34, 35
    };

    for (size_t i = 0; i < FNP_ARRAY_LEN(free_bytes); i++)
        bytes[free_bytes[i]] = (unsigned char)fnp_rng_next(rng);
    fnp_case_decode(bytes, sizeof(bytes), out);
    if (!fnp_contract_buf(contract, FNP_SRC))
        out->offset[1] = out->place[1] = out->line[1] = 0;
    if (contract->state != FNP_STATE_PRESERVE)
        out->x87 = out->ymm = 0;
    fnp_case_text(out, false, &all);
    fnp_str_add(&str, "v1");
    for (char *word = strtok(rest + 2, " "); word; word = strtok(NULL, " ")) {
        size_t name = strcspn(word, "=") + 1;
        char key[16] = " ";

        memcpy(key + 1, word, name);
        if (!strstr(fixed, key + 1))
            fnp_str_add(&str, " %s", word);
    }
    fnp_str_add(&str, " %s", fixed);
    return fnp_case_parse(text, out, NULL) == FNP_OK &&
           fnp_case_allowed(contract, out, NULL);
}

static void test_fault(size_t k, const struct fnp_contract *contract)
{
    struct fnp_rng rng = { k };
    unsigned starts = 0, wrong = 0;
    size_t bad = 0, most = 0;
    char got[FNP_CASE_TEXT_MAX] = "";

    for (unsigned i = 0; i < 100000 && starts < STARTS; i++) {
        struct run run = { faults[k].shows, contract, 0, 0 };
        struct fnp_case c;
        struct fnp_str str = fnp_str_over(got, sizeof(got));

        if (!make_start(contract, faults[k].start, &rng, &c) || !faults[k].shows(&c))
            continue;
        starts++;
        fnp_shrink(contract, &c, TRIES, attempt, &run);
        bad += run.bad;
        most = run.tries > most ? run.tries : most;
        fnp_case_text(&c, contract->has_n, &str);
        wrong += strcmp(got, faults[k].least) != 0;
        if (wrong == 1 && strcmp(got, faults[k].least) != 0)
            printf("# %s: got %s\n", faults[k].name, got);
    }
    tap_ok(starts == STARTS && wrong == 0 && bad == 0 && most <= TRIES,
           "%s: %u starts, all end at \"%s\", at most %zu tries", faults[k].name,
           starts, faults[k].least, most);
}

/* A small budget ends early with a case that still shows the fault. */
static void test_budget(const struct fnp_contract *contract)
{
    for (size_t tries = 0; tries < 300; tries += 37) {
        struct run run = { is_sum, contract, 0, 0 };
        struct fnp_case c = fnp_case_default();

        c.n = 5000;
        c.seed = 77;
        fnp_shrink(contract, &c, tries, attempt, &run);
        tap_ok(is_sum(&c) && run.tries <= tries, "%zu tries: %zu used", tries,
               run.tries);
    }
}

int main(void)
{
    struct fnp_arena arena = { NULL };

    for (size_t k = 0; k < FNP_ARRAY_LEN(faults); k++) {
        struct fnp_contract_file file;
        struct fnp_err err = { { 0 } };

        if (fnp_contract_parse(&arena, "t.ini", faults[k].contract,
                               strlen(faults[k].contract), &file, &err)) {
            tap_ok(false, "contract: %s", err.text);
            continue;
        }
        test_fault(k, &file.contracts[0]);
        if (k == 0)
            test_budget(&file.contracts[0]);
    }
    fnp_arena_release(&arena);
    return tap_done();
}
