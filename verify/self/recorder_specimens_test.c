/* SPDX-License-Identifier: MIT */
/*
 * recorder_specimens_test.c - broken kernels must break the same way in the copy
 *
 * Every specimen and twin of both widths runs up to three cases natively and in the
 * copy; those that fault must fault at the same instruction and address with the same
 * registers.  Each first case also compares the whole stack, and every third kernel's
 * first case its first 500 steps with the CPU's own: all of them would take a minute.
 *
 * What may differ: a loop without end stops at the end of the log instead of at the
 * time limit, a privileged instruction is left out, and what says so itself is not
 * recorded.  A worker that does not survive the kernel does not survive the copy.
 */
#include <glob.h>
#include <stdlib.h>
#include <string.h>

#include "trace/footprint.h"
#include "verify/self/recorded.h"
#include "verify/self/tap.h"

enum {
    CASES = 3,
    STEPPED_EVERY = 3,
    MOST_STEPS = 500,
    LEAST_STEPS = 10000,
    LEAST_FAULTS = 100,
};

static struct recorded r;
static unsigned n_faults, n_long, n_left_out, n_refused;

/* Is there an instruction in the log that was left out? */
static bool leaves_out(size_t i)
{
    struct fnp_arena arena = { 0 };
    struct fnp_insns insns = { .arena = &arena, .image = &r.kernels.list[i].image };
    bool found = false;

    for (size_t at = 0; at < r.log.count && !found; at++) {
        struct fnp_record record;
        const struct fnp_effect *e;

        fnp_log_read(&r.log, at, &record);
        e = record.is_mask ? NULL : fnp_insns_at(&insns, record.addr);
        found = e && e->stand_in;
    }
    fnp_arena_release(&arena);
    return found;
}

/* May the copy have ended like this?  The sentence that it came with must say why. */
static bool may_stop(char why[RECORDED_WHY])
{
    switch (r.log.ended) {
    case FNP_RECORDED_LONG:
        n_long++;
        return r.native.end == FNP_END_HANG || r.native.end == FNP_END_FAULT;
    case FNP_RECORDED_REFUSED:
        n_refused++;
        return why[0] && r.log.at;
    case FNP_RECORDED_NOT:
        return r.native.end == FNP_END_DIED;
    default:
        return false;
    }
}

static bool test_case(size_t i, const struct fnp_case *c, unsigned what,
                      char why[RECORDED_WHY])
{
    switch (recorded_try(&r, i, c, what, why)) {
    case RECORDED_SAME:
        n_faults += r.native.end == FNP_END_FAULT;
        return true;
    case RECORDED_DIFFERENT:
        n_left_out += leaves_out(i);
        return leaves_out(i);
    default:
        return may_stop(why);
    }
}

static void test_kernel(size_t i)
{
    const struct fnp_kernel *k = &r.kernels.list[i];
    struct fnp_case cases[CASES];
    size_t n = recorded_cases(&r, i, cases, CASES);
    char why[RECORDED_WHY] = "", text[200] = "";
    bool ok = n > 0;

    recorded_aim(&r, i);
    for (size_t at = 0; at < n && ok; at++) {
        struct fnp_str s = fnp_str_over(text, sizeof(text));
        unsigned steps = i % STEPPED_EVERY == 0 ? RECORDED_STEPS : 0;

        fnp_case_text(&cases[at], true, &s);
        ok = test_case(i, &cases[at], at == 0 ? RECORDED_STACK | steps : 0, why);
    }
    tap_ok(ok, "%s: %zu cases%s%s %s", k->name, n, ok ? "" : ", last ", ok ? "" : text,
           ok ? "" : why);
}

int main(void)
{
    const char *folder = getenv("SPECIMENS");
    char pattern[4096];
    glob_t files;

    snprintf(pattern, sizeof(pattern), "%s/*.ini", folder ? folder : "");
    if (!folder || glob(pattern, 0, NULL, &files))
        fnp_die("SPECIMENS: where are the specimens?");
    const struct fnp_request request = {
        .contract_files = (const char *const *)files.gl_pathv,
        .n_contract_files = files.gl_pathc,
    };

    recorded_open(&r, &request);
    r.most_steps = MOST_STEPS;
    for (size_t i = 0; i < r.kernels.count; i++) {
        const struct fnp_kernel *k = &r.kernels.list[i];

        if (strstr(k->name, "rdtsc"))
            tap_ok(true, "%s # SKIP it returns the time, which is never the same",
                   k->name);
        else if (!k->missing && !k->equal_to)
            test_kernel(i);
    }
    tap_ok(n_faults >= LEAST_FAULTS, "%u cases faulted in the same way", n_faults);
    tap_ok(r.n_steps >= LEAST_STEPS, "%llu steps compared",
           (unsigned long long)r.n_steps);
    tap_ok(n_long > 0 && n_left_out > 0,
           "%u loops without end, %u with instructions left out, %u refused", n_long,
           n_left_out, n_refused);
    recorded_close(&r);
    globfree(&files);
    return tap_done();
}
