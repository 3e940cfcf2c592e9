/* SPDX-License-Identifier: MIT */
/*
 * scan_test.c - what the scanner sees in instructions, and how it spells them
 *
 * One row, one snippet of assembly; all are assembled into one object.
 */
#include "x86/scan.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "subject/image.h"
#include "verify/self/assemble.h"
#include "verify/self/tap.h"

enum {
    X87 = 1,         /* x87_mmx */
    VEX = 2,         /* vex */
    WEAK = 4,        /* nontemporal */
    INDIRECT = 8,    /* indirect */
    PRIVILEGED = 16, /* privileged */
    FP = 32,         /* fp */
    MXCSR = 64,      /* mxcsr */
};

/* What one instruction needs (besides ret) and is. */
static const struct {
    const char *code;
    const char *needs; /* names, ascending by features.def, a blank after each */
    unsigned flags;
} kinds[] = {
    { "nop",                                   "",                  0                },
    { "rep movsb",                             "",                  0                },
    { "rep stosq",                             "",                  0                },
    { "prefetchw (%rdi)",                      "",                  0                },
    { "prefetchnta (%rdi)",                    "sse ",              0                },
    { "endbr64",                               "",                  0                },
    { "rdtsc",                                 "",                  0                },
    { "syscall",                               "",                  0                },
    { "cmovne %eax, %ecx",                     "cmov ",             0                },
    { "movq (%rsi), %mm0",                     "mmx ",              X87              },
    { "emms",                                  "mmx ",              X87              },
    { "femms",                                 "3dnow ",            X87              },
    { "movntq %mm0, (%rdi)",                   "mmx ",              X87 | WEAK       },
    { "maskmovq %mm0, %mm1",                   "mmx ",              X87 | WEAK       },
    { "movq2dq %mm0, %xmm0",                   "sse2 ",             X87              },
    { "fldl (%rsi)",                           "fpu ",              X87 | FP         },
    { "fnsave (%rdi)",                         "fpu ",              X87 | FP         },
    { "frstor (%rdi)",                         "fpu ",              X87 | FP         },
    { "fxsave (%rdi)",                         "fxsr ",             0                },
    { "fxrstor (%rdi)",                        "fxsr ",             X87 | MXCSR      },
    { "addps %xmm0, %xmm1",                    "sse ",              FP | MXCSR       },
    { "cvtps2pd %xmm0, %xmm1",                 "sse2 ",             FP | MXCSR       },
    { "ldmxcsr (%rsi)",                        "sse ",              MXCSR            },
    { "vldmxcsr (%rsi)",                       "avx ",              VEX | MXCSR      },
    { "movups (%rsi), %xmm0",                  "sse ",              0                },
    { "movntps %xmm0, (%rdi)",                 "sse ",              WEAK             },
    { "sfence",                                "sse ",              0                },
    { "movdqa (%rsi), %xmm0",                  "sse2 ",             0                },
    { "movntdq %xmm0, (%rdi)",                 "sse2 ",             WEAK             },
    { "movntpd %xmm0, (%rdi)",                 "sse2 ",             WEAK             },
    { "movnti %eax, (%rdi)",                   "sse2 ",             WEAK             },
    { "maskmovdqu %xmm0, %xmm1",               "sse2 ",             WEAK             },
    { "movntss %xmm0, (%rdi)",                 "sse4a ",            WEAK             },
    { "movntdqa (%rsi), %xmm0",                "sse4_1 ",           0                },
    { "lddqu (%rsi), %xmm0",                   "sse3 ",             0                },
    { "palignr $1, %xmm0, %xmm1",              "ssse3 ",            0                },
    { "crc32b %al, %ecx",                      "sse4_2 ",           0                },
    { "popcnt %eax, %ecx",                     "popcnt ",           0                },
    { "lzcnt %eax, %ecx",                      "lzcnt ",            0                },
    { "tzcnt %eax, %ecx",                      "bmi1 ",             0                },
    { "shlx %rax, %rcx, %rdx",                 "bmi2 ",             0                },
    { "movbe (%rsi), %eax",                    "movbe ",            0                },
    { "cmpxchg16b (%rdi)",                     "cx16 ",             0                },
    { "vmovdqu (%rsi), %ymm0",                 "avx ",              VEX              },
    { "vmovntdq %ymm0, (%rdi)",                "avx ",              VEX | WEAK       },
    { "vzeroupper",                            "avx ",              VEX              },
    { "vpbroadcastb %xmm0, %ymm0",             "avx2 ",             VEX              },
    { "vpgatherdd %ymm0, (%rsi,%ymm1), %ymm2", "avx2 ",             VEX              },
    { "vfmadd213ps %ymm0, %ymm1, %ymm2",       "fma ",              VEX | FP | MXCSR },
    { "vmovdqu64 (%rsi), %zmm0",               "avx512f ",          VEX              },
    { "vmovdqu64 (%rsi), %ymm16",              "avx512f avx512vl ", VEX              },
    { "vmovdqu8 (%rsi), %zmm0{%k1}",           "avx512bw ",         VEX              },
    { "vmovntdq %zmm0, (%rdi)",                "avx512f ",          VEX | WEAK       },
    { "kmovq %rax, %k1",                       "avx512bw ",         VEX              },
    { "kmovw %eax, %k1",                       "avx512f ",          VEX              },
    { "clflush (%rdi)",                        "clflush ",          0                },
    { "clflushopt (%rdi)",                     "clflushopt ",       0                },
    { "clwb (%rdi)",                           "clwb ",             0                },
    { "movdiri %eax, (%rdi)",                  "movdiri ",          WEAK             },
    { "movdir64b (%rsi), %rdi",                "movdir64b ",        WEAK             },
    { "call *%rax",                            "",                  INDIRECT         },
    { "jmp *(%rax)",                           "",                  INDIRECT         },
    { "clts",                                  "",                  PRIVILEGED       },
    { "invlpg (%rdi)",                         "",                  PRIVILEGED       },
    { "wbinvd",                                "",                  PRIVILEGED       },
    { "hlt",                                   "",                  PRIVILEGED       },
    { "cli",                                   "",                  PRIVILEGED       },
    { "sti",                                   "",                  PRIVILEGED       },
    { "in %dx, %al",                           "",                  PRIVILEGED       },
    { "outl %eax, %dx",                        "",                  PRIVILEGED       },
    { "rep outsb",                             "",                  PRIVILEGED       },
    { "mov %cr0, %rax",                        "",                  PRIVILEGED       },
    { "mov %rax, %dr7",                        "",                  PRIVILEGED       },
    { "rdmsr",                                 "",                  PRIVILEGED       },
    { "wrmsr",                                 "",                  PRIVILEGED       },
    { "swapgs",                                "",                  PRIVILEGED       },
    { "stac",                                  "",                  PRIVILEGED       },
    { "clac",                                  "",                  PRIVILEGED       },
    { "lgdt (%rdi)",                           "",                  PRIVILEGED       },
    { "ltr %ax",                               "",                  PRIVILEGED       },
};

