/* SPDX-License-Identifier: MIT */
/*
 * check_screen.c - is there anything at all to find in this outcome?
 *
 * Runs after every case in the workers.  It looks at the fields the checks look at,
 * without branches where that is cheaper, and asks the checks themselves as soon as one
 * of them is not what a clean call leaves; so it can be too careful, never too lax.
 */
#include <string.h>

#include "verify/check_internal.h"

/* Any byte anywhere that is not what it should be. */
static uint64_t memory_differs(const struct fnp_outcome *o)
{
    uint64_t any = o->frame.count | o->tool.count | o->ref_end | o->ref_strayed;

    for (unsigned role = 0; role < FNP_MAX_BUFS; role++) {
        any |= o->body[role].count | o->head[role].count | o->tail[role].count |
               o->far_off[role].count;
    }
    return any;
}

#define CHANGED(REG) (o->in.gpr[FNP_##REG] ^ o->out.gpr[FNP_##REG])

/* The registers every 64-bit C ABI keeps are spelled out: a loop costs twice as much. */
static uint64_t registers_differ(const struct fnp_contract *c,
                                 const struct fnp_outcome *o)
{
    uint64_t any = o->out.gpr[FNP_RSP] ^ (o->in.gpr[FNP_RSP] + fnp_word_len(c->is32));
    uint32_t kept;

    if (c->abi == FNP_ABI_SYSV64 && !c->has_clobbers) {
        return any | CHANGED(RBX) | CHANGED(RBP) | CHANGED(R12) | CHANGED(R13) |
               CHANGED(R14) | CHANGED(R15);
    }
    kept = fnp_kept_gprs(c);
    for (unsigned i = 0; i < FNP_N_GPRS; i++) {
        any |= kept >> i & 1 ? o->in.gpr[i] ^ o->out.gpr[i] : 0;
    }
    return any;
}

static uint64_t flags_and_segments_differ(const struct fnp_outcome *o)
{
    uint64_t segments = (uint64_t)((o->in.ds ^ o->out.ds) | (o->in.es ^ o->out.es) |
                                   (o->in.fs ^ o->out.fs) | (o->in.gs ^ o->out.gs));

    return ((o->in.rflags ^ o->out.rflags) & FNP_FLAGS_KEPT) |
           (o->out.rflags & FNP_FLAG_DF) | (o->in.fs_base ^ o->out.fs_base) |
           (o->in.gs_base ^ o->out.gs_base) | segments;
}

static uint64_t return_differs(const struct fnp_contract *c,
                               const struct fnp_outcome *o)
{
    uint64_t got = fnp_result(c, o->out.gpr);

    return o->has_want_return ? (got ^ o->want_return) & fnp_return_mask(c) : 0;
}

/* Control words in every state; everything else costs time only when captured. */
static bool state_differs(const struct fnp_contract *c, const struct fnp_outcome *o)
{
    const struct fnp_state *in = &o->in;
    const struct fnp_state *out = &o->out;
    bool preserve = c->state == FNP_STATE_PRESERVE;
    uint32_t mxcsr = preserve ? 0xffffu : FNP_MXCSR_CONTROL;

    return ((in->mxcsr ^ out->mxcsr) & mxcsr) || in->fcw != out->fcw ||
           ((out->captured & FNP_HAS_TAGS) &&
            (out->ftw != in->ftw ||
             ((in->fsw ^ out->fsw) & (preserve ? FNP_FSW_STATE : FNP_FSW_TOP)))) ||
           ((out->captured & FNP_HAS_INUSE) && (out->xinuse & FNP_XINUSE_YMM));
}

/* Rows of a register array that must survive; usually all of them or none. */
static bool rows_differ(const uint8_t in[16][16], const uint8_t out[16][16],
                        uint32_t mask)
{
    if (mask == 0 || memcmp(in, out, 256) == 0) {
        return false;
    }
    for (unsigned i = 0; i < 16; i++) {
        if ((mask >> i & 1) && memcmp(in[i], out[i], 16) != 0) {
            return true;
        }
    }
    return false;
}

static bool vectors_differ(const struct fnp_contract *c, const struct fnp_outcome *o)
{
    static const uint8_t zero[16][16];
    const struct fnp_state *in = &o->in;
    const struct fnp_state *out = &o->out;
    bool preserve = c->state == FNP_STATE_PRESERVE;

    if ((out->captured & FNP_HAS_X87) && preserve &&
        memcmp(in->st, out->st, sizeof(in->st)) != 0) {
        return true;
    }
    if ((out->captured & FNP_HAS_XMM) &&
        rows_differ(in->xmm, out->xmm, fnp_kept_xmm(c))) {
        return true;
    }
    if (!(out->captured & FNP_HAS_YMM)) {
        return false;
    }
    return memcmp(preserve ? in->ymm_high : zero, out->ymm_high, sizeof(zero)) != 0 ||
           rows_differ(in->ymm_high, out->ymm_high, fnp_kept_ymm(c));
}

bool fnp_check_screen(const struct fnp_contract *contract,
                      const struct fnp_outcome *outcome)
{
    uint64_t any;

    if (outcome->end == FNP_END_RETURNED && !outcome->huge) {
        any = memory_differs(outcome) | registers_differ(contract, outcome) |
              flags_and_segments_differ(outcome) | return_differs(contract, outcome);
        if (any == 0 && !state_differs(contract, outcome) &&
            ((outcome->out.captured & (FNP_HAS_X87 | FNP_HAS_XMM | FNP_HAS_YMM)) == 0 ||
             !vectors_differ(contract, outcome))) {
            return false;
        }
    }
    return fnp_check_outcome(contract, outcome, NULL) > 0;
}
