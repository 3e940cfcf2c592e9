/* SPDX-License-Identifier: MIT */
/*
 * cpuid.c - ask the CPU what it is, and find out whether it is one
 *
 * It looks once and remembers; it never guesses a feature from a model number.
 */
#include "x86/cpuid.h"

#include <cpuid.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"

enum reg {
    EAX,
    EBX,
    ECX,
    EDX
};

struct feature {
    const char *name;
    uint32_t leaf, subleaf;
    uint8_t reg; /* enum reg */
    uint8_t bit;
    uint8_t xcr0;
};

static const struct feature features[FNP_N_FEATURES] = {
#define FEATURE(NAME, name, leaf, subleaf, reg, bit, xcr0)                             \
    { name, leaf, subleaf, reg, bit, xcr0 },
#include "x86/features.def"
#undef FEATURE
};

/* Other spellings: of /proc/cpuinfo, of gcc's options. */
static const struct {
    const char *name;
    enum fnp_feature feature;
} aliases[] = {
    { "pni",         FNP_FEATURE_SSE3         },
    { "abm",         FNP_FEATURE_LZCNT        },
    { "sha",         FNP_FEATURE_SHA_NI       },
    { "bmi",         FNP_FEATURE_BMI1         },
    { "sse4.1",      FNP_FEATURE_SSE4_1       },
    { "sse4.2",      FNP_FEATURE_SSE4_2       },
    { "avx512ifma",  FNP_FEATURE_AVX512_IFMA  },
    { "avx512vbmi",  FNP_FEATURE_AVX512_VBMI  },
    { "avx512vbmi2", FNP_FEATURE_AVX512_VBMI2 },
    { "prefetchw",   FNP_FEATURE_PREFETCHW    },
    { "pclmul",      FNP_FEATURE_PCLMULQDQ    },
};

#define BIT(name) ((fnp_features)1 << FNP_FEATURE_##name)

/* A feature and those without which no CPU has it. */
static const struct {
    fnp_features has, with;
} implied[] = {
    { BIT(MMX),              BIT(FPU)                         },
    { BIT(AMD3DNOW),         BIT(MMX)                         },
    { BIT(AMD3DNOWEXT),      BIT(AMD3DNOW)                    },
    { BIT(SSE),              BIT(MMX) | BIT(FXSR)             },
    { BIT(SSE2),             BIT(SSE) | BIT(CLFLUSH)          },
    { BIT(SSE3),             BIT(SSE2)                        },
    { BIT(SSSE3),            BIT(SSE3)                        },
    { BIT(SSE4A),            BIT(SSE3)                        },
    { BIT(SSE4_1),           BIT(SSSE3)                       },
    { BIT(SSE4_2),           BIT(SSE4_1)                      },
    { BIT(AES),              BIT(SSE2)                        },
    { BIT(PCLMULQDQ),        BIT(SSE2)                        },
    { BIT(SHA_NI),           BIT(SSE2)                        },
    { BIT(GFNI),             BIT(SSE2)                        },
    { BIT(AVX),              BIT(SSE4_2) | BIT(XSAVE)         },
    { BIT(F16C),             BIT(AVX)                         },
    { BIT(FMA),              BIT(AVX)                         },
    { BIT(VAES),             BIT(AVX) | BIT(AES)              },
    { BIT(VPCLMULQDQ),       BIT(AVX) | BIT(PCLMULQDQ)        },
    { BIT(AVX2),             BIT(AVX)                         },
    { BIT(AVX512F),          BIT(AVX2) | BIT(FMA) | BIT(F16C) },
    { BIT(AVX512DQ),         BIT(AVX512F)                     },
    { BIT(AVX512CD),         BIT(AVX512F)                     },
    { BIT(AVX512BW),         BIT(AVX512F)                     },
    { BIT(AVX512VL),         BIT(AVX512F)                     },
    { BIT(AVX512_IFMA),      BIT(AVX512F)                     },
    { BIT(AVX512_VBMI),      BIT(AVX512BW)                    },
    { BIT(AVX512_VBMI2),     BIT(AVX512BW)                    },
    { BIT(AVX512_VNNI),      BIT(AVX512F)                     },
    { BIT(AVX512_BITALG),    BIT(AVX512BW)                    },
    { BIT(AVX512_VPOPCNTDQ), BIT(AVX512F)                     },
};

