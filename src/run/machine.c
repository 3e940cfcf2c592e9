/* SPDX-License-Identifier: MIT */
#include "run/machine.h"

#include <cpuid.h>
#include <sys/auxv.h>

#include "run/gate.h"
#include "x86/cpuid.h"

struct fnp_machine fnp_machine_facts;

enum {
    XCR0_X87_SSE = 0x3,
    XCR0_AVX = 0x4,
    XCR0_AVX512 = 0xe0,
    HWCAP2_FSGSBASE_BIT = 2, /* asm/hwcap2.h: the kernel lets user code use RDFSBASE */
};

static uint64_t xgetbv(uint32_t index)
{
    uint32_t low = 0, high = 0;

    __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(index));
    return (uint64_t)high << 32 | low;
}

/*
 * Some CPUs (Zen 4) and hypervisors report the AVX component in use for ever; the
 * bit is only worth something where VZEROUPPER clears it and a write sets it.
 */
static bool xinuse_is_truthful(void)
{
    uint64_t clean = 0, dirty = 0;
    uint32_t high = 0;

    __asm__ volatile("vzeroupper\n\txgetbv" : "=a"(clean), "=d"(high) : "c"(1));
    __asm__ volatile("vpcmpeqd %%xmm0, %%xmm0, %%xmm0\n\t"
                     "vinsertf128 $1, %%xmm0, %%ymm0, %%ymm0\n\t"
                     "xgetbv\n\tvzeroupper"
                     : "=a"(dirty), "=d"(high)
                     : "c"(1)
                     : "xmm0");
    return !(clean & XCR0_AVX) && (dirty & XCR0_AVX);
}

static void read_wide(struct fnp_machine *m)
{
    uint32_t a = 0, b = 0, c = 0, d = 0;

    if ((xgetbv(0) & XCR0_AVX512) != XCR0_AVX512)
        return;
    if (__get_cpuid_count(0xd, 5, &a, &b, &c, &d))
        m->k_offset = b;
    if (__get_cpuid_count(0xd, 7, &a, &b, &c, &d))
        m->hi16_offset = b;
    if (m->k_offset && m->hi16_offset)
        m->wide_mask = XCR0_AVX512;
}

static void read_machine(struct fnp_machine *m)
{
    uint32_t a = 0, b = 0, c = 0, d = 0;

    m->compat = fnp_cpu()->compat;
    /* Null selectors fault in 32-bit code; 64-bit code does not look at these two. */
    if (m->compat)
        __asm__ volatile("mov %0, %%ds\n\tmov %0, %%es" : : "r"(FNP_DS_FLAT));
    m->fsgsbase = (getauxval(AT_HWCAP2) & HWCAP2_FSGSBASE_BIT) != 0;
    __asm__("mov %%ds, %0" : "=r"(m->ds));
    __asm__("mov %%es, %0" : "=r"(m->es));
    __asm__("mov %%fs, %0" : "=r"(m->fs));
    __asm__("mov %%gs, %0" : "=r"(m->gs));
    if (m->fsgsbase)
        __asm__("rdgsbase %0" : "=r"(m->gs_base));
    if (!__get_cpuid(1, &a, &b, &c, &d) || !(c & bit_OSXSAVE))
        return;
    m->xsave = true;
    m->xsave_mask = xgetbv(0) & (XCR0_X87_SSE | XCR0_AVX);
    m->avx = (c & bit_AVX) && (m->xsave_mask & XCR0_AVX);
    if (!m->avx)
        return;
    if (__get_cpuid_count(0xd, 2, &a, &b, &c, &d))
        m->ymm_offset = b;
    read_wide(m);
    if (__get_cpuid_count(0xd, 1, &a, &b, &c, &d) && (a & 4))
        m->xinuse = xinuse_is_truthful();
}

void fnp_machine_read(void)
{
    static bool ready;

    if (!ready)
        read_machine(&fnp_machine_facts);
    ready = true;
}
