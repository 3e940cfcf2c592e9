/* SPDX-License-Identifier: MIT */
/*
 * order_test.c - how each instruction orders stores: bytes in, class out
 *
 * Every mnemonic of order.def has a row with the class it has there.
 */
#include <string.h>
#include <strings.h>

#include "base/status.h"
#include "verify/self/tap.h"
#include "x86/effect.h"

enum {
    NOTHING = FNP_ORDERS_NOTHING,
    WEAK = FNP_ORDERS_WEAK,
    FENCE = FNP_ORDERS_FENCE,
    FLUSH = FNP_ORDERS_FLUSH,
    BOTH = 0, /* widths */
    ONLY_64 = 64,
    MAX_LEN = 15
};

static const struct {
    const char *text;
    unsigned width, class;
    char bytes[MAX_LEN]; /* zeros behind */
} rows[] = {
    { "movnti %eax,(%rdi)",            BOTH,    WEAK,    "\x0f\xc3\x07"             },
    { "movnti %rax,(%rdi)",            ONLY_64, WEAK,    "\x48\x0f\xc3\x07"         },
    { "movntq %mm0,(%rdi)",            BOTH,    WEAK,    "\x0f\xe7\x07"             },
    { "movntdq %xmm0,(%rdi)",          BOTH,    WEAK,    "\x66\x0f\xe7\x07"         },
    { "movntps %xmm0,(%rdi)",          BOTH,    WEAK,    "\x0f\x2b\x07"             },
    { "movntpd %xmm0,(%rdi)",          BOTH,    WEAK,    "\x66\x0f\x2b\x07"         },
    { "movntss %xmm0,(%rdi)",          BOTH,    WEAK,    "\xf3\x0f\x2b\x07"         },
    { "movntsd %xmm0,(%rdi)",          BOTH,    WEAK,    "\xf2\x0f\x2b\x07"         },
    { "vmovntdq %ymm0,(%rdi)",         BOTH,    WEAK,    "\xc5\xfd\xe7\x07"         },
    { "vmovntps %ymm0,(%rdi)",         BOTH,    WEAK,    "\xc5\xfc\x2b\x07"         },
    { "vmovntpd %ymm0,(%rdi)",         BOTH,    WEAK,    "\xc5\xfd\x2b\x07"         },
    { "vmovntdq %zmm0,(%rdi)",         BOTH,    WEAK,    "\x62\xf1\x7d\x48\xe7\x07" },
    { "vmovntps %zmm0,(%rdi)",         BOTH,    WEAK,    "\x62\xf1\x7c\x48\x2b\x07" },
    { "vmovntpd %zmm0,(%rdi)",         BOTH,    WEAK,    "\x62\xf1\xfd\x48\x2b\x07" },
    { "maskmovq %mm1,%mm0",            BOTH,    WEAK,    "\x0f\xf7\xc1"             },
    { "maskmovdqu %xmm1,%xmm0",        BOTH,    WEAK,    "\x66\x0f\xf7\xc1"         },
    { "vmaskmovdqu %xmm1,%xmm0",       BOTH,    WEAK,    "\xc5\xf9\xf7\xc1"         },
    { "clzero",                        BOTH,    WEAK,    "\x0f\x01\xfc"             },
    { "movdiri %eax,(%rdi)",           BOTH,    WEAK,    "\x0f\x38\xf9\x07"         },
    { "movdir64b (%rsi),%rax",         BOTH,    WEAK,    "\x66\x0f\x38\xf8\x06"     },
    { "enqcmd (%rsi),%rax",            BOTH,    WEAK,    "\xf2\x0f\x38\xf8\x06"     },
    { "enqcmds (%rsi),%rax",           BOTH,    WEAK,    "\xf3\x0f\x38\xf8\x06"     },
    { "sfence",                        BOTH,    FENCE,   "\x0f\xae\xf8"             },
    { "sfence, 0F AE F9",              BOTH,    FENCE,   "\x0f\xae\xf9"             },
    { "sfence, 0F AE FA",              BOTH,    FENCE,   "\x0f\xae\xfa"             },
    { "sfence, 0F AE FB",              BOTH,    FENCE,   "\x0f\xae\xfb"             },
    { "sfence, 0F AE FC",              BOTH,    FENCE,   "\x0f\xae\xfc"             },
    { "sfence, 0F AE FD",              BOTH,    FENCE,   "\x0f\xae\xfd"             },
    { "sfence, 0F AE FE",              BOTH,    FENCE,   "\x0f\xae\xfe"             },
    { "sfence, 0F AE FF",              BOTH,    FENCE,   "\x0f\xae\xff"             },
    { "sfence with a rex prefix",      ONLY_64, FENCE,   "\x48\x0f\xae\xf8"         },
    { "mfence",                        BOTH,    FENCE,   "\x0f\xae\xf0"             },
    { "mfence, 0F AE F7",              BOTH,    FENCE,   "\x0f\xae\xf7"             },
    { "lfence",                        BOTH,    NOTHING, "\x0f\xae\xe8"             },
    { "lfence, 0F AE EF",              BOTH,    NOTHING, "\x0f\xae\xef"             },
    { "umonitor %rax",                 BOTH,    NOTHING, "\xf3\x0f\xae\xf0"         },
    { "tpause %eax",                   BOTH,    NOTHING, "\x66\x0f\xae\xf0"         },
    { "cpuid",                         BOTH,    FENCE,   "\x0f\xa2"                 },
    { "serialize",                     BOTH,    FENCE,   "\x0f\x01\xe8"             },
    { "iretw",                         BOTH,    FENCE,   "\x66\xcf"                 },
    { "iretd",                         BOTH,    FENCE,   "\xcf"                     },
    { "iretq",                         ONLY_64, FENCE,   "\x48\xcf"                 },
    { "rsm",                           BOTH,    FENCE,   "\x0f\xaa"                 },
    { "in $7,%al",                     BOTH,    FENCE,   "\xe4\x07"                 },
    { "in (%dx),%eax",                 BOTH,    FENCE,   "\xed"                     },
    { "out %al,$7",                    BOTH,    FENCE,   "\xe6\x07"                 },
    { "out %eax,(%dx)",                BOTH,    FENCE,   "\xef"                     },
    { "insb",                          BOTH,    FENCE,   "\x6c"                     },
    { "insw",                          BOTH,    FENCE,   "\x66\x6d"                 },
    { "insd",                          BOTH,    FENCE,   "\x6d"                     },
    { "outsb",                         BOTH,    FENCE,   "\x6e"                     },
    { "outsw",                         BOTH,    FENCE,   "\x66\x6f"                 },
    { "outsd, repeated",               BOTH,    FENCE,   "\xf3\x6f"                 },
    { "wbinvd",                        BOTH,    FENCE,   "\x0f\x09"                 },
    { "invd",                          BOTH,    FENCE,   "\x0f\x08"                 },
    { "invlpg (%rdi)",                 BOTH,    FENCE,   "\x0f\x01\x3f"             },
    { "invept (%rdi),%rax",            BOTH,    FENCE,   "\x66\x0f\x38\x80\x07"     },
    { "invvpid (%rdi),%rax",           BOTH,    FENCE,   "\x66\x0f\x38\x81\x07"     },
    { "lgdt (%rdi)",                   BOTH,    FENCE,   "\x0f\x01\x17"             },
    { "lidt (%rdi)",                   BOTH,    FENCE,   "\x0f\x01\x1f"             },
    { "lldt %ax",                      BOTH,    FENCE,   "\x0f\x00\xd0"             },
    { "ltr %ax",                       BOTH,    FENCE,   "\x0f\x00\xd8"             },
    { "wrmsr",                         BOTH,    FENCE,   "\x0f\x30"                 },
    { "mov %rax,%cr3",                 BOTH,    FENCE,   "\x0f\x22\xd8"             },
    { "mov %cr3,%rax",                 BOTH,    NOTHING, "\x0f\x20\xd8"             },
    { "mov %rax,%cr8",                 ONLY_64, NOTHING, "\x44\x0f\x22\xc0"         },
    { "mov %rax,%dr7",                 BOTH,    FENCE,   "\x0f\x23\xf8"             },
    { "mov %dr7,%rax",                 BOTH,    NOTHING, "\x0f\x21\xf8"             },
    { "clflush (%rdi)",                BOTH,    FLUSH,   "\x0f\xae\x3f"             },
    { "clflushopt (%rdi)",             BOTH,    FLUSH,   "\x66\x0f\xae\x3f"         },
    { "clwb (%rdi)",                   BOTH,    FLUSH,   "\x66\x0f\xae\x37"         },
    { "cldemote (%rdi)",               BOTH,    FLUSH,   "\x0f\x1c\x07"             },
    { "lock addl $0,(%rsp)",           BOTH,    FENCE,   "\xf0\x83\x04\x24\x00"     },
    { "lock or behind other prefixes", BOTH,    FENCE,   "\x66\xf0\x09\x07"         },
    { "lock xadd %eax,(%rdi)",         BOTH,    FENCE,   "\xf0\x0f\xc1\x07"         },
    { "lock cmpxchg %edx,(%rdi)",      BOTH,    FENCE,   "\xf0\x0f\xb1\x17"         },
    { "lock cmpxchg8b (%rdi)",         BOTH,    FENCE,   "\xf0\x0f\xc7\x0f"         },
    { "lock cmpxchg16b (%rdi)",        ONLY_64, FENCE,   "\xf0\x48\x0f\xc7\x0f"     },
    { "xchg %eax,(%rdi)",              BOTH,    FENCE,   "\x87\x07"                 },
    { "xchg %al,(%rdi)",               BOTH,    FENCE,   "\x86\x07"                 },
    { "xrelease xchg %eax,(%rdi)",     BOTH,    FENCE,   "\xf3\x87\x07"             },
    { "xchg %eax,%edi",                BOTH,    NOTHING, "\x87\xc7"                 },
    { "xchg %eax,%edx",                BOTH,    NOTHING, "\x92"                     },
    { "cmpxchg %edx,(%rdi)",           BOTH,    NOTHING, "\x0f\xb1\x17"             },
    { "xadd %eax,(%rdi)",              BOTH,    NOTHING, "\x0f\xc1\x07"             },
    { "addl $0,(%rsp)",                BOTH,    NOTHING, "\x83\x04\x24\x00"         },
    { "mov %eax,(%rdi)",               BOTH,    NOTHING, "\x89\x07"                 },
    { "movaps %xmm0,(%rdi)",           BOTH,    NOTHING, "\x0f\x29\x07"             },
    { "movntdqa (%rdi),%xmm0",         BOTH,    NOTHING, "\x66\x0f\x38\x2a\x07"     },
    { "vmovntdqa (%rdi),%ymm0",        BOTH,    NOTHING, "\xc4\xe2\x7d\x2a\x07"     },
    { "vmovntdqa (%rdi),%zmm0",        BOTH,    NOTHING, "\x62\xf2\x7d\x48\x2a\x07" },
    { "vmaskmovps %ymm0,%ymm1,(%rdi)", BOTH,    NOTHING, "\xc4\xe2\x75\x2e\x07"     },
    { "vpmaskmovd %ymm0,%ymm1,(%rdi)", BOTH,    NOTHING, "\xc4\xe2\x75\x8e\x07"     },
    { "vmovdqu32 %zmm0,(%rdi){%k1}",   BOTH,    NOTHING, "\x62\xf1\x7e\x49\x7f\x07" },
    { "rep stosb",                     BOTH,    NOTHING, "\xf3\xaa"                 },
    { "rep movsl",                     BOTH,    NOTHING, "\xf3\xa5"                 },
    { "syscall",                       ONLY_64, NOTHING, "\x0f\x05"                 },
    { "sysenter",                      BOTH,    NOTHING, "\x0f\x34"                 },
    { "int $0x80",                     BOTH,    NOTHING, "\xcd\x80"                 },
    { "ret",                           BOTH,    NOTHING, "\xc3"                     },
    { "call",                          BOTH,    NOTHING, "\xe8\x01\x01\x01\x01"     },
    { "pause",                         BOTH,    NOTHING, "\xf3\x90"                 },
    { "rdtsc",                         BOTH,    NOTHING, "\x0f\x31"                 },
    { "rdtscp",                        BOTH,    NOTHING, "\x0f\x01\xf9"             },
    { "prefetchnta (%rdi)",            BOTH,    NOTHING, "\x0f\x18\x07"             },
    { "prefetchw (%rdi)",              BOTH,    NOTHING, "\x0f\x0d\x0f"             },
    { "emms",                          BOTH,    NOTHING, "\x0f\x77"                 },
    { "fnsave (%rdi)",                 BOTH,    NOTHING, "\xdd\x37"                 },
    { "vzeroupper",                    BOTH,    NOTHING, "\xc5\xf8\x77"             },
    { "rdmsr",                         BOTH,    NOTHING, "\x0f\x32"                 },
};