/* What every CPU has that runs anything here. */
#define ALWAYS (BIT(FPU) | BIT(TSC) | BIT(CX8) | BIT(CMOV) | BIT(LAHF_LM))

const char *fnp_feature_name(enum fnp_feature feature)
{
    return (unsigned)feature < FNP_N_FEATURES ? features[feature].name : "?";
}

enum fnp_feature fnp_feature_find(const char *name)
{
    for (unsigned i = 0; i < FNP_N_FEATURES; i++) {
        if (strcmp(features[i].name, name) == 0) {
            return (enum fnp_feature)i;
        }
    }
    for (size_t i = 0; i < FNP_ARRAY_LEN(aliases); i++) {
        if (strcmp(aliases[i].name, name) == 0) {
            return aliases[i].feature;
        }
    }
    return FNP_N_FEATURES;
}

fnp_features fnp_features_close(fnp_features set)
{
    fnp_features before;

    set |= ALWAYS;
    do {
        before = set;
        for (size_t i = 0; i < FNP_ARRAY_LEN(implied); i++) {
            set |= set & implied[i].has ? implied[i].with : 0;
        }
    } while (set != before);
    return set;
}

/* The four registers of a leaf, zero when the CPU does not know it. */
static void ask(uint32_t leaf, uint32_t subleaf, uint32_t out[4])
{
    memset(out, 0, 4 * sizeof(out[0]));
    if ((uint32_t)__get_cpuid_max(leaf & 0x80000000u, NULL) >= leaf) {
        __cpuid_count(leaf, subleaf, out[EAX], out[EBX], out[ECX], out[EDX]);
    }
}

static uint64_t read_xcr0(void)
{
    uint32_t regs[4], lo, hi;

    ask(1, 0, regs);
    if (!(regs[ECX] & (1u << 27))) { /* OSXSAVE, SDM vol. 1, 13.1 */
        return 0;
    }
    __asm__ volatile("xgetbv" : "=a"(lo), "=d"(hi) : "c"(0));
    return lo | (uint64_t)hi << 32;
}

static fnp_features look_up_features(void)
{
    uint64_t xcr0 = read_xcr0();
    fnp_features set = 0;
    uint32_t regs[4];

    for (unsigned i = 0; i < FNP_N_FEATURES; i++) {
        const struct feature *feature = &features[i];

        /* In a guest each question costs an exit; rows of one leaf stand together. */
        if (i == 0 || feature->leaf != feature[-1].leaf ||
            feature->subleaf != feature[-1].subleaf) {
            ask(feature->leaf, feature->subleaf, regs);
        }
        if ((regs[feature->reg] >> feature->bit & 1) &&
            (xcr0 & feature->xcr0) == feature->xcr0) {
            set |= (fnp_features)1 << i;
        }
    }
    return set;
}

fnp_features fnp_cpu_features(void)
{
    static fnp_features set;

    if (!set) {
        set = look_up_features();
    }
    return set;
}

/* Does a hypervisor leaf (0x40000000, 0x40000100 ...) hold this 12-byte signature? */
static bool has_signature(const char *signature)
{
    for (uint32_t leaf = 0x40000000; leaf < 0x40000400; leaf += 0x100) {
        uint32_t regs[4];

        __cpuid_count(leaf, 0, regs[EAX], regs[EBX], regs[ECX], regs[EDX]);
        if (memcmp(&regs[EBX], signature, 12) == 0) {
            return true;
        }
    }
    return false;
}

/*
 * Valgrind's client request RUNNING_ON_VALGRIND (0x1001), valgrind.h: four rotations
 * and an exchange that change nothing on a CPU.
 */
static bool under_valgrind(void)
{
    const uint64_t request[6] = { 0x1001 };
    uint64_t answer = 0;

    __asm__ volatile("rolq $3, %%rdi\n\t"
                     "rolq $13, %%rdi\n\t"
                     "rolq $61, %%rdi\n\t"
                     "rolq $51, %%rdi\n\t"
                     "xchgq %%rbx, %%rbx"
                     : "+d"(answer)
                     : "a"(&request[0])
                     : "cc", "memory");
    return answer != 0;
}

