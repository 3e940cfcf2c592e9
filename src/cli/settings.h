/* SPDX-License-Identifier: MIT */
/*
 * settings.h - option values that need more than a number: budget, slugs, colour, jobs
 *
 * Depends on: base, report/rules.h, verify/plan.h.
 */
#ifndef FNP_CLI_SETTINGS_H
#define FNP_CLI_SETTINGS_H

#include <stdbool.h>

#include "base/status.h"
#include "report/rules.h"
#include "verify/plan.h"

/* "quick", "gate", "deep", or a time: "10", "10s", "5m", "2h"; else FNP_INPUT. */
enum fnp_status fnp_budget_parse(const char *text, enum fnp_budget *budget,
                                 double *seconds, struct fnp_err *err);

/* "a,b,c" sets the rules named; an unknown slug is FNP_INPUT with the nearest one. */
enum fnp_status fnp_slugs_parse(const char *text, bool set[FNP_N_RULES],
                                struct fnp_err *err);

/* "auto", "always", "never" (NULL: auto; NO_COLOR and TERM=dumb switch auto off). */
enum fnp_status fnp_color_parse(const char *text, int fd, bool *color,
                                struct fnp_err *err);

/* What limits how many workers make sense. */
struct fnp_cpus {
    unsigned affinity; /* CPUs this process may run on; at least 1 */
    double quota;      /* CPUs' worth of time the cgroups grant; 0: no limit */
    unsigned jobs;     /* what follows from both; at least 1 */
};
struct fnp_cpus fnp_cpus(void);

#endif
