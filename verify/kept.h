/* SPDX-License-Identifier: MIT */
/*
 * kept.h - what must survive a call, by contract: registers, vectors, control bits
 *
 * Facts that the checks and the stand-alone programs of `replay --emit-c` share.
 *
 * Depends on: contract, x86/state.h.
 */
#ifndef FNP_VERIFY_KEPT_H
#define FNP_VERIFY_KEPT_H

#include <stdbool.h>
#include <stdint.h>

#include "run/outcome.h"
#include "subject/contract.h"
#include "x86/state.h"

/* General registers that must survive the call, as a mask; rsp is judged apart. */
static inline uint32_t fnp_kept_gprs(const struct fnp_contract *c)
{
    static const uint32_t by_abi[] = {
        [FNP_ABI_SYSV64] = 0xf028,   /* rbx rbp r12-r15 */
        [FNP_ABI_MS64] = 0xf0e8,     /* and rsi rdi */
        [FNP_ABI_I386] = 0x00e8,     /* ebx ebp esi edi */
        [FNP_ABI_REGPARM3] = 0x00e8, /* the same */
        [FNP_ABI_REGS] = 0xffef,
    };
    bool has_result = c->returns != FNP_RETURNS_NONE || !c->returns_void;

    if (c->abi != FNP_ABI_REGS && !c->has_clobbers) {
        return by_abi[c->abi];
    }
    return by_abi[FNP_ABI_REGS] & ~c->clobbers &
           ~(has_result ? (uint32_t)1 << (c->returns_reg & 15) : 0);
}

/*
 * XMM registers that must survive, as a mask.  A list of clobbers, or an ABI that is
 * nothing but a list of registers, leaves nothing else free; `state = kernel-fpu` hands
 * out all vector registers, unless the list names some of them.
 */
static inline uint32_t fnp_kept_xmm(const struct fnp_contract *c)
{
    bool listed = c->has_clobbers || c->abi == FNP_ABI_REGS;

    if (c->state == FNP_STATE_PRESERVE) {
        return 0xffff;
    }
    if (c->state == FNP_STATE_KERNEL_FPU && !c->clobbers_vector) {
        return 0;
    }
    if (listed) {
        return 0xffff & ~c->clobbers_vector;
    }
    return c->abi == FNP_ABI_MS64 ? 0xffc0 : 0; /* xmm6-xmm15 */
}

/* The same for the upper YMM halves, which ms64 leaves free everywhere. */
static inline uint32_t fnp_kept_ymm(const struct fnp_contract *c)
{
    bool listed = c->has_clobbers || c->abi == FNP_ABI_REGS;

    return listed || c->state == FNP_STATE_PRESERVE ? fnp_kept_xmm(c) : 0;
}

/* Bits of the return register that are compared. */
static inline uint64_t fnp_return_mask(const struct fnp_contract *c)
{
    if (c->is32 && c->returns_width > 4 && !fnp_result_is_pair(c)) {
        return UINT32_MAX;
    }
    return c->returns_width == 0 || c->returns_width >= 8
               ? UINT64_MAX
               : ((uint64_t)1 << (8 * c->returns_width)) - 1;
}

/* MXCSR: everything but the six sticky exception flags. */
#define FNP_MXCSR_CONTROL 0xffc0u

#endif
