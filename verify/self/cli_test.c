/* SPDX-License-Identifier: MIT */
/*
 * cli_test.c - the parts of the command line that are pure functions
 */
#include <stdlib.h>
#include <string.h>

#include "cli/exit_code.h"
#include "cli/json_line.h"
#include "cli/progress.h"
#include "cli/replay_file.h"
#include "cli/replay_gdb.h"
#include "cli/require.h"
#include "cli/settings.h"
#include "verify/self/tap.h"

static void test_exit_codes(void)
{
    static const struct {
        const char *name;
        struct fnp_run_facts facts;
        int want;
    } rows[] = {
        { "clean",                      { 0 },                                          0   },
        { "findings",                   { .findings = true },                           1   },
        { "nothing checked",            { .nothing = true },                            3   },
        { "a named kernel stayed open", { .named_open = true },                         3   },
        { "bad input",                  { .bad_input = true },                          2   },
        { "failed",                     { .failed = true },                             4   },
        { "Ctrl-C",                     { .signal = 2 },                                130 },
        { "SIGTERM",                    { .signal = 15 },                               143 },
        { "findings before nothing",    { .findings = true, .nothing = true },          1   },
        { "findings before open",       { .findings = true, .named_open = true },       1   },
        { "bad input before findings",  { .bad_input = true, .findings = true },        2   },
        { "failed before bad input",    { .failed = true, .bad_input = true },          4   },
        { "failed before findings",     { .failed = true, .findings = true },           4   },
        { "signal before all",          { 2, true, true, true, true, true, true, 77 },  130 },
        { "skip-exit for 3",
         { .nothing = true, .has_skip_exit = true, .skip_exit = 77 },
         77                                                                                 },
        { "skip-exit 0",                { .named_open = true, .has_skip_exit = true },  0   },
        { "skip-exit not for 0",        { .has_skip_exit = true, .skip_exit = 77 },     0   },
        { "skip-exit not for 1",
         { .findings = true, .nothing = true, .has_skip_exit = true, .skip_exit = 77 },
         1                                                                                  },
        { "skip-exit not for 2",        { .bad_input = true, .has_skip_exit = true },   2   },
        { "skip-exit not for 4",        { .failed = true, .has_skip_exit = true },      4   },
    };

    for (size_t i = 0; i < FNP_ARRAY_LEN(rows); i++) {
        int got = fnp_exit_code(&rows[i].facts);
        tap_ok(got == rows[i].want, "exit status, %s: %d", rows[i].name, got);
    }
}

static void test_budgets(void)
{
    static const struct {
        const char *text;
        enum fnp_status status;
        enum fnp_budget budget;
        double seconds;
    } rows[] = {
        { "quick",                FNP_OK,    FNP_BUDGET_QUICK,   0    },
        { "gate",                 FNP_OK,    FNP_BUDGET_GATE,    0    },
        { "deep",                 FNP_OK,    FNP_BUDGET_DEEP,    0    },
        { "10",                   FNP_OK,    FNP_BUDGET_SECONDS, 10   },
        { "10s",                  FNP_OK,    FNP_BUDGET_SECONDS, 10   },
        { "5m",                   FNP_OK,    FNP_BUDGET_SECONDS, 300  },
        { "2h",                   FNP_OK,    FNP_BUDGET_SECONDS, 7200 },
        { "",                     FNP_INPUT, FNP_BUDGET_GATE,    0    },
        { "s",                    FNP_INPUT, FNP_BUDGET_GATE,    0    },
        { "0",                    FNP_INPUT, FNP_BUDGET_GATE,    0    },
        { "-1",                   FNP_INPUT, FNP_BUDGET_GATE,    0    },
        { "10x",                  FNP_INPUT, FNP_BUDGET_GATE,    0    },
        { "1.5s",                 FNP_INPUT, FNP_BUDGET_GATE,    0    },
        { "99999999999999999999", FNP_INPUT, FNP_BUDGET_GATE,    0    },
        { "gates",                FNP_INPUT, FNP_BUDGET_GATE,    0    },
    };

    for (size_t i = 0; i < FNP_ARRAY_LEN(rows); i++) {
        enum fnp_budget budget = FNP_BUDGET_GATE;
        double seconds = 0;
        struct fnp_err err = { "" };
        bool ok =
            fnp_budget_parse(rows[i].text, &budget, &seconds, &err) == rows[i].status &&
            budget == rows[i].budget && seconds == rows[i].seconds &&
            (err.text[0] != 0) == (rows[i].status != FNP_OK);
        tap_ok(ok, "budget \"%s\"", rows[i].text);
    }
}