/* How one instruction is spelt, and its length. */
static const struct {
    const char *code, *text;
} texts[] = {
    { "movntq %mm0, (%rdi)",             "movntq %mm0,(%rdi)"             },
    { "movdqa 16(%rsi,%rdx,4), %xmm1",   "movdqa 0x10(%rsi,%rdx,4),%xmm1" },
    { "mov -8(%rdi), %rax",              "mov -0x8(%rdi),%rax"            },
    { "movq $5, 8(%rdi)",                "movq $0x5,0x8(%rdi)"            },
    { "movb $-1, (%rdi)",                "movb $-0x1,(%rdi)"              },
    { "cmp $200, %rdx",                  "cmp $0xc8,%rdx"                 },
    { "vmovdqu64 (%rdi), %zmm0{%k1}{z}", "vmovdqu64 (%rdi),%zmm0{%k1}{z}" },
    { "vmovdqu (%rsi), %ymm3",           "vmovdqu (%rsi),%ymm3"           },
    { "jne . + 0x20",                    "jne .+0x20"                     },
    { "je . - 0x10",                     "je .-0x10"                      },
    { "jae . - 0x1000",                  "jae .-0x1000"                   },
    { "jmp . + 2",                       "jmp .+0x2"                      },
    { "call . + 0x40",                   "call .+0x40"                    },
    { "cmovnl %eax, %ecx",               "cmovge %eax,%ecx"               },
    { "setnz %al",                       "setne %al"                      },
    { "jmp *%rax",                       "jmp *%rax"                      },
    { "call *8(%rax)",                   "call *0x8(%rax)"                },
    { "jmp *(,%rdi,8)",                  "jmp *(,%rdi,8)"                 },
    { "lea 0x10(%rip), %rax",            "lea 0x10(%rip),%rax"            },
    { "rep movsb",                       "rep movsb"                      },
    { "rep stosq",                       "rep stosq"                      },
    { "lock cmpxchg %ecx, (%rdi)",       "lock cmpxchg %ecx,(%rdi)"       },
    { "fnsave (%rdi)",                   "fnsave (%rdi)"                  },
    { "ret",                             "ret"                            },
    { "emms",                            "emms"                           },
    { ".byte 0x06",                      "(bad)"                          },
};

