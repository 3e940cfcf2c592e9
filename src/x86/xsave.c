/* SPDX-License-Identifier: MIT */
#include "x86/xsave.h"

#include <cpuid.h>

enum {
    LEGACY_LEN = 576, /* FXSAVE's bytes and the header: always there */
    FIRST_PART = 2,
    N_PARTS = 63,
    ALIGNED =
        2 /* ECX of the leaf: in the compacted form it begins at a multiple of 64 */
};

/* CPUID leaf 0Dh (SDM vol. 2A), asked once: under a hypervisor it is slow. */
struct part {
    uint32_t len, offset, how;
};

static const struct part *parts_here(void)
{
    static struct part parts[N_PARTS];
    static bool asked;
    unsigned low = 0, high = 0, b = 0, c = 0;

    if (!asked)
        __cpuid_count(0xd, 0, low, b, c, high);
    for (unsigned i = FIRST_PART; i < N_PARTS && !asked; i++) {
        unsigned d = 0;

        if (((uint64_t)high << 32 | low) >> i & 1)
            __cpuid_count(0xd, i, parts[i].len, parts[i].offset, parts[i].how, d);
    }
    asked = true;
    return parts;
}

uint64_t fnp_xsave_len(uint64_t parts, bool compact)
{
    const struct part *here = parts_here();
    uint64_t len = LEGACY_LEN;

    for (unsigned i = FIRST_PART; i < N_PARTS; i++) {
        if (!(parts >> i & 1) || here[i].len == 0)
            continue;
        if (!compact)
            len = here[i].offset;
        else if (here[i].how & ALIGNED)
            len = (len + 63) & ~63ull;
        len += here[i].len;
    }
    return len;
}
