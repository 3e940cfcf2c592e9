/* SPDX-License-Identifier: MIT */
/*
 * bound.h - what an instruction says about how large a general register may be
 *
 * For whoever reads a jump table: the compare or mask in front of an indirect jump says
 * how many entries the table has.
 *
 * Depends on: scan (struct fnp_code), state (register numbers).
 */
#ifndef FNP_X86_BOUND_H
#define FNP_X86_BOUND_H

#include <stdint.h>

#include "x86/scan.h"

enum fnp_bound_kind {
    FNP_BOUND_NONE,    /* nothing of use */
    FNP_BOUND_COMPARE, /* cmp $limit,reg */
    FNP_BOUND_MASK,    /* and $limit,reg or movzbl: at most limit afterwards */
    FNP_BOUND_COPY,    /* reg = from, perhaps extended: what bounded one bounds both */
};

struct fnp_bound {
    enum fnp_bound_kind kind;
    uint8_t reg, from; /* GPR numbers */
    uint64_t limit;
};

/* Of the instruction at addr. */
struct fnp_bound fnp_bound_of(const struct fnp_code *code, uint64_t addr);

#endif
