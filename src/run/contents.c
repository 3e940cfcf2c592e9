/* SPDX-License-Identifier: MIT */
#include "run/contents.h"

#include <string.h>
#include <sys/mman.h>

#include "base/rng.h"
#include "run/outcome.h"

/*
 * FP-hostile patterns, one 80-byte row each, repeated at every alignment a slice
 * can have: as float, double and 80-bit extended they are what the kind says.
 */
static void put_words(unsigned char *to, const uint64_t *words, size_t n_words)
{
    for (size_t i = 0; i + 8 <= FNP_POOL_LEN; i += 8) {
        uint64_t word = words[i / 8 % n_words];

        /* Vary the payload, keep the class. */
        word ^= fnp_mix(i) & 0x0000ffff0000ffffu & ~(uint64_t)1;
        memcpy(to + i, &word, sizeof(word));
    }
}

static const uint64_t snan_words[] = {
    0x7ff0000100000001u, /* double sNaN */
    0x7f8100017f810001u, /* two float sNaNs */
    0xfff4000000000001u, 0xffa00001ffa00001u, 0x8000000000000001u, 0x7fff7ff000000001u,
};
static const uint64_t denormal_words[] = {
    0x0000000000000001u, 0x800fffff00000001u, 0x0000000100000001u,
    0x007fffff807fffffu, 0x000fffff0000ffffu,
};
static const uint64_t unnormal_words[] = {
    /* 80-bit with a clear integer bit and a non-zero exponent, in every phase */
    0x00000000ffff0001u,
    0x3fff7fffffff0001u,
    0x7fff00000000ffffu,
    0x40000fffffff0001u,
};
static const uint64_t inf_words[] = {
    0x7ff0000000000000u,
    0x7f800000ff800000u,
    0xfff0000000000000u,
    0x7fff800000000000u,
};

static void put_exact(unsigned char *to, const uint64_t *words, size_t n_words)
{
    for (size_t i = 0; i + 8 <= FNP_POOL_LEN; i += 8)
        memcpy(to + i, &words[i / 8 % n_words], 8);
}

/*
 * Each class of values with the ends of its range, positive; Intel SDM vol. 1, 4.8.3 and
 * 8.2.2.  As floats, as doubles, and as 80-bit numbers (mantissa, exponent).
 */
static const uint32_t special_floats[] = {
    0x00000000u, 0x00000001u, 0x00000100u, 0x00400000u, 0x007fffffu, /* 0, denormals */
    0x00800000u, 0x00800001u, 0x3f7fffffu, 0x3f800000u, 0x7f7fffffu, /* normal */
    0x4b7fffffu, 0x5f000000u, 0x7f800000u,                           /* the last: inf */
    0x7f800001u, 0x7fa00000u, 0x7fbfffffu,              /* signalling NaNs */
    0x7fc00000u, 0x7fc00001u, 0x7fd55555u, 0x7fffffffu, /* quiet NaNs */
};
static const uint64_t special_doubles[] = {
    0x0000000000000000u, 0x0000000000000001u, 0x000fffffffffffffu, /* 0, denormals */
    0x0010000000000000u, 0x7fefffffffffffffu, 0x7ff0000000000000u, /* normal, inf */
    0x7ff0000000000001u, 0x7ff7ffffffffffffu,                      /* signalling NaNs */
    0x7ff8000000000000u, 0x7fffffffffffffffu,                      /* quiet NaNs */
};
static const struct {
    uint64_t mantissa;
    uint16_t exponent;
} special_extendeds[] = {
    { 0x0000000000000000u, 0x0000 }, /* 0 */
    { 0x0000000000000001u, 0x0000 }, /* denormal */
    { 0x8000000000000001u, 0x0000 }, /* pseudo-denormal */
    { 0xfffffffffffff801u, 0x3ffe }, /* more digits than a double has */
    { 0x8000000000000001u, 0x0001 }, /* nearly the least normal number */
    { 0x0000000000000000u, 0x3fff }, /* unnormal */
    { 0x7fffffffffffffffu, 0x7ffe }, /* unnormal */
    { 0x8000000000000000u, 0x7fff }, /* infinity */
    { 0x0000000000000000u, 0x7fff }, /* pseudo-infinity */
    { 0x0000000000000001u, 0x7fff }, /* pseudo-NaN */
    { 0x8000000000000001u, 0x7fff }, /* signalling NaN */
    { 0xc000000000000001u, 0x7fff }, /* quiet NaN */
};

enum {
    N_FLOATS = FNP_ARRAY_LEN(special_floats),
    N_DOUBLES = FNP_ARRAY_LEN(special_doubles),
    N_EXTENDEDS = FNP_ARRAY_LEN(special_extendeds),
    /* Each with both signs.  A multiple of 80 puts elements of any size in their phase. */
    FLOATS_LEN = 2 * 4 * N_FLOATS,
    DOUBLES_LEN = 2 * 8 * N_DOUBLES,
    SPECIAL_LEN = FLOATS_LEN + DOUBLES_LEN + 2 * 10 * N_EXTENDEDS,
};
_Static_assert(FLOATS_LEN % 80 == 0 && DOUBLES_LEN % 80 == 0 && SPECIAL_LEN % 80 == 0,
               "a buffer of elements of 4, 8 or 10 bytes meets each table in step");

