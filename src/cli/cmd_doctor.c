/* SPDX-License-Identifier: MIT */
/*
 * cmd_doctor.c - `fencepost doctor`: what this machine can and cannot show
 *
 * Each row asks the system one question; what might upset the process is asked in a
 * forked child.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/str.h"
#include "cli/cli.h"
#include "cli/json_line.h"
#include "cli/probe.h"
#include "cli/settings.h"
#include "subject/image.h"
#include "x86/cpuid.h"

enum {
    ANSWER_LEN = 1200,
    NAME_WIDTH = 13
};

struct row {
    const char *name;
    /* Write the answer; true: nothing is lost on this machine. */
    bool (*ask)(struct fnp_str *out);
};

static bool ask_cpu(struct fnp_str *out)
{
    const struct fnp_cpu *cpu = fnp_cpu();

    fnp_str_add(out, "%s (%s family %u model %u stepping %u)%s", cpu->brand,
                cpu->vendor, cpu->family, cpu->model, cpu->stepping,
                cpu->hypervisor ? ", in a virtual machine" : "");
    if (cpu->emulated) {
        fnp_str_add(out, "; emulated (%s): verify checks nothing here", cpu->emulated);
    }
    return !cpu->emulated;
}

static void add_features(fnp_features set, struct fnp_str *out)
{
    for (unsigned i = 0; i < FNP_N_FEATURES; i++) {
        if (set >> i & 1) {
            fnp_str_add(out, "%s%s", out->len ? " " : "",
                        fnp_feature_name((enum fnp_feature)i));
        }
    }
}

static bool ask_features(struct fnp_str *out)
{
    add_features(fnp_cpu_features(), out);
    return true;
}

/* Nothing is wrong with a machine that lacks some: other CPUs have to be asked. */
static bool ask_lacking(struct fnp_str *out)
{
    char names[ANSWER_LEN];
    struct fnp_str lacking = fnp_str_over(names, sizeof(names));

    add_features(~fnp_cpu_features(), &lacking);
    fnp_str_add(
        out, lacking.len ? "%s; kernels that need one of these are skipped" : "%snone",
        names);
    return true;
}

static bool ask_vectors(struct fnp_str *out)
{
    uint64_t xcr0 = fnp_cpu()->xcr0;
    bool avx = (xcr0 & 0x6) == 0x6;
    bool avx512 = (xcr0 & 0xe6) == 0xe6;

    fnp_str_add(out, "the system saves XMM%s%s", avx ? ", YMM" : "; no YMM",
                avx512 ? ", ZMM and mask registers" : "; no ZMM");
    if (avx512) {
        fnp_str_add(out, "; bits above YMM and the mask registers are not judged yet");
    }
    return avx;
}

static bool ask_cpus(struct fnp_str *out)
{
    struct fnp_cpus cpus = fnp_cpus();

    fnp_str_add(out, "%u usable", cpus.affinity);
    if (cpus.quota > 0) {
        fnp_str_add(out, ", cgroup quota %.2f", cpus.quota);
    }
    fnp_str_add(out, "; %u worker%s by default", cpus.jobs, cpus.jobs == 1 ? "" : "s");
    return cpus.affinity > 1;
}

static bool ask_fence(struct fnp_str *out)
{
    if (fnp_probe_dispatch()) {
        fnp_str_add(out, "caught by Syscall User Dispatch");
        return true;
    }
    if (fnp_probe_seccomp()) {
        fnp_str_add(out, "Syscall User Dispatch is refused; caught by seccomp");
        return true;
    }
    fnp_str_add(out, "neither Syscall User Dispatch nor seccomp: not caught");
    return false;
}

static bool ask_fsgsbase(struct fnp_str *out)
{
    bool ok = fnp_probe_fsgsbase();

    fnp_str_add(out, ok ? "a kernel that reloads fs or gs is survived and named"
                        : "no FSGSBASE: a kernel that reloads fs kills its worker");
    return ok;
}

