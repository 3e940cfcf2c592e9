/* SPDX-License-Identifier: MIT */
/*
 * listing.h - a recorded case instruction by instruction, with what each one did
 *
 * Depends on: access, spot.
 */
#ifndef FNP_TRACE_LISTING_H
#define FNP_TRACE_LISTING_H

#include "trace/access.h"
#include "trace/spot.h"

enum {
    FNP_LISTED_ACCESSES = 40 /* of one instruction: runs of a mask's bytes */
};

/* One instruction that ran. */
struct fnp_listed {
    size_t step; /* 0 is the kernel's first */
    uint64_t addr;
    struct fnp_effect effect;
    uint64_t gpr[FNP_N_GPRS];   /* before it */
    uint64_t after[FNP_N_GPRS]; /* valid unless is_last */
    uint64_t flags;             /* before it: SF ZF AF PF CF OF */
    uint16_t changed;           /* mask of registers that are not what they were */
    bool is_last;
    bool not_run; /* the log ends because of it */
    bool taken;   /* a branch that went to its target */
    struct fnp_traced_access access[FNP_LISTED_ACCESSES];
    size_t n_accesses;
};

/*
 * Hand each instruction of the log to `tell`.  False when the log names one that is not
 * there: the kernel wrote into it.
 */
bool fnp_listing(struct fnp_insns *insns, const struct fnp_log *log,
                 void (*tell)(void *arg, const struct fnp_listed *listed), void *arg);

/* Sums over a log. */
struct fnp_listing_sums {
    size_t steps;
    struct {
        uint64_t read, written; /* bytes, each as often as it was */
        uint64_t outside;       /* of both: beside the buffer */
    } buffer[FNP_MAX_BUFS], stack, image, elsewhere;
    uint64_t weak, fences;   /* instructions that ran */
    uint64_t unknown;        /* accesses whose address is not known */
    uint64_t n_left_out;     /* instructions that were not run, or another for them */
    uint64_t first_left_out; /* the first of them; 0: none */
};

void fnp_listing_add(const struct fnp_spots *spots, const struct fnp_listed *listed,
                     struct fnp_listing_sums *sums);

#endif
