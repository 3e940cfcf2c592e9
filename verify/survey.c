/* SPDX-License-Identifier: MIT */
/*
 * survey.c - run a box to its end and count what breaks at each value of one key
 */
#include "verify/survey.h"

#include <string.h>

#include "base/str.h"
#include "verify/check.h"
#include "verify/lane.h"

enum {
    VALUES_TEXT = 2048,
    LEAST_RANGE = 4, /* values written as LO:HI */
};

/* What the cases with one value of the key showed. */
struct row {
    uint64_t value, cases, clean;
    uint64_t count[FNP_N_RULES];
    struct fnp_case least[FNP_N_RULES]; /* the simplest of them */
};

struct surveying {
    struct fnp_arena *arena;
    struct fnp_lane *lane;
    size_t key;
    struct row *rows; /* in the order in which the box has the values */
    size_t n_rows;
};

/* NULL: there are too many. */
static struct row *row_of(struct surveying *s, const struct fnp_case *c)
{
    uint64_t value = fnp_case_key_value(c, s->key);

    for (size_t i = s->n_rows; i-- > 0;) {
        if (s->rows[i].value == value)
            return &s->rows[i];
    }
    if (s->n_rows == FNP_SURVEY_VALUES)
        return NULL;
    s->rows[s->n_rows].value = value;
    return &s->rows[s->n_rows++];
}

static void count(struct surveying *s, struct row *row, const struct fnp_outcome *o)
{
    struct fnp_finding found[FNP_CHECK_MAX];
    size_t n = fnp_check_outcome(&s->lane->kernels->list[0].contract, o, found);
    uint64_t seen = 0;

    row->cases++;
    row->clean += n == 0;
    for (size_t i = 0; i < n; i++) {
        enum fnp_rule rule = found[i].rule;

        if (seen >> rule & 1)
            continue;
        seen |= 1ull << rule;
        if (row->count[rule]++ == 0 || fnp_case_compare(&o->c, &row->least[rule]) < 0)
            row->least[rule] = o->c;
    }
}

static enum fnp_status run_cases(struct surveying *s, const struct fnp_case *cases,
                                 size_t n, struct fnp_err *err)
{
    static struct fnp_outcome outcomes[FNP_POOL_CASES];
    size_t got = fnp_pool_run(s->lane->pool, 0, cases, n, 0, outcomes);

    for (size_t i = 0; i < got; i++) {
        struct row *row = row_of(s, &outcomes[i].c);

        if (!row)
            return fnp_err_set(err, FNP_INPUT,
                               "survey: the box has more than %d values of %s",
                               FNP_SURVEY_VALUES, fnp_case_keys[s->key].name);
        if (outcomes[i].end != FNP_END_SKIPPED)
            count(s, row, &outcomes[i]);
    }
    return FNP_OK;
}

static enum fnp_status run_box(struct surveying *s, struct fnp_err *err)
{
    const struct fnp_plan *plan = &s->lane->plans[0];
    struct fnp_case cases[FNP_POOL_CASES];
    enum fnp_status status = FNP_OK;
    size_t n = 0;

    for (uint64_t i = 0; i < plan->box_count && status == FNP_OK; i++) {
        n += fnp_plan_case(plan, i, &cases[n]);
        if (n == FNP_POOL_CASES) {
            status = run_cases(s, cases, n, err);
            n = 0;
        }
    }
    return status == FNP_OK ? run_cases(s, cases, n, err) : status;
}

/* How often a row shows a rule; FNP_N_RULES: in how many cases nothing, if in all. */
static uint64_t shown(const struct row *row, unsigned rule)
{
    if (rule < FNP_N_RULES)
        return row->count[rule];
    return row->clean == row->cases ? row->clean : 0;
}

/* "1:15|17:31", the rows that `in` has; runs of numbers with their ends only. */
static const char *values_text(struct surveying *s, const bool *in)
{
    char text[VALUES_TEXT];
    struct fnp_str str = fnp_str_over(text, sizeof(text));
    bool is_signed = false;
    bool counts = fnp_case_key_counts(s->key, &is_signed);

    for (size_t i = 0, last; i < s->n_rows; i = last + 1) {
        last = i;
        if (!in[i])
            continue;
        while (counts && last + 1 < s->n_rows && in[last + 1] &&
               s->rows[last + 1].value == s->rows[last].value + 1)
            last++;
        if (last - i < LEAST_RANGE - 1)
            last = i;
        fnp_str_add(&str, "%s", str.len ? "|" : "");
        fnp_case_key_text(s->key, s->rows[i].value, &str);
        if (last > i) {
            fnp_str_add(&str, ":");
            fnp_case_key_text(s->key, s->rows[last].value, &str);
        }
    }
    return fnp_arena_text(s->arena, text, str.len);
}

