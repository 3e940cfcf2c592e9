/* SPDX-License-Identifier: MIT */
/*
 * report_test.c - rules.def is complete, and text, jsonl and tap print exactly what
 * docs/design.md shows
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/rules.h"
#include "report/writer.h"
#include "verify/self/tap.h"

/* ---- what is printed ---- */

static const struct fnp_finding overrun = {
    .rule = FNP_RULE_STRAY_WRITE,
    .message = "64 bytes past the end of dst, first at dst+4096",
    .region = "dst-tail",
    .text_case = "v1 fill=pos seed=7",
    .has_first = true,
    .first = 4096,
    .count = 64,
    .also = { FNP_RULE_MMX_DIRTY, FNP_RULE_DF_SET },
    .n_also = 2,
    .where = { .known = true,
             .symbol = "copy_page_mmx",
             .offset = 0x12,
             .insn = "movntq %mm0,(%rdi)",
             .file = "copy_page_mmx.S",
             .line = 41,
             .iteration = 65 },
    .replay = "fencepost replay builtin:copy_page_mmx 'v1 fill=pos seed=7'",
};
static const struct fnp_finding lost = {
    .rule = FNP_RULE_REGISTER_LOST,
    .message = "rbx changed",
    .reg = "rbx",
    .want = "0000000000000001",
    .got = "0000000000000002",
    .waived = true,
    .reason = "known",
};
static const struct fnp_finding warning = {
    .rule = FNP_RULE_UPPER_DIRTY,
    .severity = FNP_WARNING,
    .message = "ymm0 \"dirty\" \xff",
};
static const struct fnp_finding head = {
    .rule = FNP_RULE_STRAY_WRITE,
    .message = "m",
    .has_first = true,
    .first = -8,
    .count = 8,
    .where = { .known = true, .symbol = "f" },
};

static const struct fnp_kernel_report passing = {
    .kernel = "builtin:copy_page_sse2",
    .contract = "builtin",
    .cases = 1500,
    .n_most = 4160,
    .checks = { [FNP_CHECK_BYTES] = "ok",
               [FNP_CHECK_STATE] = "ok: all",
               [FNP_CHECK_ORDER] = "not checked" },
    .promises = "order=weak",
    .code = "sha256:00",
    .seconds = 0.1,
};
static const struct fnp_kernel_report failing = {
    .kernel = "a#b",
    .verdict = FNP_VERDICT_FAIL,
    .contract = "guessed:memcpy",
    .guess_note = "a#b: contract memcpy (guessed from the name)",
    .cases = 1,
    .findings = 3,
    .suppressed = 1234,
    .n_least = 64,
    .n_most = 64,
    .checks = { [FNP_CHECK_ORDER] = "inconclusive: one CPU" },
    .seconds = 2,
};
static const struct fnp_kernel_report meant = {
    .kernel = "k6",
    .verdict = FNP_VERDICT_FAIL,
    .offers = { { .promise = "sizes = 0:-:16",
                  .cases = 1258,
                  .rule = FNP_RULE_STRAY_WRITE },
               { .promise = "state = mmx-live", .cases = 2, .rule = FNP_N_RULES } },
    .n_offers = 2,
    .hint = "abi = ms64",
    .saved = 3,
    .expected = 1,
    .hint_cases = 64,
};
static const struct fnp_kernel_report skipped = {
    .kernel = "k3",
    .verdict = FNP_VERDICT_SKIP,
    .reason = "needs avx512f, which this CPU lacks",
};
static const struct fnp_kernel_report unsure = {
    .kernel = "k4",
    .verdict = FNP_VERDICT_INCONCLUSIVE,
    .reason = "guessed contract",
    .cases = 10,
    .notes = { "box complete", "and more" },
    .n_notes = 2,
};
static const struct fnp_kernel_report twin = {
    .kernel = "k5",
    .equal_to = "k4",
    .checks = { [FNP_CHECK_BYTES] = "ok", [FNP_CHECK_ORDER] = "not checked" },
};

static const struct fnp_kernel_report boxed = {
    .kernel = "k7",
    .box = { .points = 2000, .tried = 500, .earlier = 1500 },
};
static const struct fnp_kernel_report unboxed = {
    .kernel = "k8",
    .box = { .points = 2000, .left_out = true },
};

