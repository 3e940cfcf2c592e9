/* SPDX-License-Identifier: MIT */
/*
 * exit_code.c - precedence of exit statuses
 */
#include "cli/exit_code.h"

#include "base/status.h"

int fnp_exit_code(const struct fnp_run_facts *facts)
{
    if (facts->signal) {
        return 128 + facts->signal;
    }
    if (facts->failed) {
        return FNP_FAILED;
    }
    if (facts->bad_input) {
        return FNP_INPUT;
    }
    if (facts->findings) {
        return 1;
    }
    if (facts->nothing || facts->named_open) {
        return facts->has_skip_exit ? facts->skip_exit : FNP_NOTHING;
    }
    return 0;
}