static void test_slugs(void)
{
    bool set[FNP_N_RULES] = { false };
    struct fnp_err err = { "" };
    unsigned n = 0;

    tap_ok(fnp_slugs_parse("stray-write,hang", set, &err) == FNP_OK,
           "two slugs are read");
    for (unsigned i = 0; i < FNP_N_RULES; i++) {
        n += set[i];
    }
    tap_ok(n == 2 && set[FNP_RULE_STRAY_WRITE] && set[FNP_RULE_HANG],
           "and no others set");
    tap_ok(fnp_slugs_parse("hang,stray-wrote", set, &err) == FNP_INPUT &&
               strstr(err.text, "stray-write"),
           "a mistyped slug names the nearest: %s", err.text);
    tap_ok(fnp_slugs_parse("", set, &err) == FNP_INPUT, "an empty list is refused");
    tap_ok(fnp_slugs_parse("hang,", set, &err) == FNP_INPUT,
           "an empty slug is refused");
}

static void test_require(void)
{
    static const struct {
        const char *name, *list, *order;
        enum fnp_verdict verdict, want;
    } rows[] = {
        { "nothing required", "bytes",       NULL,                    FNP_VERDICT_PASS, FNP_VERDICT_PASS         },
        { "absent",           "order",       NULL,                    FNP_VERDICT_PASS, FNP_VERDICT_INCONCLUSIVE },
        { "not ok",           "order",       "inconclusive: one CPU", FNP_VERDICT_PASS,
         FNP_VERDICT_INCONCLUSIVE                                                                                },
        { "no need",          "order",       "no weak stores",        FNP_VERDICT_PASS, FNP_VERDICT_PASS         },
        { "ok",               "order",       "ok",                    FNP_VERDICT_PASS, FNP_VERDICT_PASS         },
        { "second of a list", "bytes,order", NULL,                    FNP_VERDICT_PASS,
         FNP_VERDICT_INCONCLUSIVE                                                                                },
        { "a failure stays",  "order",       NULL,                    FNP_VERDICT_FAIL, FNP_VERDICT_FAIL         },
        { "a skip stays",     "order",       NULL,                    FNP_VERDICT_SKIP, FNP_VERDICT_SKIP         },
    };

    for (size_t i = 0; i < FNP_ARRAY_LEN(rows); i++) {
        struct fnp_kernel_report r = { .verdict = rows[i].verdict };
        bool required[FNP_N_CHECK_GROUPS] = { false };
        struct fnp_err err = { "" };
        char text[128] = "";
        r.checks[FNP_CHECK_BYTES] = "ok";
        r.checks[FNP_CHECK_ORDER] = rows[i].order;
        bool ok = fnp_require_parse(rows[i].list, required, &err) == FNP_OK &&
                  fnp_require_apply(required, &r, text, sizeof(text)) ==
                      (rows[i].verdict != rows[i].want) &&
                  r.verdict == rows[i].want &&
                  (r.verdict != FNP_VERDICT_INCONCLUSIVE || strstr(r.reason, "order"));
        tap_ok(ok, "require, %s %s", rows[i].name, text);
    }
    bool none[FNP_N_CHECK_GROUPS];
    struct fnp_err err = { "" };
    tap_ok(fnp_require_parse("ordre", none, &err) == FNP_INPUT &&
               strstr(err.text, "order"),
           "an unknown group names the nearest: %s", err.text);
}

static void test_contract_line(void)
{
    static const struct {
        const char *line, *keys; /* as KEY|VALUE|KEY|VALUE, NULL: refused */
        size_t files;
    } rows[] = {
        { "",                                      "op|copy|",           0 },
        { "builtin",                               "op|copy|",           0 },
        { "x.ini",                                 "op|copy|",           1 },
        { "redzone = 0",                           "op|copy|redzone|0|", 0 },
        { " redzone=0 ;  align = dst:16 src:16; ",
         "op|copy|redzone|0|align|dst:16 src:16|",                       0 },
        { "redzone = 0; nonsense",                 NULL,                 0 },
    };
    const char *const given[] = { "op", "copy" };

    for (size_t i = 0; i < FNP_ARRAY_LEN(rows); i++) {
        struct fnp_arena arena = { NULL };
        struct fnp_request r = { .keys = given, .n_keys = 1 };
        struct fnp_err err = { "" };
        char text[128];
        struct fnp_str s = fnp_str_over(text, sizeof(text));
        bool ok = fnp_replay_contract(&arena, rows[i].line, &r, &err) == FNP_OK;
        for (size_t k = 0; k < 2 * r.n_keys; k++) {
            fnp_str_add(&s, "%s|", r.keys[k]);
        }
        tap_ok(ok == (rows[i].keys != NULL) &&
                   (!ok || (!strcmp(text, rows[i].keys) &&
                            r.n_contract_files == rows[i].files)),
               "contract line \"%s\"", rows[i].line);
        fnp_arena_release(&arena);
    }
}

