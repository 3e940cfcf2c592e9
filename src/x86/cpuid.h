/* SPDX-License-Identifier: MIT */
/*
 * cpuid.h - CPU features by name, which CPU this is, and whether it is a real one
 *
 * features.def is the only list: FEATURE(NAME, "name", leaf, subleaf, reg, bit, xcr0)
 * with Intel SDM vol. 2A CPUID; `xcr0` are the XCR0 bits the OS must have enabled.
 *
 * Depends on: nothing.
 */
#ifndef FNP_X86_CPUID_H
#define FNP_X86_CPUID_H

#include <stdbool.h>
#include <stdint.h>

/* A set of features: bit k is enum fnp_feature k. */
typedef uint64_t fnp_features;

enum fnp_feature {
#define FEATURE(NAME, name, leaf, subleaf, reg, bit, xcr0) FNP_FEATURE_##NAME,
#include "x86/features.def"
#undef FEATURE
    FNP_N_FEATURES,
};
_Static_assert(FNP_N_FEATURES <= 64, "fnp_features is a 64-bit mask");

/* "sse2"; the names are those of /proc/cpuinfo, but for sse3 (pni) and lzcnt (abm). */
const char *fnp_feature_name(enum fnp_feature feature);

/* By name or another common spelling (pni, abm, sse4.1); FNP_N_FEATURES when unknown. */
enum fnp_feature fnp_feature_find(const char *name);

/*
 * The set and all that no CPU with it lacks: avx2 brings avx, sse2, mmx ...  Compare
 * what code needs with the closure of what was declared.
 */
fnp_features fnp_features_close(fnp_features set);

/* What this CPU and OS offer. */
fnp_features fnp_cpu_features(void);

/* Linux's __USER32_CS, arch/x86/include/asm/segment.h. */
#define FNP_CS_32 0x23u

struct fnp_cpu {
    char brand[64];
    char vendor[16];
    unsigned family, model, stepping;
    bool hypervisor;
    uint64_t xcr0;
    bool compat; /* the system has a code segment for 32-bit code, FNP_CS_32 */
    /*
     * NULL on a real CPU (also inside a hardware-assisted guest); else why nothing
     * run here says anything about hardware: "QEMU TCG", "Valgrind", "Rosetta" ...
     */
    const char *emulated;
};
const struct fnp_cpu *fnp_cpu(void);

#endif
