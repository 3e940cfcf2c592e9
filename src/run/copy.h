/* SPDX-License-Identifier: MIT */
/*
 * copy.h - copies and comparisons of a constant length, without a call
 *
 * For the few hundred bytes of state around every case a call of memcpy costs more
 * than the bytes.
 *
 * Depends on: nothing.
 */
#ifndef FNP_RUN_COPY_H
#define FNP_RUN_COPY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef uint64_t fnp_v16
    __attribute__((vector_size(16), aligned(1), __may_alias__)); /* any address */

/* len: a constant, or this is no faster than a loop. */
__attribute__((always_inline)) static inline void
fnp_copy_inline(void *to, const void *from, size_t len)
{
    fnp_v16 *dst = to;
    const fnp_v16 *src = from;

#pragma GCC unroll 16
    for (size_t i = 0; i < len / 16; i++)
        dst[i] = src[i];
    __builtin_memcpy((char *)to + len / 16 * 16, (const char *)from + len / 16 * 16,
                     len % 16);
}

__attribute__((always_inline)) static inline bool
fnp_equal_inline(const void *a, const void *b, size_t len)
{
    const fnp_v16 *x = a, *y = b;
    fnp_v16 differ = { 0, 0 };

#pragma GCC unroll 16
    for (size_t i = 0; i < len / 16; i++)
        differ |= x[i] ^ y[i];
    for (size_t i = len / 16 * 16; i < len; i++)
        differ[0] |=
            (uint64_t)(((const unsigned char *)a)[i] ^ ((const unsigned char *)b)[i]);
    return (differ[0] | differ[1]) == 0;
}

#endif
