/* SPDX-License-Identifier: MIT */
/*
 * settings.c - reads option values and asks the system for their defaults
 */
#include "cli/settings.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/opt.h"
#include "base/str.h"
#include "cli/cli.h"

enum fnp_status fnp_budget_parse(const char *text, enum fnp_budget *budget,
                                 double *seconds, struct fnp_err *err)
{
    static const char *const names[] = { "quick", "gate", "deep" };
    static const struct {
        char unit;
        unsigned seconds;
    } units[] = {
        { 's', 1    },
        { 'm', 60   },
        { 'h', 3600 }
    };
    char digits[24];
    size_t len = strlen(text);
    unsigned factor = 1;
    uint64_t value;

    for (unsigned i = 0; i < FNP_ARRAY_LEN(names); i++) {
        if (!strcmp(text, names[i])) {
            *budget = (enum fnp_budget)i;
            return FNP_OK;
        }
    }
    for (unsigned i = 0; len && i < FNP_ARRAY_LEN(units); i++) {
        if (text[len - 1] == units[i].unit) {
            factor = units[i].seconds;
            len--;
            break;
        }
    }
    snprintf(digits, sizeof(digits), "%.*s", (int)(len < 23 ? len : 23), text);
    if (len > 9 || !fnp_parse_u64(digits, &value) || value == 0) {
        return fnp_err_set(
            err, FNP_INPUT,
            "--budget %s: expected quick, gate, deep or SECONDS (2, 10s, 5m)%s", text,
            fnp_cli_hint(text, names, FNP_ARRAY_LEN(names)));
    }
    *budget = FNP_BUDGET_SECONDS;
    *seconds = (double)value * factor;
    return FNP_OK;
}

enum fnp_status fnp_slugs_parse(const char *text, bool set[FNP_N_RULES],
                                struct fnp_err *err)
{
    const char *names[FNP_N_RULES];

    for (unsigned i = 0; i < FNP_N_RULES; i++) {
        names[i] = fnp_rule_info((enum fnp_rule)i)->slug;
    }
    do {
        char word[64];
        size_t len = strcspn(text, ",");
        snprintf(word, sizeof(word), "%.*s", (int)(len < 63 ? len : 63), text);
        enum fnp_rule rule = fnp_rule_find(word);
        if (rule == FNP_N_RULES) {
            const char *hint = fnp_cli_hint(word, names, FNP_N_RULES);
            return fnp_err_set(
                err, FNP_INPUT, "unknown slug %s%s", word[0] ? word : "\"\"",
                hint[0] ? hint : "; \"fencepost explain --list\" names them");
        }
        set[rule] = true;
        text += len;
    } while (*text++ == ',');
    return FNP_OK;
}

enum fnp_status fnp_color_parse(const char *text, int fd, bool *color,
                                struct fnp_err *err)
{
    static const char *const names[] = { "auto", "always", "never" };

    if (!text || !strcmp(text, "auto")) {
        const char *term = getenv("TERM");
        const char *no_color = getenv("NO_COLOR");
        *color = isatty(fd) && !(no_color && *no_color) && term && strcmp(term, "dumb");
        return FNP_OK;
    }
    *color = !strcmp(text, "always");
    if (*color || !strcmp(text, "never")) {
        return FNP_OK;
    }
    return fnp_err_set(err, FNP_INPUT, "--color %s: expected auto, always or never%s",
                       text, fnp_cli_hint(text, names, FNP_ARRAY_LEN(names)));
}

/* The first line of a small file without its newline; false when there is none. */
static bool first_line(const char *path, char *line, size_t cap)
{
    FILE *f = fopen(path, "re");

    if (!f) {
        return false;
    }
    bool ok = fgets(line, (int)cap, f) != NULL;
    fclose(f);
    line[ok ? strcspn(line, "\n") : 0] = 0;
    return ok;
}

/* cgroup v2 "QUOTA PERIOD" in cpu.max; v1 one number in each of two files; 0: none. */
static double quota_in(const char *folder)
{
    char path[640], line[64], period[64];
    struct fnp_str s = fnp_str_over(path, sizeof(path));

    fnp_str_add(&s, "%s/cpu.max", folder);
    if (first_line(path, line, sizeof(line))) {
        char *end;
        double quota = strtod(line, &end);
        double of = strtod(end, NULL);
        return end != line && of > 0 ? quota / of : 0;
    }
    s = fnp_str_over(path, sizeof(path));
    fnp_str_add(&s, "%s/cpu.cfs_quota_us", folder);
    if (!first_line(path, line, sizeof(line))) {
        return 0;
    }
    s = fnp_str_over(path, sizeof(path));
    fnp_str_add(&s, "%s/cpu.cfs_period_us", folder);
    double quota = strtod(line, NULL); /* -1: no limit */
    double of = first_line(path, period, sizeof(period)) ? strtod(period, NULL) : 0;
    return quota > 0 && of > 0 ? quota / of : 0;
}

/* The least quota from a cgroup's folder up to the mount point; 0: none. */
static double quota_upward(const char *mount, const char *group)
{
    char folder[512];
    size_t root = strlen(mount);
    double least = 0;

    snprintf(folder, sizeof(folder), "%s%s", mount, strcmp(group, "/") ? group : "");
    for (;;) {
        double q = quota_in(folder);
        if (q > 0 && (least == 0 || q < least)) {
            least = q;
        }
        char *slash = strrchr(folder, '/');
        if (strlen(folder) <= root || !slash || slash < folder + root) {
            return least;
        }
        *slash = 0;
    }
}

/* Lines of /proc/self/cgroup: "0::/path" is v2, "N:cpu,cpuacct:/path" is v1. */
static double cgroup_quota(void)
{
    FILE *f = fopen("/proc/self/cgroup", "re");
    char line[512];
    double least = 0;

    while (f && fgets(line, sizeof(line), f)) {
        line[strcspn(line, "\n")] = 0;
        char *names = strchr(line, ':');
        char *group = names ? strchr(names + 1, ':') : NULL;
        if (!group) {
            continue;
        }
        *group++ = 0;
        names++;
        double q = 0;
        if (!*names) {
            q = quota_upward("/sys/fs/cgroup", group);
        } else if (!strcmp(names, "cpu") || !strncmp(names, "cpu,", 4) ||
                   strstr(names, ",cpu,")) {
            q = quota_upward("/sys/fs/cgroup/cpu", group);
        }
        if (q > 0 && (least == 0 || q < least)) {
            least = q;
        }
    }
    if (f) {
        fclose(f);
    }
    return least;
}

struct fnp_cpus fnp_cpus(void)
{
    struct fnp_cpus c = { .affinity = 1, .jobs = 1 };
    cpu_set_t set;

    if (sched_getaffinity(0, sizeof(set), &set) == 0) {
        c.affinity = (unsigned)CPU_COUNT(&set);
    } else {
        long n = sysconf(_SC_NPROCESSORS_ONLN);
        c.affinity = n > 0 ? (unsigned)n : 1;
    }
    c.quota = cgroup_quota();
    c.jobs = c.affinity;
    if (c.quota > 0 && c.quota < c.jobs) {
        unsigned whole = (unsigned)c.quota;
        c.jobs = whole + (c.quota > whole);
    }
    return c;
}