static const struct fnp_summary untried = { .pass = 2,
                                            .cases = 5,
                                            .boxes_left_out = 2 };
static const struct fnp_summary summary = {
    .pass = 12,
    .skip = 1,
    .cases = 18000,
    .seed = 1,
    .cpu = "AMD EPYC",
    .family = 25,
    .model = 1,
    .stepping = 2,
    .seconds = 0.94,
};
static const struct fnp_summary interrupted = {
    .fail = 1,
    .waived = 2,
    .warnings = 1,
    .cases = 1234567,
    .seed = UINT64_MAX,
    .seconds = 61.25,
    .exit = 130,
    .interrupted = true,
};

static void put_finding(struct fnp_writer *w, const void *data)
{
    const struct fnp_origin origin = { .kernel = "builtin:copy_page_mmx" };

    fnp_writer_finding(w, &origin, data);
}

static void put_kernel(struct fnp_writer *w, const void *data)
{
    fnp_writer_kernel(w, data);
}

static void put_summary(struct fnp_writer *w, const void *data)
{
    fnp_writer_summary(w, data);
}

/* A failing kernel, then the summary: counts carry over. */
static void put_both(struct fnp_writer *w, const void *data)
{
    fnp_writer_kernel(w, &passing);
    fnp_writer_kernel(w, &failing);
    fnp_writer_summary(w, data);
}

enum {
    COLOR = 1,
    VERBOSE = 2,
    QUIET = 4,
    BARE = 8,
    SAID = 16
};

