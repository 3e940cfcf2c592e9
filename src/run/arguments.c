/* SPDX-License-Identifier: MIT */
#include "run/arguments.h"

#include "x86/state.h"

/* Which registers carry the first arguments, and what stands below the stack ones. */
static const struct {
    uint8_t regs[6];
    uint8_t n_regs;
    uint8_t home; /* bytes of home space */
    uint8_t word;
} conventions[] = {
    [FNP_ABI_SYSV64] = { { FNP_RDI, FNP_RSI, FNP_RDX, FNP_RCX, FNP_R8, FNP_R9 },
                        6,                                                          0,
                        8                                                                 },
    [FNP_ABI_MS64] = { { FNP_RCX, FNP_RDX, FNP_R8, FNP_R9 },                   4, 32, 8 },
    [FNP_ABI_I386] = { { 0 },                                                  0, 0,  4 },
    [FNP_ABI_REGPARM3] = { { FNP_RAX, FNP_RDX, FNP_RCX },                          3, 0,  4 },
};

static void place_by_name(const struct fnp_contract *contract,
                          struct fnp_arguments *out)
{
    for (size_t i = 0; i < contract->n_params; i++)
        out->list[i] = (struct fnp_argument){
            .reg = { contract->params[i].reg, FNP_NO_REG }
        };
}

void fnp_arguments_place(const struct fnp_contract *contract, struct fnp_arguments *out)
{
    unsigned used = 0;

    *out = (struct fnp_arguments){ 0 };
    if (contract->abi == FNP_ABI_REGS) {
        place_by_name(contract, out);
        return;
    }
    out->first = out->end = conventions[contract->abi].home;
    for (size_t i = 0; i < contract->n_params; i++) {
        const unsigned word = conventions[contract->abi].word;
        const unsigned n_regs = conventions[contract->abi].n_regs;
        const uint8_t *regs = conventions[contract->abi].regs + used;
        const unsigned words = contract->params[i].width > word ? 2 : 1;
        struct fnp_argument *argument = &out->list[i];

        argument->reg[0] = argument->reg[1] = FNP_NO_REG;
        if (used + words <= n_regs) {
            argument->reg[0] = regs[0];
            argument->reg[1] = words > 1 ? regs[1] : FNP_NO_REG;
            used += words;
        } else {
            used = n_regs;
            argument->at = out->end;
            argument->len = (uint8_t)(words * word);
            out->end = (uint16_t)(out->end + words * word);
        }
    }
}

unsigned fnp_arguments_callee_bytes(const struct fnp_contract *contract,
                                    const struct fnp_arguments *arguments)
{
    return contract->is32 ? arguments->end : arguments->first;
}
