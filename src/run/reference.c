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
    for (size_t i = 0; i < len; i++)
        dst[i] = (unsigned char)(value >> (8 * (i % width)));
}