/* clang-format off */
static const struct {
    const char *name;
    const char *format;
    unsigned flags;
    void (*put)(struct fnp_writer *w, const void *data);
    const void *data;
    const char *want;
} rows[] = {
    { "finding", "text", 0, put_finding, &overrun,
      "builtin:copy_page_mmx: stray-write: 64 bytes past the end of dst, first at dst+4096\n"
      "  case    v1 fill=pos seed=7\n"
      "  where   copy_page_mmx+0x12  movntq %mm0,(%rdi)  copy_page_mmx.S:41  (iteration 65)\n"
      "  also    mmx-dirty df-set\n"
      "  replay  fencepost replay builtin:copy_page_mmx 'v1 fill=pos seed=7'\n" },
    { "waived finding", "text", 0, put_finding, &lost,
      "builtin:copy_page_mmx: register-lost (waived: known): rbx changed\n" },
    { "warning", "text", 0, put_finding, &warning,
      "builtin:copy_page_mmx: upper-dirty (warning): ymm0 \"dirty\" \xff\n" },
    { "place without source line", "text", 0, put_finding, &head,
      "builtin:copy_page_mmx: stray-write: m\n  where   f+0x0\n" },
    { "colour", "text", COLOR, put_finding, &warning,
      "builtin:copy_page_mmx: \033[33mupper-dirty\033[0m (warning): ymm0 \"dirty\" \xff\n" },
    { "pass", "text", 0, put_kernel, &passing,
      "pass  builtin:copy_page_sse2  1,500 cases 0.1 s  n 0..4160  order not checked\n" },
    { "pass, colour", "text", COLOR, put_kernel, &passing,
      "\033[32mpass\033[0m  builtin:copy_page_sse2  1,500 cases 0.1 s  n 0..4160  order not "
      "checked\n" },
    { "pass, -v", "text", VERBOSE, put_kernel, &passing,
      "pass  builtin:copy_page_sse2  1,500 cases 0.1 s  n 0..4160  bytes ok  state ok: all  order "
      "not checked  promises order=weak\n" },
    { "pass, -q", "text", QUIET, put_kernel, &passing, "" },
    { "fail with a guessed contract", "text", 0, put_kernel, &failing,
      "a#b: contract memcpy (guessed from the name)\n"
      "fail  a#b  1 case 2.0 s  n 64  3 findings  (1,234 not shown)  order not checked: one "
      "CPU\n" },
    { "a guess that was said before", "text", SAID, put_kernel, &failing,
      "fail  a#b  1 case 2.0 s  n 64  3 findings  (1,234 not shown)  order not checked: one "
      "CPU\n" },
    { "bare: a finding", "text", BARE, put_finding, &warning,
      "builtin:copy_page_mmx: upper-dirty (warning): ymm0 \"dirty\" \xff\n" },
    { "bare: nothing else", "text", BARE, put_both, &summary, "" },
    { "skip", "text", 0, put_kernel, &skipped,
      "skip  k3  needs avx512f, which this CPU lacks\n" },
    { "inconclusive", "text", 0, put_kernel, &unsure,
      "inconclusive  k4  10 cases 0.0 s  guessed contract\n"
      "  note    box complete\n"
      "  note    and more\n" },
    { "notes", "jsonl", 0, put_kernel, &unsure,
      "{\"schema\":1,\"type\":\"kernel\",\"kernel\":\"k4\",\"verdict\":\"inconclusive\","
      "\"reason\":\"guessed contract\",\"cases\":10,\"findings\":0,"
      "\"notes\":[\"box complete\",\"and more\"],\"seconds\":0.0}\n" },
    { "a box", "text", VERBOSE, put_kernel, &boxed, "pass  k7\n" },
    { "a box", "jsonl", 0, put_kernel, &boxed,
      "{\"schema\":1,\"type\":\"kernel\",\"kernel\":\"k7\",\"verdict\":\"pass\",\"cases\":0,"
      "\"box\":{\"points\":2000,\"tried\":500,\"earlier\":1500},\"findings\":0,"
      "\"seconds\":0.0}\n" },
    { "a box left out", "text", 0, put_kernel, &unboxed, "pass  k8\n" },
    { "a box left out, -v", "text", VERBOSE, put_kernel, &unboxed,
      "pass  k8  box of 2,000 points not tried\n" },
    { "a box left out", "jsonl", 0, put_kernel, &unboxed,
      "{\"schema\":1,\"type\":\"kernel\",\"kernel\":\"k8\",\"verdict\":\"pass\",\"cases\":0,"
      "\"box\":{\"points\":2000,\"tried\":0},\"findings\":0,\"seconds\":0.0}\n" },
    { "boxes left out", "text", 0, put_summary, &untried,
      "2 pass, 0 fail, 0 skip, 0 inconclusive  (5 cases, seed 0, 0.0 s)  2 declared boxes not "
      "tried: --exhaustive box\n" },
    { "boxes left out", "jsonl", 0, put_summary, &untried,
      "{\"schema\":1,\"type\":\"summary\",\"pass\":2,\"fail\":0,\"skip\":0,"
      "\"inconclusive\":0,\"waived\":0,\"cases\":5,\"boxes_left_out\":2,\"seed\":0,"
      "\"cpu\":{\"family\":0,\"model\":0,\"stepping\":0},\"tool\":{\"name\":\"fencepost\","
      "\"version\":\"9.9\"},\"seconds\":0.0,\"exit\":0}\n" },
    { "promises and a hint", "text", 0, put_kernel, &meant,
      "  promise sizes = 0:-:16 would allow all 1,258 stray-write seen; write it only if it was "
      "meant\n"
      "  promise state = mmx-live would allow all 2 failures seen; write it only if it was meant\n"
      "  hint    with abi = ms64 the first 64 cases pass; is that the contract?\n"
      "fail  k6  3 saved (1 with the finding expected)\n" },
    { "promises and a hint, -q", "text", QUIET, put_kernel, &meant, "" },
    { "promises and a hint", "jsonl", 0, put_kernel, &meant,
      "{\"schema\":1,\"type\":\"promise\",\"kernel\":\"k6\",\"promise\":\"sizes = 0:-:16\","
      "\"slug\":\"stray-write\",\"cases\":1258,\"message\":\"sizes = 0:-:16 would allow all 1,258 "
      "stray-write seen; write it only if it was meant\"}\n"
      "{\"schema\":1,\"type\":\"promise\",\"kernel\":\"k6\",\"promise\":\"state = mmx-live\","
      "\"cases\":2,\"message\":\"state = mmx-live would allow all 2 failures seen; write it only if "
      "it was meant\"}\n"
      "{\"schema\":1,\"type\":\"kernel\",\"kernel\":\"k6\",\"verdict\":\"fail\",\"cases\":0,"
      "\"saved\":3,\"expected\":1,\"findings\":0,\"hint\":\"abi = ms64\",\"seconds\":0.0}\n" },
    { "equal code", "text", 0, put_kernel, &twin, "pass  k5  = same code as k4\n" },
    { "summary", "text", 0, put_summary, &summary,
      "12 pass, 0 fail, 1 skip, 0 inconclusive  (18,000 cases, seed 1, AMD EPYC, 0.9 s)\n" },
    { "summary with counts and promises", "text", QUIET, put_both, &interrupted,
      "promise  builtin:copy_page_sse2: order=weak\n"
      "interrupted: 0 pass, 1 fail, 0 skip, 0 inconclusive, 3 findings (1 warning), 2 waived"
      "  (1,234,567 cases, seed 18446744073709551615, 61.2 s)\n" },

    { "finding", "jsonl", 0, put_finding, &overrun,
      "{\"schema\":1,\"type\":\"finding\",\"command\":\"verify\","
      "\"kernel\":\"builtin:copy_page_mmx\",\"slug\":\"stray-write\",\"severity\":\"error\","
      "\"message\":\"64 bytes past the end of dst, first at dst+4096\","
      "\"case\":\"v1 fill=pos seed=7\",\"first\":4096,\"count\":64,"
      "\"also\":[\"mmx-dirty\",\"df-set\"],\"where\":{\"symbol\":\"copy_page_mmx\","
      "\"offset\":18,\"insn\":\"movntq %mm0,(%rdi)\",\"file\":\"copy_page_mmx.S\",\"line\":41,"
      "\"iteration\":65},"
      "\"replay\":\"fencepost replay builtin:copy_page_mmx 'v1 fill=pos seed=7'\","
      "\"waived\":false}\n" },
    { "waived finding", "jsonl", 0, put_finding, &lost,
      "{\"schema\":1,\"type\":\"finding\",\"command\":\"verify\","
      "\"kernel\":\"builtin:copy_page_mmx\",\"slug\":\"register-lost\",\"severity\":\"error\","
      "\"message\":\"rbx changed\",\"register\":\"rbx\",\"want\":\"0000000000000001\","
      "\"got\":\"0000000000000002\",\"waived\":true,\"reason\":\"known\"}\n" },
    { "quotes and bytes that are not UTF-8", "jsonl", 0, put_finding, &warning,
      "{\"schema\":1,\"type\":\"finding\",\"command\":\"verify\","
      "\"kernel\":\"builtin:copy_page_mmx\",\"slug\":\"upper-dirty\",\"severity\":\"warning\","
      "\"message\":\"ymm0 \\\"dirty\\\" ?\",\"waived\":false}\n" },
    { "negative first", "jsonl", 0, put_finding, &head,
      "{\"schema\":1,\"type\":\"finding\",\"command\":\"verify\","
      "\"kernel\":\"builtin:copy_page_mmx\",\"slug\":\"stray-write\",\"severity\":\"error\","
      "\"message\":\"m\",\"first\":-8,\"count\":8,\"where\":{\"symbol\":\"f\",\"offset\":0},"
      "\"waived\":false}\n" },
    { "kernel", "jsonl", 0, put_kernel, &passing,
      "{\"schema\":1,\"type\":\"kernel\",\"kernel\":\"builtin:copy_page_sse2\","
      "\"verdict\":\"pass\",\"contract\":\"builtin\",\"cases\":1500,\"findings\":0,"
      "\"checks\":{\"bytes\":\"ok\",\"state\":\"ok: all\",\"order\":\"not checked\"},\"code\":\"sha256:00\","
      "\"seconds\":0.1}\n" },
    { "skipped kernel", "jsonl", 0, put_kernel, &skipped,
      "{\"schema\":1,\"type\":\"kernel\",\"kernel\":\"k3\",\"verdict\":\"skip\","
      "\"reason\":\"needs avx512f, which this CPU lacks\",\"cases\":0,\"findings\":0,"
      "\"seconds\":0.0}\n" },
    { "summary", "jsonl", 0, put_summary, &summary,
      "{\"schema\":1,\"type\":\"summary\",\"pass\":12,\"fail\":0,\"skip\":1,\"inconclusive\":0,"
      "\"waived\":0,\"cases\":18000,\"seed\":1,\"cpu\":{\"brand\":\"AMD EPYC\",\"family\":25,"
      "\"model\":1,\"stepping\":2},\"tool\":{\"name\":\"fencepost\",\"version\":\"9.9\"},"
      "\"seconds\":0.94,\"exit\":0}\n" },
    { "interrupted summary, large seed", "jsonl", 0, put_summary, &interrupted,
      "{\"schema\":1,\"type\":\"summary\",\"pass\":0,\"fail\":1,\"skip\":0,\"inconclusive\":0,"
      "\"waived\":2,\"cases\":1234567,\"seed\":\"18446744073709551615\",\"cpu\":{\"family\":0,"
      "\"model\":0,\"stepping\":0},\"tool\":{\"name\":\"fencepost\",\"version\":\"9.9\"},"
      "\"seconds\":61.25,\"exit\":130,\"interrupted\":true}\n" },

    { "finding", "tap", 0, put_finding, &overrun,
      "# builtin:copy_page_mmx: stray-write: 64 bytes past the end of dst, first at dst+4096\n"
      "#   case    v1 fill=pos seed=7\n"
      "#   where   copy_page_mmx+0x12  movntq %mm0,(%rdi)  copy_page_mmx.S:41  (iteration 65)\n"
      "#   replay  fencepost replay builtin:copy_page_mmx 'v1 fill=pos seed=7'\n" },
    { "promises and a hint", "tap", 0, put_kernel, &meant,
      "#   promise sizes = 0:-:16 would allow all 1,258 stray-write seen; write it only if it was "
      "meant\n"
      "#   promise state = mmx-live would allow all 2 failures seen; write it only if it was meant\n"
      "#   hint    with abi = ms64 the first 64 cases pass; is that the contract?\n"
      "not ok 1 - k6 # 0 cases\n" },
    { "pass", "tap", 0, put_kernel, &passing, "ok 1 - builtin:copy_page_sse2 # 1500 cases\n" },
    { "skip", "tap", 0, put_kernel, &skipped,
      "ok 1 - k3 # SKIP needs avx512f, which this CPU lacks\n" },
    { "inconclusive", "tap", 0, put_kernel, &unsure,
      "ok 1 - k4 # SKIP inconclusive: guessed contract\n" },
    { "equal code", "tap", 0, put_kernel, &twin, "ok 1 - k5 # same code as k4\n" },
    { "numbers, escapes and plan", "tap", 0, put_both, &summary,
      "ok 1 - builtin:copy_page_sse2 # 1500 cases\n"
      "# a#b: contract memcpy (guessed from the name)\n"
      "not ok 2 - a\\#b # 1 cases\n"
      "# 12 pass, 0 fail, 1 skip, 0 inconclusive, 3 findings  (18,000 cases, seed 1, AMD EPYC,"
      " 0.9 s)\n1..2\n" },
    { "nothing at all", "tap", 0, put_summary, &interrupted,
      "# interrupted: 0 pass, 1 fail, 0 skip, 0 inconclusive, 1 warning, 2 waived"
      "  (1,234,567 cases, seed 18446744073709551615, 61.2 s)\n"
      "1..0 # SKIP nothing was checked\n" },
};
/* clang-format on */