/* What translators leave in their process's map. */
static const struct {
    const char *file; /* part of a line of /proc/self/maps */
    const char *name;
} translators[] = {
    { "/pinbin",         "Intel Pin or SDE" },
    { "/libpin",         "Intel Pin or SDE" },
    { "/box64",          "box64"            },
    { "/FEXInterpreter", "FEX"              },
    { "/libdynamorio",   "DynamoRIO"        },
    { "/rosetta",        "Rosetta"          },
};

static const char *mapped_translator(void)
{
    FILE *maps = fopen("/proc/self/maps", "re");
    const char *found = NULL;
    char line[512];

    while (maps && !found && fgets(line, sizeof(line), maps)) {
        for (size_t i = 0; i < FNP_ARRAY_LEN(translators); i++) {
            if (strstr(line, translators[i].file)) {
                found = translators[i].name;
            }
        }
    }
    if (maps) {
        (void)fclose(maps);
    }
    return found;
}

static const char *find_emulator(const struct fnp_cpu *cpu)
{
    const char *assumed = getenv("FENCEPOST_ASSUME_EMULATED");

    if (assumed && strcmp(assumed, "1") == 0) {
        return "FENCEPOST_ASSUME_EMULATED";
    }
    if (cpu->hypervisor && has_signature("TCGTCGTCGTCG")) {
        return "QEMU TCG";
    }
    if (strstr(cpu->brand, "QEMU TCG")) {
        return "QEMU TCG";
    }
    if (strstr(cpu->brand, "QEMU Virtual CPU") && !has_signature("KVMKVMKVM\0\0\0")) {
        return "QEMU TCG";
    }
    if (strstr(cpu->brand, "VirtualApple")) {
        return "Rosetta";
    }
    if (strstr(cpu->brand, "Box64") || strstr(cpu->brand, "box64")) {
        return "box64";
    }
    return under_valgrind() ? "Valgrind" : mapped_translator();
}

/* The brand string without the blanks around it. */
static void read_brand(char out[64])
{
    uint32_t regs[4];
    char text[49] = "";
    const char *start = text;

    for (uint32_t i = 0; i < 3; i++) {
        ask(0x80000002 + i, 0, regs);
        memcpy(text + (size_t)i * 16, regs, 16);
    }
    while (*start == ' ') {
        start++;
    }

    size_t len = strlen(start);

    while (len && start[len - 1] == ' ') {
        len--;
    }
    memcpy(out, start, len);
    out[len] = 0;
}

/*
 * Access rights as LAR reports them, Intel SDM vol. 3, 3.4.5: a present code segment of
 * privilege 3, D set and L clear.
 */
static bool has_compat_segment(void)
{
    const uint32_t mask = 0x0060f800, want = 0x0040f800;
    uint32_t rights = 0;
    bool valid = false;

    __asm__("lar %2, %0" : "=r"(rights), "=@ccz"(valid) : "r"(FNP_CS_32));
    return valid && (rights & mask) == want;
}

static void look_up_cpu(struct fnp_cpu *cpu)
{
    uint32_t regs[4];

    ask(0, 0, regs);
    memcpy(cpu->vendor, &regs[EBX], 4);
    memcpy(cpu->vendor + 4, &regs[EDX], 4);
    memcpy(cpu->vendor + 8, &regs[ECX], 4);

    /* SDM vol. 2A, CPUID, figure 3-6: extended family and model. */
    ask(1, 0, regs);
    cpu->stepping = regs[EAX] & 0xf;
    cpu->model = regs[EAX] >> 4 & 0xf;
    cpu->family = regs[EAX] >> 8 & 0xf;
    if (cpu->family == 6 || cpu->family == 15) {
        cpu->model |= (regs[EAX] >> 16 & 0xf) << 4;
    }
    if (cpu->family == 15) {
        cpu->family += regs[EAX] >> 20 & 0xff;
    }
    cpu->hypervisor = regs[ECX] >> 31;
    cpu->xcr0 = read_xcr0();
    cpu->compat = has_compat_segment();
    read_brand(cpu->brand);
    cpu->emulated = find_emulator(cpu);
}

const struct fnp_cpu *fnp_cpu(void)
{
    static struct fnp_cpu cpu;
    static bool known;

    if (!known) {
        look_up_cpu(&cpu);
        known = true;
    }
    return &cpu;
}
