/* SPDX-License-Identifier: MIT */
/*
 * rules.c - the rule catalogue as a table
 */
#include "report/rules.h"

#include <assert.h>
#include <string.h>

static const struct fnp_rule_info rules[FNP_N_RULES] = {
#define RULE(name, slug, severity, command, promise, text)                             \
    [FNP_RULE_##name] = { slug, severity, command, promise, text },
#include "report/rules.def"
#undef RULE
};

const struct fnp_rule_info *fnp_rule_info(enum fnp_rule rule)
{
    assert(rule < FNP_N_RULES);
    return &rules[rule];
}

const char *fnp_severity_name(enum fnp_severity severity)
{
    static const char *const names[] = {
        [FNP_ERROR] = "error",
        [FNP_WARNING] = "warning",
        [FNP_INFO] = "info",
    };

    assert(severity <= FNP_INFO);
    return names[severity];
}

enum fnp_rule fnp_rule_find(const char *slug)
{
    for (unsigned i = 0; i < FNP_N_RULES; i++) {
        if (strcmp(rules[i].slug, slug) == 0) {
            return (enum fnp_rule)i;
        }
    }
    return FNP_N_RULES;
}
