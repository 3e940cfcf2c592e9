/* SPDX-License-Identifier: MIT */
/*
 * require.c - which groups of checks a pass depends on
 */
#include "cli/require.h"

#include <stdio.h>
#include <string.h>

#include "cli/cli.h"

enum fnp_status fnp_require_parse(const char *text, bool required[FNP_N_CHECK_GROUPS],
                                  struct fnp_err *err)
{
    const char *names[FNP_N_CHECK_GROUPS];

    for (unsigned i = 0; i < FNP_N_CHECK_GROUPS; i++) {
        names[i] = fnp_check_group_name((enum fnp_check_group)i);
    }
    do {
        char word[32];
        size_t len = strcspn(text, ",");
        size_t i = 0;

        snprintf(word, sizeof(word), "%.*s", (int)(len < 31 ? len : 31), text);
        while (i < FNP_N_CHECK_GROUPS && strcmp(word, names[i]) != 0) {
            i++;
        }
        if (i == FNP_N_CHECK_GROUPS) {
            return fnp_err_set(err, FNP_INPUT,
                               "--require %s: expected order, footprint or coverage%s",
                               word, fnp_cli_hint(word, names, FNP_N_CHECK_GROUPS));
        }
        required[i] = true;
        text += len;
    } while (*text++ == ',');
    return FNP_OK;
}

/*
 * "ok", or "ok: by what means".  Where no store is weakly ordered there is no order to
 * check.
 */
static bool is_met(enum fnp_check_group group, const char *state)
{
    return state && (!strcmp(state, "ok") || !strncmp(state, "ok: ", 4) ||
                     (group == FNP_CHECK_ORDER && !strcmp(state, "no weak stores")));
}

bool fnp_require_apply(const bool required[FNP_N_CHECK_GROUPS],
                       struct fnp_kernel_report *report, char *text, size_t cap)
{
    if (report->verdict != FNP_VERDICT_PASS) {
        return false;
    }
    for (unsigned i = 0; i < FNP_N_CHECK_GROUPS; i++) {
        enum fnp_check_group group = (enum fnp_check_group)i;
        const char *state = report->checks[i];
        if (!required[i] || is_met(group, state)) {
            continue;
        }
        snprintf(text, cap, "--require %s: %s", fnp_check_group_name(group),
                 state ? state : "not checked");
        report->verdict = FNP_VERDICT_INCONCLUSIVE;
        report->reason = text;
        return true;
    }
    return false;
}