static void put_special(unsigned char *to)
{
    unsigned char *at = to;

    for (unsigned i = 0; i < 2 * N_FLOATS; i++, at += 4) {
        uint32_t word = special_floats[i / 2] | (uint32_t)(i % 2) << 31;

        memcpy(at, &word, sizeof(word));
    }
    for (unsigned i = 0; i < 2 * N_DOUBLES; i++, at += 8) {
        uint64_t word = special_doubles[i / 2] | (uint64_t)(i % 2) << 63;

        memcpy(at, &word, sizeof(word));
    }
    for (unsigned i = 0; i < 2 * N_EXTENDEDS; i++, at += 10) {
        uint16_t exponent =
            (uint16_t)(special_extendeds[i / 2].exponent | (i % 2) << 15);

        memcpy(at, &special_extendeds[i / 2].mantissa, 8);
        memcpy(at + 8, &exponent, sizeof(exponent));
    }
    for (size_t i = SPECIAL_LEN; i < FNP_POOL_LEN; i++)
        to[i] = to[i - SPECIAL_LEN];
}

/*
 * Every byte within 0x30..0x4f: the exponent of any float or double made of such bytes
 * is far from both ends, and quieting a NaN, flushing a denormal or saturating finds
 * nothing to do.
 */
static void put_tame(unsigned char *to)
{
    for (size_t i = 0; i < FNP_POOL_LEN; i++)
        to[i] = (unsigned char)(0x30 + fnp_mix(i + 0x7a3e0000u) % 32);
}

static void put_random(unsigned char *to)
{
    for (size_t i = 0; i + 8 <= FNP_POOL_LEN; i += 8) {
        uint64_t word = fnp_mix(i + 0x5eed00000000u);

        memcpy(to + i, &word, sizeof(word));
    }
}

_Static_assert(FNP_FILL_POS == 0 &&
                   FNP_LARGE_N_MAX + 65536ull <= (uint64_t)FNP_N_FILLS * FNP_POOL_LEN,
               "large contents run on through the pools");

enum fnp_status fnp_contents_make(struct fnp_contents *contents, struct fnp_err *err)
{
    static struct fnp_contents made;
    unsigned char *all = NULL;

    if (made.pool[0]) {
        *contents = made;
        return FNP_OK;
    }
    all = mmap(NULL, (size_t)FNP_N_FILLS * FNP_POOL_LEN, PROT_READ | PROT_WRITE,
               MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    if (all == MAP_FAILED)
        return fnp_err_set(err, FNP_FAILED, "no memory for the contents of buffers");
    for (unsigned fill = 0; fill < FNP_N_FILLS; fill++)
        contents->pool[fill] = all + (size_t)fill * FNP_POOL_LEN;
    put_random(contents->pool[FNP_FILL_POS]);
    contents->pool[FNP_FILL_RANDOM] = contents->pool[FNP_FILL_POS];
    memset(contents->pool[FNP_FILL_ONES], 0xff, FNP_POOL_LEN);
    put_words(contents->pool[FNP_FILL_SNAN], snan_words, FNP_ARRAY_LEN(snan_words));
    put_words(contents->pool[FNP_FILL_DENORMAL], denormal_words,
              FNP_ARRAY_LEN(denormal_words));
    put_words(contents->pool[FNP_FILL_UNNORMAL], unnormal_words,
              FNP_ARRAY_LEN(unnormal_words));
    put_tame(contents->pool[FNP_FILL_TAME]);
    put_special(contents->pool[FNP_FILL_SPECIAL]);
    put_exact(contents->pool[FNP_FILL_INF], inf_words, FNP_ARRAY_LEN(inf_words));
    mprotect(all, (size_t)FNP_N_FILLS * FNP_POOL_LEN, PROT_READ);
    made = *contents;
    return FNP_OK;
}

const unsigned char *fnp_contents_of(const struct fnp_contents *contents,
                                     const struct fnp_case *c, unsigned which)
{
    const unsigned char *pool = contents->pool[c->fill];
    uint64_t start =
        fnp_mix(c->seed * 4ull + which + (c->fill == FNP_FILL_RANDOM ? 3 : 0));

    if (c->fill == FNP_FILL_SPECIAL)
        return pool;
    /* Patterns of the hostile fills have a period: keep their phase with the buffer. */
    if (c->fill != FNP_FILL_POS && c->fill != FNP_FILL_RANDOM &&
        c->fill != FNP_FILL_TAME)
        return pool + (start % 1024) * 8;
    return pool + start % 65536;
}
