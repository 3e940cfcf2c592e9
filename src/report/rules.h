/* SPDX-License-Identifier: MIT */
/*
 * rules.h - every slug, its severity and its explanation, from rules.def
 *
 * rules.def is the only place where a slug is written down: RULE(NAME, "slug",
 * SEVERITY, "command", "one sentence: the promise that is broken", "explanation").
 *
 * Depends on: nothing.
 */
#ifndef FNP_REPORT_RULES_H
#define FNP_REPORT_RULES_H

#include <stddef.h>

enum fnp_severity {
    FNP_ERROR,
    FNP_WARNING,
    FNP_INFO
};

enum fnp_rule {
#define RULE(name, slug, severity, command, promise, text) FNP_RULE_##name,
#include "report/rules.def"
#undef RULE
    FNP_N_RULES,
};

struct fnp_rule_info {
    const char *slug;
    enum fnp_severity severity;
    const char *command; /* which command reports it: "verify" ... */
    const char *promise; /* one sentence */
    const char *text;    /* for `fencepost explain` */
};

const struct fnp_rule_info *fnp_rule_info(enum fnp_rule rule);

/* "error" "warning" "info" */
const char *fnp_severity_name(enum fnp_severity severity);

/* The rule with this slug, or FNP_N_RULES. */
enum fnp_rule fnp_rule_find(const char *slug);

#endif
