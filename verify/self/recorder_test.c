/* SPDX-License-Identifier: MIT */
/*
 * recorder_test.c - the recorder against the CPU's own single steps, built-in kernels
 *
 * The log must show the same instructions with the same registers and flags as the
 * steps, and the copy must leave behind what the kernel does; the coverage mode must mark
 * the blocks that the log begins.
 */
#include <string.h>

#include "verify/self/recorded.h"
#include "verify/self/tap.h"

enum {
    CASES = 3,           /* of one kernel, with different sizes */
    MOST_STEPS = 6000,   /* of one case: more would take a second */
    LEAST_STEPS = 20000, /* of all together, or the test has seen nothing */
};

static struct recorded r;

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
        unsigned what = RECORDED_STEPS | (at == 0 ? RECORDED_STACK : 0);

        fnp_case_text(&cases[at], true, &s);
        ok = recorded_try(&r, i, &cases[at], what, why) == RECORDED_SAME &&
             recorded_cover(&r, i, &cases[at], why);
    }
    tap_ok(ok, "%s: %zu cases%s%s %s", k->name, n, ok ? "" : ", last ", ok ? "" : text,
           ok ? "" : why);
}

int main(void)
{
    const struct fnp_request request = { .builtin = true };

    recorded_open(&r, &request);
    r.most_steps = MOST_STEPS;
    for (size_t i = 0; i < r.kernels.count; i++) {
        if (!r.kernels.list[i].missing && !r.kernels.list[i].equal_to)
            test_kernel(i);
    }
    tap_ok(r.n_steps >= LEAST_STEPS, "%llu steps compared",
           (unsigned long long)r.n_steps);
    recorded_close(&r);
    return tap_done();
}