static bool ask_fields(struct fnp_str *out)
{
    const uint64_t high_at = 0x2a55a0000000u, low_at = 0x61000000u;
    bool high = fnp_probe_map(high_at, false);
    bool low = fnp_probe_map(low_at, false);

    fnp_str_add(out, "high addresses (0x%" PRIx64 ") %s, low ones (0x%" PRIx64 ") %s",
                high_at, high ? "can be had" : "cannot be had: nothing can be verified",
                low_at,
                low ? "can be had" : "cannot be had: low placements are left out");
    return high && low;
}

static bool ask_wx(struct fnp_str *out)
{
    bool exec = fnp_probe_map(FNP_IMAGE_HIGH, true);

    fnp_str_add(out, exec ? "code can be written and then made executable"
                          : "memory cannot be made executable: no kernel can run");
    return exec;
}

static bool ask_core(struct fnp_str *out)
{
    fnp_str_add(out, "%s",
                fnp_probe_core_limit()
                    ? "allowed here; fencepost switches them off in its workers"
                    : "off");
    return true;
}

static bool ask_tools(struct fnp_str *out)
{
    static const char *const tools[] = { "cc", "gcc", "clang-19", "as", "gdb" };
    char missing[ANSWER_LEN];
    struct fnp_str no = fnp_str_over(missing, sizeof(missing));

    for (size_t i = 0; i < FNP_ARRAY_LEN(tools); i++) {
        if (fnp_probe_tool(tools[i])) {
            fnp_str_add(out, "%s%s", out->len ? " " : "", tools[i]);
        } else {
            fnp_str_add(&no, " %s", tools[i]);
        }
    }
    if (no.len) {
        fnp_str_add(out, "%snot found:%s", out->len ? "; " : "", missing);
    }
    return fnp_probe_tool("cc");
}

static bool ask_missing(struct fnp_str *out)
{
    fnp_str_add(out,
                "what other CPUs see of stores (no reader threads), unwind "
                "information%s",
                fnp_cpu()->compat ? "" : ", 32-bit kernels (no segment for them)");
    return false;
}

static const struct row rows[] = {
    { "cpu",          ask_cpu      },
    { "features",     ask_features },
    { "not in CPU",   ask_lacking  },
    { "vectors",      ask_vectors  },
    { "cpus",         ask_cpus     },
    { "system calls", ask_fence    },
    { "segments",     ask_fsgsbase },
    { "fields",       ask_fields   },
    { "code",         ask_wx       },
    { "core dumps",   ask_core     },
    { "tools",        ask_tools    },
    { "not checked",  ask_missing  },
};

int fnp_cmd_doctor(int argc, char **argv)
{
    static const char *const formats[] = { "text", "jsonl" };
    const char *format = "text";
    const struct fnp_opt options[] = {
        { "format", 0, FNP_OPT_TEXT, &format, "NAME", "text or jsonl" },
    };
    const struct fnp_usage usage = {
        .command = "doctor",
        .words = "[--format text|jsonl]",
        .text = "Say what can and cannot be shown on this machine.  A line that begins "
                "with\n"
                "'!' names something that is lost here.\n",
        .options = options,
        .count = FNP_ARRAY_LEN(options),
    };
    struct fnp_opt_list names;
    int code;

    if (!fnp_cli_parse(&usage, argc, argv, &names, &code)) {
        return code;
    }
    if (names.count) {
        return fnp_cli_refuse("doctor takes no subject: %s", names.item[0]);
    }
    bool json = !strcmp(format, "jsonl");
    if (!json && strcmp(format, "text") != 0) {
        return fnp_cli_refuse("unknown format %s for doctor%s", format,
                              fnp_cli_hint(format, formats, FNP_ARRAY_LEN(formats)));
    }
    for (size_t i = 0; i < FNP_ARRAY_LEN(rows); i++) {
        char text[ANSWER_LEN];
        struct fnp_str answer = fnp_str_over(text, sizeof(text));
        bool ok = rows[i].ask(&answer);
        if (json) {
            fnp_json_begin(stdout, "doctor");
            fnp_json_text(stdout, "name", rows[i].name);
            fnp_json_bool(stdout, "ok", ok);
            fnp_json_text(stdout, "text", text);
            fnp_json_end(stdout);
        } else {
            fnp_cli_wrap(printf("%c %-*s ", ok ? ' ' : '!', NAME_WIDTH, rows[i].name),
                         text);
        }
    }
    return fnp_cli_finish(0);
}