static void test_formats(void)
{
    for (size_t i = 0; i < FNP_ARRAY_LEN(rows); i++) {
        char *got = NULL;
        size_t len = 0;
        struct fnp_writer w;
        const struct fnp_format *format = fnp_format_find(rows[i].format, NULL);
        struct fnp_writer_config config = {
            .out = open_memstream(&got, &len),
            .command = "verify",
            .version = "9.9",
            .color = rows[i].flags & COLOR,
            .verbose = rows[i].flags & VERBOSE,
            .quiet = rows[i].flags & QUIET,
            .bare = rows[i].flags & BARE,
            .guesses_said = rows[i].flags & SAID,
        };
        bool ok = config.out && format;

        if (ok) {
            fnp_writer_init(&w, format, &config);
            rows[i].put(&w, rows[i].data);
            fnp_writer_close(&w);
            fclose(config.out);
            ok = strcmp(got, rows[i].want) == 0;
        }
        tap_ok(ok, "%s: %s", rows[i].format, rows[i].name);
        if (!ok && got) {
            printf("# got:  %s# want: %s", got, rows[i].want);
        }
        free(got);
    }
}

static void test_unknown_format(void)
{
    struct fnp_err err = { "" };

    tap_ok(!fnp_format_find("jsnl", &err) &&
               strstr(err.text, "'jsnl'; did you mean jsonl?"),
           "a mistyped format: %s", err.text);
    tap_ok(!fnp_format_find("xxxxxxxxxx", &err) &&
               strstr(err.text, "text, jsonl, tap, "),
           "an unknown format: %s", err.text);
}

