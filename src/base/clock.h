/* SPDX-License-Identifier: MIT */
/*
 * clock.h - seconds on the clock that only goes forward
 *
 * Depends on: nothing.
 */
#ifndef FNP_BASE_CLOCK_H
#define FNP_BASE_CLOCK_H

#include <time.h>

/* Seconds since some fixed point; only differences mean anything. */
static inline double fnp_now(void)
{
    struct timespec t = { 0 };

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

#endif
