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

    /* Patterns of the special fills have a period: keep their phase with the buffer. */
    if (c->fill != FNP_FILL_POS && c->fill != FNP_FILL_RANDOM &&
        c->fill != FNP_FILL_TAME)
        return pool + (start % 1024) * 8;
    return pool + start % 65536;
}
