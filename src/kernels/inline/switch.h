/* SPDX-License-Identifier: MIT */
/*
 * switch.h - copy and set with special cases for short lengths, string instructions for
 * the rest
 *
 * Meant for lengths known when it is compiled: what is left of the switch then is one or
 * two moves.  With an unknown length the switch is run.
 *
 * Depends on: nothing.
 */
#ifndef FNP_KERNELS_INLINE_SWITCH_H
#define FNP_KERNELS_INLINE_SWITCH_H

#include <stddef.h>
#include <stdint.h>

/*
 * Words that may lie anywhere and be part of anything.  Never `unsigned long`: that has
 * eight bytes in x86-64 code, and the case of four would store eight.
 */
struct word2 {
    uint16_t w;
} __attribute__((packed, may_alias));
struct word4 {
    uint32_t w;
} __attribute__((packed, may_alias));

#define ALWAYS_INLINE static inline __attribute__((always_inline))

ALWAYS_INLINE void move1(unsigned char *dst, const unsigned char *src, size_t at)
{
    dst[at] = src[at];
}

ALWAYS_INLINE void move2(unsigned char *dst, const unsigned char *src, size_t at)
{
    ((struct word2 *)(dst + at))->w = ((const struct word2 *)(src + at))->w;
}

ALWAYS_INLINE void move4(unsigned char *dst, const unsigned char *src, size_t at)
{
    ((struct word4 *)(dst + at))->w = ((const struct word4 *)(src + at))->w;
}

ALWAYS_INLINE void set2(unsigned char *dst, uint32_t pattern, size_t at)
{
    ((struct word2 *)(dst + at))->w = (uint16_t)pattern;
}

ALWAYS_INLINE void set4(unsigned char *dst, uint32_t pattern, size_t at)
{
    ((struct word4 *)(dst + at))->w = pattern;
}

/* No "cc": string instructions leave the flags alone. */
#define MOVE_STRING(rest)                                                              \
    __asm__ __volatile__("rep movsl" rest                                              \
                         : "+c"(words), "+D"(dst), "+S"(src)                           \
                         :                                                             \
                         : "memory")

/* n of four bytes and the rest behind them, forward. */
ALWAYS_INLINE void copy_by_string(void *dst, const void *src, size_t n)
{
    size_t words = n / 4;

    switch (n % 4) {
    case 0:
        MOVE_STRING("");
        break;
    case 1:
        MOVE_STRING("\n\tmovsb");
        break;
    case 2:
        MOVE_STRING("\n\tmovsw");
        break;
    default:
        MOVE_STRING("\n\tmovsw\n\tmovsb");
        break;
    }
}

ALWAYS_INLINE void copy_by_switch(unsigned char *dst, const unsigned char *src,
                                  size_t n)
{
    switch (n) {
    case 0:
        return;
    case 1:
        move1(dst, src, 0);
        return;
    case 2:
        move2(dst, src, 0);
        return;
    case 3:
        move2(dst, src, 0);
        move1(dst, src, 2);
        return;
    case 6: /* an Ethernet address */
        move2(dst, src, 4);
        break;
    case 4:
    case 8:
    case 12:
    case 16:
    case 20:
        break;
    default:
        copy_by_string(dst, src, n);
        return;
    }
    for (size_t at = 0; at + 4 <= n; at += 4)
        move4(dst, src, at);
}

#define SET_STRING(rest)                                                               \
    __asm__ __volatile__("rep stosl" rest                                              \
                         : "+c"(words), "+D"(dst)                                      \
                         : "a"(pattern)                                                \
                         : "memory")

ALWAYS_INLINE void set_by_string(void *dst, uint32_t pattern, size_t n)
{
    size_t words = n / 4;

    switch (n % 4) {
    case 0:
        SET_STRING("");
        break;
    case 1:
        SET_STRING("\n\tstosb");
        break;
    case 2:
        SET_STRING("\n\tstosw");
        break;
    default:
        SET_STRING("\n\tstosw\n\tstosb");
        break;
    }
}

/* `pattern` is the byte, four times. */
ALWAYS_INLINE void set_by_switch(unsigned char *dst, uint32_t pattern, size_t n)
{
    switch (n) {
    case 0:
        return;
    case 1:
        dst[0] = (unsigned char)pattern;
        return;
    case 2:
        set2(dst, pattern, 0);
        return;
    case 3:
        set2(dst, pattern, 0);
        dst[2] = (unsigned char)pattern;
        return;
    case 4:
        set4(dst, pattern, 0);
        return;
    default:
        set_by_string(dst, pattern, n);
        return;
    }
}

#endif