/* Promises of more kernels than fit: whole lines are kept, nothing overflows. */
static void test_many_promises(void)
{
    char *got = NULL;
    size_t len = 0;
    struct fnp_writer w;
    struct fnp_writer_config config = { .out = open_memstream(&got, &len),
                                        .quiet = true };
    struct fnp_summary s = { 0 };
    bool ok = config.out != NULL;

    fnp_writer_init(&w, fnp_format_find("text", NULL), &config);
    for (int i = 0; ok && i < 100; i++) {
        fnp_writer_kernel(&w, &passing);
    }
    ok = ok && strlen(w.promises) < sizeof(w.promises);
    if (ok) {
        fnp_writer_summary(&w, &s);
        fclose(config.out);
        ok = strstr(got, "order=weak\n0 pass, 0 fail") != NULL;
    }
    tap_ok(ok, "promises are cut at a whole line");
    free(got);
}

/* ---- rules.def ---- */

static size_t count_lines(const char *text, size_t *longest)
{
    size_t lines = 0;

    *longest = 0;
    for (const char *p = text; *p;) {
        size_t len = strcspn(p, "\n");

        *longest = len > *longest ? len : *longest;
        lines++;
        p += len;
        p += *p == '\n';
    }
    return lines;
}

static bool well_formed_slug(const char *slug)
{
    for (const char *p = slug; *p; p++) {
        if (!islower((unsigned char)*p) && !isdigit((unsigned char)*p) && *p != '-') {
            return false;
        }
    }
    return slug[0] != 0;
}