/* Constants of a snippet, ascending, a blank after each. */
static const struct {
    const char *name, *code, *want;
} constants[] = {
    { "compare",                "cmp $200, %rdx; ret",                                                    "200 "        },
    { "negative",               "cmp $-16, %rdx; add $-64, %rdx; ret",                                    "16 64 "      },
    { "sign-extended",          "cmp $0x80000000, %edx; ret",                                             "2147483648 " },
    { "masks and steps",        "and $63, %edx; sub $32, %rdx; test $15, %dl; ret",
     "15 32 63 "                                                                                                        },
    { "differences",            "xor $2741, %rdx; or $13, %rcx; ret",                                     "13 2741 "    },
    { "shift counts",           "shr $6, %rdx; shl $3, %rcx; ret",                                        "8 64 "       },
    { "shift by one",           "shr %rdx; ret",                                                          "2 "          },
    { "lea",                    "lea -128(%rdi), %rax; lea 4096(%rip), %rcx; lea 24(,%rdi,8), %rdx; ret",
     "128 "                                                                                                             },
    { "counts",                 "mov $77, %ecx; movabs $0x0101010101010101, %rax; ret",                   "77 "         },
    { "stack",
     "sub $0x88, %rsp; mov 8(%rsp), %rax; movl $9, 4(%rsp); lea 40(%rsp), %rcx\n"
      "add $0x88, %rsp; ret",                                                                             ""            },
    { "both sides of a branch",
     "cmp $5, %rdx; ja 1f; mov $6, %eax; ret\n"
      "1: mov $7, %eax; ret",                                                                             "5 6 7 "      },
    { "behind a jump",          "jmp 1f; cmp $99, %rdx; 1: cmp $3, %rdx; ret",                            "3 "          },
    { "in a callee",            "call 1f; cmp $4, %rdx; ret; 1: cmp $8, %rdx; ret",                       "4 8 "        },
    { "behind ud2",             "ud2; cmp $4, %rdx; ret",                                                 ""            },
    { "dedupe, zero",           "cmp $9, %rdx; cmp $9, %rcx; cmp $0, %rax; ret",                          "9 "          },
    { "loop",                   "1: sub $48, %rdx; jnz 1b; ret",                                          "48 "         },
};

/* Control flow: instructions and blocks. */
static const struct {
    const char *name, *code;
    size_t insns, blocks;
} flows[] = {
    { "straight",    "nop; nop; ret",                          3, 1 },
    { "if",          "test %rdx, %rdx; jz 1f; nop; 1: ret",    4, 3 },
    { "loop",        "mov $9, %ecx; 1: dec %ecx; jnz 1b; ret", 4, 3 },
    { "jrcxz",       "jrcxz 1f; nop; 1: ret",                  3, 3 },
    { "call",        "call 1f; ret; 1: nop; ret",              4, 2 },
    { "endless",     "1: jmp 1b",                              1, 1 },
    { "transaction", "xbegin 1f; nop; 1: ret",                 3, 3 },
    { "undecodable", "nop; .byte 0x06; nop",                   1, 1 },
};

#define N_SNIPPETS                                                                     \
    (FNP_ARRAY_LEN(kinds) + FNP_ARRAY_LEN(texts) + FNP_ARRAY_LEN(constants) +          \
     FNP_ARRAY_LEN(flows))

/* Snippet i, counted through all tables. */
static const char *snippet(size_t i)
{
    if (i < FNP_ARRAY_LEN(kinds)) {
        return kinds[i].code;
    }
    i -= FNP_ARRAY_LEN(kinds);
    if (i < FNP_ARRAY_LEN(texts)) {
        return texts[i].code;
    }
    i -= FNP_ARRAY_LEN(texts);
    if (i < FNP_ARRAY_LEN(constants)) {
        return constants[i].code;
    }
    return flows[i - FNP_ARRAY_LEN(constants)].code;
}

/* All snippets in one object, each a global label in front of its own ret and ud2. */
static bool make(struct fnp_arena *arena, struct fnp_object *object)
{
    size_t cap = N_SNIPPETS * 400;
    char *text = fnp_arena_alloc(arena, cap), *path;
    struct fnp_str out = fnp_str_over(text, cap);
    struct fnp_err err;
    bool ok;

    for (size_t i = 0; i < N_SNIPPETS; i++) {
        fnp_str_add(&out, ".globl s%zu\ns%zu:\n%s\nret; ud2\n", i, i, snippet(i));
    }
    path = out.overflow ? NULL : assemble(text, ".S", NULL);
    ok = path && fnp_object_read(arena, path, object, &err) == FNP_OK;
    free(path);
    return ok;
}

