/* SPDX-License-Identifier: MIT */
#include "run/reference.h"

typedef uint64_t unaligned_word __attribute__((aligned(1), __may_alias__));

void fnp_reference_set(unsigned char *dst, uint64_t value, unsigned width, size_t len)
{
    if (width == 1) {
        unsigned char byte = (unsigned char)value;

        for (size_t i = 0; i < len; i++)
            dst[i] = byte;
        return;
    }
    if (width < 8)
        value &= (1ull << (8 * width)) - 1;
    /* Doubled until eight bytes repeat, whatever the width: no division in the loop. */
    for (unsigned filled = width; filled < 8; filled *= 2)
        value |= value << (8 * filled);
    size_t whole = len & ~(size_t)7;

    for (size_t i = 0; i < whole; i += 8)
        *(unaligned_word *)(dst + i) = value;
    for (size_t i = whole; i < len; i++)
        dst[i] = (unsigned char)(value >> (8 * (i & 7)));
}
