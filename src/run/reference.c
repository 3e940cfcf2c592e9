/* SPDX-License-Identifier: MIT */
#include "run/reference.h"

void fnp_reference_copy(unsigned char *dst, const unsigned char *src, size_t len)
{
    for (size_t i = 0; i < len; i++)
        dst[i] = src[i];
}

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
    for (size_t i = 0; i < len; i++)
        dst[i] = (unsigned char)(value >> (8 * (i & 7)));
}
