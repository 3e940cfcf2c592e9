/* SPDX-License-Identifier: MIT */
/*
 * machine.h - the facts about this CPU that saving and loading state needs
 *
 * Depends on: nothing.
 */
#ifndef FNP_RUN_MACHINE_H
#define FNP_RUN_MACHINE_H

#include <stdbool.h>
#include <stdint.h>

/* Components above these cannot be loaded at the cheap level. */
#define FNP_XSAVE_CHEAP_MASK 7u

struct fnp_machine {
    uint64_t
        wide_mask; /* XSAVE components of AVX-512, for code that uses it; 0: none */
    unsigned k_offset, hi16_offset; /* of opmask and ZMM16-31, CPUID 0Dh.5 and .7 */
    uint64_t xsave_mask;            /* XCR0 components we load and store: x87 SSE AVX */
    unsigned ymm_offset; /* of the AVX component in the standard format, CPUID 0Dh.2 */
    bool xsave, avx, fsgsbase;
    bool compat;             /* there is a 32-bit code segment, see gate.h */
    bool xinuse;             /* XGETBV(1) works and reads clean after vzeroupper */
    uint16_t ds, es, fs, gs; /* selectors that code finds at entry */
    uint64_t gs_base;
};

/* Valid once fnp_machine_read has run; nothing here runs before fnp_pool_warm or a lab. */
extern struct fnp_machine fnp_machine_facts;
void fnp_machine_read(void);

static inline const struct fnp_machine *fnp_machine(void)
{
    return &fnp_machine_facts;
}

#endif
