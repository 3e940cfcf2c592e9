/* SPDX-License-Identifier: MIT */
/*
 * switch - copies and fills by a switch on their size, written when long had 4 bytes
 *
 *     void *switch_copy_FAULT(void *dst, const void *src, size_t n);
 *     void *switch_set_FAULT(void *dst, int c, size_t n);
 *
 * Contract  dst[0, n) = src[0, n), no overlap, or the low byte of c; returns dst
 */
#include "kernels/inline/switch.h"

void *switch_copy_long(void *dst, const void *src, size_t n);
void *switch_set_long(void *dst, int c, size_t n);
void *switch_set_two_for_three(void *dst, int c, size_t n);
void *switch_set_right(void *dst, int c, size_t n);

static uint32_t pattern_of(int c)
{
    return (unsigned char)c * 0x01010101u;
}

/* Right in 32-bit code; in 64-bit code eight bytes are stored. */
void *switch_copy_long(void *dst, const void *src, size_t n)
{
    switch (n) {
    case 4:
        *(unsigned long *)dst = *(const unsigned long *)src;
        break;
    default:
        copy_by_switch(dst, src, n);
        break;
    }
    return dst;
}

/* Likewise. */
void *switch_set_long(void *dst, int c, size_t n)
{
    switch (n) {
    case 4:
        *(unsigned long *)dst = pattern_of(c);
        break;
    default:
        set_by_switch(dst, pattern_of(c), n);
        break;
    }
    return dst;
}

/* The line for the third byte is missing. */
void *switch_set_two_for_three(void *dst, int c, size_t n)
{
    switch (n) {
    case 3:
        set2(dst, pattern_of(c), 0);
        break;
    default:
        set_by_switch(dst, pattern_of(c), n);
        break;
    }
    return dst;
}

void *switch_set_right(void *dst, int c, size_t n)
{
    set_by_switch(dst, pattern_of(c), n);
    return dst;
}
