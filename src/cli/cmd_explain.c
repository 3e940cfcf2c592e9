/* SPDX-License-Identifier: MIT */
/*
 * cmd_explain.c - `fencepost explain`: what the slugs of rules.def mean
 */
#include <stdio.h>
#include <string.h>

#include "cli/cli.h"
#include "report/rules.h"

static int explain_one(const char *slug)
{
    enum fnp_rule rule = fnp_rule_find(slug);

    if (rule == FNP_N_RULES) {
        const char *names[FNP_N_RULES];
        for (unsigned i = 0; i < FNP_N_RULES; i++) {
            names[i] = fnp_rule_info((enum fnp_rule)i)->slug;
        }
        const char *hint = fnp_cli_hint(slug, names, FNP_N_RULES);
        return fnp_cli_refuse("unknown slug %s%s", slug,
                              hint[0] ? hint
                                      : "; \"fencepost explain --list\" names them");
    }
    const struct fnp_rule_info *info = fnp_rule_info(rule);
    size_t len = strlen(info->text);
    printf("%s (%s, reported by %s)\n\n", info->slug, fnp_severity_name(info->severity),
           info->command);
    fnp_cli_wrap(printf("broken promise: "), info->promise);
    printf("\n%s%s", info->text, len && info->text[len - 1] == '\n' ? "" : "\n");
    return 0;
}

int fnp_cmd_explain(int argc, char **argv)
{
    bool list = false;
    const struct fnp_opt options[] = {
        { "list", 0, FNP_OPT_FLAG, &list, NULL, "the slugs alone, one on a line" },
    };
    const struct fnp_usage usage = {
        .command = "explain",
        .words = "[--list] [SLUG]...",
        .text =
            "Say what a finding means and what to do about it; without a slug, list\n"
            "all of them with the promise each one breaks.\n",
        .options = options,
        .count = FNP_ARRAY_LEN(options),
    };
    struct fnp_opt_list names;
    int code;

    if (!fnp_cli_parse(&usage, argc, argv, &names, &code)) {
        return code;
    }
    for (size_t i = 0; i < names.count; i++) {
        if (i > 0) {
            printf("\n");
        }
        code = explain_one(names.item[i]);
        if (code) {
            return code;
        }
    }
    for (unsigned i = 0; names.count == 0 && i < FNP_N_RULES; i++) {
        const struct fnp_rule_info *info = fnp_rule_info((enum fnp_rule)i);
        if (list) {
            printf("%s\n", info->slug);
        } else {
            printf("%-20s %-8s %s\n", info->slug, fnp_severity_name(info->severity),
                   info->promise);
        }
    }
    return fnp_cli_finish(0);
}