/* The finding of the simplest case: with the variants behind it, if it comes first. */
static void fill_finding(struct surveying *s, const struct fnp_case *c,
                         struct fnp_survey_line *line)
{
    const struct fnp_kernel *k = &s->lane->kernels->list[0];
    struct fnp_finding found[FNP_CHECK_MAX];
    struct fnp_outcome outcome;
    size_t n = 0;

    if (!fnp_confirm_case(s->lane, 0, c, NULL, &line->finding, &outcome))
        return;
    n = fnp_check_outcome(&k->contract, &outcome, found);
    for (size_t i = 1; i < n; i++) {
        if (found[i].rule == line->rule && found[0].rule != line->rule) {
            line->finding = found[i];
            fnp_lane_case_text(k, c, &line->finding);
            break;
        }
    }
    if (n > 0 && found[0].rule == line->rule)
        line->rule = line->finding.rule;
}

/* Rows that show a rule equally often stand on one line. */
static void add_lines(struct surveying *s, unsigned rule, struct fnp_survey *out)
{
    bool done[FNP_SURVEY_VALUES] = { false };

    for (size_t first = 0; first < s->n_rows; first++) {
        bool in[FNP_SURVEY_VALUES] = { false };
        struct fnp_survey_line *line = &out->lines[out->n_lines];
        const struct fnp_case *least = &s->rows[first].least[rule % FNP_N_RULES];

        if (done[first] || shown(&s->rows[first], rule) == 0)
            continue;
        line->rule = (enum fnp_rule)rule;
        for (size_t i = first; i < s->n_rows; i++) {
            const struct row *row = &s->rows[i];

            in[i] = shown(row, rule) == shown(&s->rows[first], rule) &&
                    row->cases == s->rows[first].cases;
            if (!in[i])
                continue;
            done[i] = true;
            line->count += shown(row, rule);
            line->of += row->cases;
            if (rule < FNP_N_RULES && fnp_case_compare(&row->least[rule], least) < 0)
                least = &row->least[rule];
        }
        line->values = values_text(s, in);
        if (rule < FNP_N_RULES)
            fill_finding(s, least, line);
        out->n_lines++;
    }
}

static void make_lines(struct surveying *s, struct fnp_survey *out)
{
    uint64_t most = 0;

    for (size_t i = 0; i < s->n_rows; i++) {
        out->cases += s->rows[i].cases;
        for (unsigned rule = 0; rule <= FNP_N_RULES; rule++)
            most += shown(&s->rows[i], rule) > 0;
    }
    out->lines = fnp_arena_array(s->arena, most + 1, sizeof(*out->lines));
    add_lines(s, FNP_N_RULES, out);
    for (unsigned rule = 0; rule < FNP_N_RULES; rule++)
        add_lines(s, rule, out);
}

enum fnp_status fnp_survey_make(struct fnp_arena *arena,
                                const struct fnp_kernel *kernel, const char *key,
                                struct fnp_survey *out, struct fnp_err *err)
{
    static const bool never;
    const struct fnp_kernels one = { (struct fnp_kernel *)(uintptr_t)kernel, 1 };
    const struct fnp_verify_options options = { .jobs = 1 };
    struct fnp_plan plan;
    struct fnp_lane lane = { .kernels = &one,
                             .plans = &plan,
                             .options = &options,
                             .workers = 1,
                             .stop = &never };
    struct surveying s = { .arena = arena,
                           .lane = &lane,
                           .key = fnp_case_key_find(key, strlen(key)) };
    const struct fnp_pool_config config = {
        .jobs = 1,
        .kernels = kernel,
        .n_kernels = 1,
        .generate = fnp_lane_generate,
        .screen = fnp_lane_screen,
        .arg = &lane,
    };
    enum fnp_status status = FNP_OK;

    *out = (struct fnp_survey){ 0 };
    if (s.key == fnp_case_n_keys)
        return fnp_err_set(err, FNP_INPUT, "survey: \"%.40s\" is not a key of cases",
                           key);
    if (!kernel->contract.box)
        return fnp_err_set(err, FNP_INPUT, "%.160s: no box to survey; give it by --box",
                           kernel->name);
    fnp_plan_make(arena, kernel, 1, FNP_BUDGET_QUICK, &plan);
    status = fnp_plan_box(arena, &plan, kernel->contract.box, err);
    if (status == FNP_OK)
        status = fnp_pool_open(&config, &lane.pool, err);
    if (status != FNP_OK)
        return status;
    s.rows = fnp_arena_array(arena, FNP_SURVEY_VALUES, sizeof(*s.rows));
    status = run_box(&s, err);
    if (status == FNP_OK)
        make_lines(&s, out);
    fnp_pool_close(lane.pool);
    return status;
}
