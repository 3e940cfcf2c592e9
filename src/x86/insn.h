/* SPDX-License-Identifier: MIT */
/*
 * insn.h - a decoder for the width of the code at hand; only src/x86 sees Zydis
 *
 * Depends on: scan, state, Zydis.
 */
#ifndef FNP_X86_INSN_H
#define FNP_X86_INSN_H

#include <Zydis/Zydis.h>

#include "x86/scan.h"
#include "x86/state.h"

static inline void fnp_insn_decoder(const struct fnp_code *code, ZydisDecoder *out)
{
    if (code->is32)
        ZydisDecoderInit(out, ZYDIS_MACHINE_MODE_LEGACY_32, ZYDIS_STACK_WIDTH_32);
    else
        ZydisDecoderInit(out, ZYDIS_MACHINE_MODE_LONG_64, ZYDIS_STACK_WIDTH_64);
}

/* Number of the general register that holds this one; FNP_NO_REG: it is none. */
uint8_t fnp_insn_gpr(ZydisRegister reg);

/* Does it fault in user mode for want of privilege? */
bool fnp_insn_is_privileged(const ZydisDecodedInstruction *info);

#endif
