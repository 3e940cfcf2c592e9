/* SPDX-License-Identifier: MIT */
#include "x86/bound.h"

#include "x86/insn.h"

/* Both operands general registers of at least 4 bytes. */
static bool is_copy(const ZydisDecodedInstruction *info,
                    const ZydisDecodedOperand *operands)
{
    return (info->mnemonic == ZYDIS_MNEMONIC_MOV ||
            info->mnemonic == ZYDIS_MNEMONIC_MOVSXD) &&
           operands[1].type == ZYDIS_OPERAND_TYPE_REGISTER && operands[0].size >= 32 &&
           fnp_insn_gpr(operands[1].reg.value) != FNP_NO_REG;
}

struct fnp_bound fnp_bound_of(const struct fnp_code *code, uint64_t addr)
{
    struct fnp_bound out = { .kind = FNP_BOUND_NONE };
    ZydisDecoder decoder;
    ZydisDecodedInstruction info;
    ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];
    uint64_t offset = addr - code->addr;

    fnp_insn_decoder(code, &decoder);
    if (offset >= code->len ||
        ZYAN_FAILED(ZydisDecoderDecodeFull(&decoder, code->bytes + offset,
                                           code->len - offset, &info, operands)) ||
        info.operand_count_visible != 2 ||
        operands[0].type != ZYDIS_OPERAND_TYPE_REGISTER)
        return out;
    out.reg = fnp_insn_gpr(operands[0].reg.value);
    if (out.reg == FNP_NO_REG)
        return out;
    if (operands[1].type == ZYDIS_OPERAND_TYPE_IMMEDIATE) {
        out.limit = operands[1].imm.value.u;
        out.kind = info.mnemonic == ZYDIS_MNEMONIC_CMP   ? FNP_BOUND_COMPARE
                   : info.mnemonic == ZYDIS_MNEMONIC_AND ? FNP_BOUND_MASK
                                                         : FNP_BOUND_NONE;
    } else if (info.mnemonic == ZYDIS_MNEMONIC_MOVZX && operands[1].size == 8) {
        out.limit = 0xff;
        out.kind = FNP_BOUND_MASK;
    } else if (is_copy(&info, operands)) {
        out.from = fnp_insn_gpr(operands[1].reg.value);
        out.kind = FNP_BOUND_COPY;
    }
    return out;
}
