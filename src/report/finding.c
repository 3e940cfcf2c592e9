/* SPDX-License-Identifier: MIT */
/*
 * finding.c - names of verdicts and of the groups of checks
 */
#include "report/finding.h"

#include <assert.h>

const char *fnp_verdict_name(enum fnp_verdict verdict)
{
    static const char *const names[FNP_N_VERDICTS] = {
        [FNP_VERDICT_PASS] = "pass",
        [FNP_VERDICT_FAIL] = "fail",
        [FNP_VERDICT_SKIP] = "skip",
        [FNP_VERDICT_INCONCLUSIVE] = "inconclusive",
    };

    assert(verdict <= FNP_VERDICT_INCONCLUSIVE);
    return names[verdict];
}

const char *fnp_check_group_name(enum fnp_check_group group)
{
    static const char *const names[FNP_N_CHECK_GROUPS] = {
        [FNP_CHECK_BYTES] = "bytes",       [FNP_CHECK_FOOTPRINT] = "footprint",
        [FNP_CHECK_STATE] = "state",       [FNP_CHECK_ORDER] = "order",
        [FNP_CHECK_COVERAGE] = "coverage",
    };

    assert(group < FNP_N_CHECK_GROUPS);
    return names[group];
}