static void test_words(void)
{
    static const struct {
        const char *text, *want; /* words ending in | */
    } rows[] = {
        { "",                       ""                      },
        { "  ",                     ""                      },
        { "-batch -ex bt",          "-batch|-ex|bt|"        },
        { "-ex 'info registers' x", "-ex|info registers|x|" },
        { "a\"b 'c\"d",             "ab 'cd|"               },
        { "''",                     "|"                     },
    };

    for (size_t i = 0; i < FNP_ARRAY_LEN(rows); i++) {
        struct fnp_arena arena = { NULL };
        char *words[8];
        size_t n = 0;
        char text[128];
        struct fnp_str s = fnp_str_over(text, sizeof(text));
        bool ok =
            fnp_split_words(&arena, rows[i].text, words, FNP_ARRAY_LEN(words), &n);
        for (size_t k = 0; ok && k < n; k++) {
            fnp_str_add(&s, "%s|", words[k]);
        }
        tap_ok(ok && !strcmp(text, rows[i].want), "words of <%s>: %s", rows[i].text,
               text);
        fnp_arena_release(&arena);
    }
    struct fnp_arena arena = { NULL };
    char *two[2];
    size_t n = 0;
    tap_ok(!fnp_split_words(&arena, "a b c", two, 2, &n), "too many words are refused");
    fnp_arena_release(&arena);
}

static void test_progress(void)
{
    static const struct {
        uint64_t done, of;
        double rate;
        unsigned columns;
        const char *want;
    } rows[] = {
        { 5,    0,     0,   80, "k  5 cases"                              },
        { 5,    10,    0,   80, "k  5 of 10 cases"                        },
        { 500,  1000,  100, 80, "k  500 of 1000 cases  100/s  5 s left"   },
        { 0,    60000, 100, 80, "k  0 of 60000 cases  100/s  10 min left" },
        { 1000, 1000,  100, 80, "k  1000 of 1000 cases  100/s"            },
        { 500,  1000,  100, 10, "k  500 of"                               },
    };

    for (size_t i = 0; i < FNP_ARRAY_LEN(rows); i++) {
        char text[128];
        fnp_progress_text(text, sizeof(text), rows[i].columns, "k", rows[i].done,
                          rows[i].of, rows[i].rate);
        tap_ok(!strcmp(text, rows[i].want), "progress: %s", text);
    }
}

static void test_json(void)
{
    static const struct {
        const char *text, *want;
    } rows[] = {
        { "plain",            "plain"               },
        { "a\"b\\c",          "a\\\"b\\\\c"         },
        { "tab\tnl\n",        "tab\\u0009nl\\u000a" },
        { "\xc3\xa4",         "\xc3\xa4"            },
        { "\xf0\x9f\x98\x80", "\xf0\x9f\x98\x80"    },
        { "\xff\xc3",         "??"                  },
        { "\xc3(",            "?("                  },
        { "\xed\xa0\x80",     "???"                 },
        { "\xe2\x82",         "??"                  },
    };

    for (size_t i = 0; i < FNP_ARRAY_LEN(rows); i++) {
        char *got = NULL, want[128];
        size_t len = 0;
        FILE *f = open_memstream(&got, &len);
        if (!f) {
            tap_ok(false, "open_memstream");
            return;
        }
        fnp_json_begin(f, "t");
        fnp_json_text(f, "x", rows[i].text);
        fnp_json_text(f, "absent", NULL);
        fnp_json_count(f, "n", UINT64_MAX);
        fnp_json_bool(f, "b", true);
        fnp_json_end(f);
        fclose(f);
        snprintf(want, sizeof(want),
                 "{\"schema\":1,\"type\":\"t\",\"x\":\"%s\",\"n\":18446744073709551615,"
                 "\"b\":true}\n",
                 rows[i].want);
        tap_ok(!strcmp(got, want), "JSON text %zu", i);
        free(got);
    }
}

static void test_cpus(void)
{
    struct fnp_cpus c = fnp_cpus();

    tap_ok(c.affinity >= 1 && c.jobs >= 1 && c.jobs <= c.affinity && c.quota >= 0,
           "jobs are between 1 and the CPUs usable: %u of %u", c.jobs, c.affinity);
}

int main(void)
{
    test_exit_codes();
    test_budgets();
    test_slugs();
    test_require();
    test_contract_line();
    test_words();
    test_progress();
    test_json();
    test_cpus();
    return tap_done();
}