static void test_rules(void)
{
    for (unsigned r = 0; r < FNP_N_RULES; r++) {
        const struct fnp_rule_info *info = fnp_rule_info((enum fnp_rule)r);
        size_t longest;
        size_t lines = count_lines(info->text, &longest);
        size_t len = strlen(info->promise);

        tap_ok(well_formed_slug(info->slug) && fnp_rule_find(info->slug) == r &&
                   len > 10 && info->promise[len - 1] == '.' &&
                   !strchr(info->promise, '\n') && lines >= 5 && lines <= 12 &&
                   longest <= 88 && info->text[strlen(info->text) - 1] == '\n' &&
                   strcmp(info->command, "verify") == 0,
               "rule %s: a slug, a sentence, %zu lines of at most %zu", info->slug,
               lines, longest);
    }
    tap_ok(fnp_rule_find("wrong-byte") == FNP_N_RULES &&
               fnp_rule_find("") == FNP_N_RULES,
           "no rule by a wrong name");
    tap_ok(fnp_rule_info(FNP_RULE_UPPER_DIRTY)->severity == FNP_WARNING &&
               fnp_rule_info(FNP_RULE_CRASH)->severity == FNP_ERROR,
           "severities");
}

static void test_names(void)
{
    tap_ok(strcmp(fnp_severity_name(FNP_ERROR), "error") == 0 &&
               strcmp(fnp_severity_name(FNP_WARNING), "warning") == 0 &&
               strcmp(fnp_severity_name(FNP_INFO), "info") == 0,
           "names of severities");
    tap_ok(strcmp(fnp_verdict_name(FNP_VERDICT_PASS), "pass") == 0 &&
               strcmp(fnp_verdict_name(FNP_VERDICT_FAIL), "fail") == 0 &&
               strcmp(fnp_verdict_name(FNP_VERDICT_SKIP), "skip") == 0 &&
               strcmp(fnp_verdict_name(FNP_VERDICT_INCONCLUSIVE), "inconclusive") == 0,
           "names of verdicts");
    tap_ok(strcmp(fnp_check_group_name(FNP_CHECK_BYTES), "bytes") == 0 &&
               strcmp(fnp_check_group_name(FNP_CHECK_FOOTPRINT), "footprint") == 0 &&
               strcmp(fnp_check_group_name(FNP_CHECK_STATE), "state") == 0 &&
               strcmp(fnp_check_group_name(FNP_CHECK_ORDER), "order") == 0 &&
               strcmp(fnp_check_group_name(FNP_CHECK_COVERAGE), "coverage") == 0,
           "names of groups of checks");
}

int main(void)
{
    test_rules();
    test_names();
    test_formats();
    test_unknown_format();
    test_many_promises();
    return tap_done();
}
