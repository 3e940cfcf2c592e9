/* SPDX-License-Identifier: MIT */
/*
 * rng.h - reproducible pseudo-random numbers
 *
 * splitmix64: consecutive seeds give unrelated streams, and the k-th value needs
 * no state, so a case can be generated from its index alone.
 *
 * Depends on: nothing.
 */
#ifndef FNP_BASE_RNG_H
#define FNP_BASE_RNG_H

#include <stdint.h>

/* A bijective mix of 64 bits (splitmix64's finaliser). */
static inline uint64_t fnp_mix(uint64_t x)
{
    x += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

/* A stream; any value is a valid seed. */
struct fnp_rng {
    uint64_t state;
};

static inline uint64_t fnp_rng_next(struct fnp_rng *rng)
{
    rng->state += 0x9e3779b97f4a7c15u;
    return fnp_mix(rng->state);
}

/* Uniform in [0, bound); bound 0 gives 0.  The bias below 2^-32 does not matter here. */
static inline uint64_t fnp_rng_below(struct fnp_rng *rng, uint64_t bound)
{
    return bound ? fnp_rng_next(rng) % bound : 0;
}

#endif
