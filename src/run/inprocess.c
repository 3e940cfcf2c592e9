/* SPDX-License-Identifier: MIT */
#include "run/inprocess.h"

#include "run/lab.h"

__attribute__((noinline)) void fnp_before_kernel(void)
{
    __asm__ volatile("");
}

int fnp_run_in_process(const struct fnp_kernel *kernel, const struct fnp_case *c)
{
    static struct fnp_lab lab;
    static struct fnp_outcome outcome;
    struct fnp_err err = { "" };

    if (fnp_lab_open(&lab, 0, &err) != FNP_OK)
        return 2;
    fnp_signals_stop_timer();
    lab.before_call = fnp_before_kernel;
    fnp_lab_load(&lab, kernel);
    fnp_lab_run(&lab, c, FNP_MODE_FULL, &outcome);
    if (outcome.end == FNP_END_SKIPPED)
        return 2;
    return outcome.end == FNP_END_RETURNED ? 0 : 1;
}