struct snip {
    struct fnp_code code;
    uint64_t entry;
    struct fnp_scan scan;
};

static struct snip scan_snippet(struct fnp_arena *arena,
                                const struct fnp_object *object, size_t i)
{
    struct snip snip = { 0 };
    struct fnp_image image;
    struct fnp_err err;
    char name[16];

    snprintf(name, sizeof(name), "s%zu", i);
    if (fnp_image_load(arena, object, name, NULL, 0, &image, &err) == FNP_OK) {
        const struct fnp_segment *s = &image.segments[0];

        snip.code =
            (struct fnp_code){ .bytes = s->bytes, .len = s->len, .addr = s->addr };
        snip.entry = image.entry;
        fnp_scan_code(&snip.code, snip.entry, &snip.scan);
    }
    return snip;
}

static void test_kind(const struct snip *snip, size_t i)
{
    const struct fnp_scan *scan = &snip->scan;
    unsigned flags = (scan->x87_mmx ? X87 : 0u) | (scan->vex ? VEX : 0u) |
                     (scan->nontemporal ? WEAK : 0u) |
                     (scan->indirect ? INDIRECT : 0u) |
                     (scan->privileged ? PRIVILEGED : 0u) | (scan->fp ? FP : 0u) |
                     (scan->mxcsr ? MXCSR : 0u);
    char needs[256];
    struct fnp_str text = fnp_str_over(needs, sizeof(needs));

    for (unsigned f = 0; f < FNP_N_FEATURES; f++) {
        if (scan->needs >> f & 1) {
            fnp_str_add(&text, "%s ", fnp_feature_name((enum fnp_feature)f));
        }
    }
    tap_ok(strcmp(needs, kinds[i].needs) == 0 && flags == kinds[i].flags &&
               !scan->unlisted && scan->n_insns > 0,
           "%s: needs '%s' flags %#x", kinds[i].code, needs, flags);
}

static void test_text(const struct snip *snip, size_t i)
{
    char buffer[128];
    struct fnp_str text = fnp_str_over(buffer, sizeof(buffer));
    size_t len = fnp_insn_text(&snip->code, snip->entry, &text);

    tap_ok(strcmp(buffer, texts[i].text) == 0 &&
               (len == 0) == (strcmp(texts[i].text, "(bad)") == 0),
           "%s: %s, %zu bytes", texts[i].code, buffer, len);
}

static void test_constants(const struct snip *snip, size_t i)
{
    char buffer[256];
    struct fnp_str text = fnp_str_over(buffer, sizeof(buffer));

    for (size_t k = 0; k < snip->scan.n_constants; k++) {
        fnp_str_add(&text, "%llu ", (unsigned long long)snip->scan.constants[k]);
    }
    tap_ok(strcmp(buffer, constants[i].want) == 0, "constants, %s: %s",
           constants[i].name, buffer);
}

static void test_flow(const struct snip *snip, size_t i)
{
    tap_ok(snip->scan.n_insns == flows[i].insns &&
               snip->scan.n_blocks == flows[i].blocks,
           "flow, %s: %zu instructions, %zu blocks", flows[i].name, snip->scan.n_insns,
           snip->scan.n_blocks);
}

static void test_snippets(struct fnp_arena *arena, const struct fnp_object *object)
{
    size_t n = 0;

    for (size_t i = 0; i < FNP_ARRAY_LEN(kinds); i++) {
        struct snip snip = scan_snippet(arena, object, n++);

        test_kind(&snip, i);
    }
    for (size_t i = 0; i < FNP_ARRAY_LEN(texts); i++) {
        struct snip snip = scan_snippet(arena, object, n++);

        test_text(&snip, i);
    }
    for (size_t i = 0; i < FNP_ARRAY_LEN(constants); i++) {
        struct snip snip = scan_snippet(arena, object, n++);

        test_constants(&snip, i);
    }
    for (size_t i = 0; i < FNP_ARRAY_LEN(flows); i++) {
        struct snip snip = scan_snippet(arena, object, n++);

        test_flow(&snip, i);
    }
}