static const struct {
    const char *name;
    unsigned class;
} in_order[] = {
#define ORDER(NAME, class) { #NAME, FNP_ORDERS_##class },
#include "x86/order.def"
#undef ORDER
};

static const char *const class_names[] = { "nothing", "weak", "fence", "flush" };

static void test_row(size_t i, bool is32)
{
    const struct fnp_code code = { .bytes = (const unsigned char *)rows[i].bytes,
                                   .len = MAX_LEN,
                                   .is32 = is32 };
    struct fnp_effect e;
    bool decodes;

    decodes = fnp_effect_of(&code, 0, &e);
    tap_ok(decodes && e.order == rows[i].class, "%s: %s orders %s", is32 ? "32" : "64",
           rows[i].text, class_names[rows[i].class]);
}

/* GNU as calls Zydis' iret iretw. */
static bool has_row(const char *name, unsigned class)
{
    size_t len = strlen(name);

    for (size_t i = 0; i < FNP_ARRAY_LEN(rows); i++) {
        if (strncasecmp(rows[i].text, name, len) == 0 && rows[i].class == class &&
            strchr(" ,w", rows[i].text[len]))
            return true;
    }
    return false;
}

int main(void)
{
    for (size_t i = 0; i < FNP_ARRAY_LEN(rows); i++) {
        test_row(i, false);
        if (rows[i].width != ONLY_64)
            test_row(i, true);
    }
    for (size_t i = 0; i < FNP_ARRAY_LEN(in_order); i++)
        tap_ok(has_row(in_order[i].name, in_order[i].class), "%s is tried",
               in_order[i].name);
    return tap_done();
}