/* More constants than fit: the compared ones stay. */
static void test_preference(void)
{
    unsigned char bytes[100 * 5 + 40 * 4 + 1], *p = bytes;
    struct fnp_code code = { .bytes = bytes,
                             .len = sizeof(bytes),
                             .addr = 0x1000000000 };
    struct fnp_scan scan;
    size_t compared = 0;

    for (unsigned i = 0; i < 100; i++) { /* mov $1000 + i,%eax */
        const unsigned char mov[5] = { 0xb8, (unsigned char)(1000 + i),
                                       (unsigned char)((1000 + i) >> 8), 0, 0 };

        memcpy(p, mov, sizeof(mov));
        p += sizeof(mov);
    }
    for (unsigned i = 0; i < 40; i++) { /* cmp $1 + i,%rdx */
        const unsigned char cmp[4] = { 0x48, 0x83, 0xfa, (unsigned char)(1 + i) };

        memcpy(p, cmp, sizeof(cmp));
        p += sizeof(cmp);
    }
    *p = 0xc3;
    fnp_scan_code(&code, code.addr, &scan);
    for (size_t i = 0; i < scan.n_constants; i++) {
        compared += scan.constants[i] <= 40;
    }
    tap_ok(scan.n_constants == FNP_SCAN_CONSTANTS && compared == 40 &&
               scan.constants[63] > scan.constants[0],
           "%zu constants are kept, all %zu compared ones among them", scan.n_constants,
           compared);
}

static void test_edges(void)
{
    static const unsigned char cut[] = { 0x90, 0x48, 0x81 };
    static const unsigned char enqcmd[] = { 0xf2, 0x0f, 0x38, 0xf8, 0x3e, 0xc3 };
    struct fnp_code code = { .bytes = cut, .len = sizeof(cut), .addr = 0x1000 };
    struct fnp_scan scan;
    char buffer[64];
    struct fnp_str text = fnp_str_over(buffer, sizeof(buffer));

    fnp_scan_code(&code, 0x1000, &scan);
    tap_ok(scan.n_insns == 1, "a cut instruction ends the path");
    fnp_scan_code(&code, 0x1003, &scan);
    tap_ok(scan.n_insns == 0 && scan.n_blocks == 0, "an entry outside finds nothing");
    tap_ok(fnp_insn_text(&code, 0xfff, &text) == 0 && strcmp(buffer, "(bad)") == 0,
           "nor is there a text");
    code.bytes = enqcmd;
    code.len = sizeof(enqcmd);
    fnp_scan_code(&code, 0x1000, &scan);
    tap_ok(scan.unlisted && strcmp(scan.unlisted, "ENQCMD") == 0,
           "an extension without a name here is noted");
}

static void test_features(void)
{
    fnp_features avx2 = (fnp_features)1 << FNP_FEATURE_AVX2;
    fnp_features sse = (fnp_features)1 << FNP_FEATURE_SSE;
    fnp_features closed = fnp_features_close(avx2);
    bool ok = true;

    for (unsigned i = 0; i < FNP_N_FEATURES; i++) {
        ok &= fnp_feature_find(fnp_feature_name((enum fnp_feature)i)) == i;
    }
    tap_ok(ok, "every feature is found by its name");
    tap_ok(fnp_feature_find("sse9") == FNP_N_FEATURES, "others are not");
    tap_ok(fnp_feature_find("pni") == FNP_FEATURE_SSE3 &&
               fnp_feature_find("abm") == FNP_FEATURE_LZCNT,
           "the kernel's spellings are known");
    tap_ok((closed & avx2) && (closed & sse) &&
               !(fnp_features_close(sse) & (fnp_features)1 << FNP_FEATURE_SSE2),
           "avx2 brings sse, sse does not bring sse2");
    tap_ok((fnp_cpu_features() & sse) != 0, "this CPU has sse");
    tap_ok(fnp_cpu()->family > 0 && fnp_cpu()->vendor[0] && fnp_cpu()->xcr0 != 1,
           "this CPU is %s, family %u model %u", fnp_cpu()->brand, fnp_cpu()->family,
           fnp_cpu()->model);
}

/* In a process of its own: what it finds is remembered. */
static void test_emulated(void)
{
    int status = 0;
    pid_t pid;

    fflush(stdout);
    pid = fork();
    if (pid == 0) {
        setenv("FENCEPOST_ASSUME_EMULATED", "1", 1);
        _exit(fnp_cpu()->emulated ? 0 : 1);
    }
    tap_ok(pid > 0 && waitpid(pid, &status, 0) == pid && status == 0,
           "an emulated CPU can be assumed");
}

int main(void)
{
    struct fnp_arena arena = { 0 };
    struct fnp_object object;

    test_emulated();
    test_features();
    test_preference();
    test_edges();
    if (!assemble_begin()) {
        tap_ok(true, "snippets # SKIP no C compiler");
        return tap_done();
    }
    if (make(&arena, &object)) {
        test_snippets(&arena, &object);
    } else {
        tap_ok(false, "the snippets assemble");
    }
    assemble_done();
    fnp_arena_release(&arena);
    return tap_done();
}
