/* SPDX-License-Identifier: MIT */
/*
 * insn.c - the AT&T text of one instruction, spelled as objdump spells it
 *
 * Branch targets are printed relative to the instruction (".-0x12"), so that a text
 * does not depend on where the image lies.
 */
#include <Zydis/Zydis.h>
#include <string.h>

#include "base/status.h"
#include "x86/insn.h"

#define TEXT_MAX 128

/* Zydis' spelling of a condition and the one of GNU as. */
static const struct {
    const char *zydis, *gnu;
} conditions[] = {
    { "z",   "e"  },
    { "nz",  "ne" },
    { "nb",  "ae" },
    { "nbe", "a"  },
    { "nl",  "ge" },
    { "nle", "g"  },
};

/* Families whose names end in a condition. */
static const char *const families[] = { "j", "cmov", "set" };

static void add_mnemonic(struct fnp_str *out, const char *name, size_t len)
{
    for (size_t i = 0; i < FNP_ARRAY_LEN(families); i++) {
        size_t head = strlen(families[i]);

        for (size_t k = 0; k < FNP_ARRAY_LEN(conditions); k++) {
            if (len == head + strlen(conditions[k].zydis) &&
                strncmp(name, families[i], head) == 0 &&
                strncmp(name + head, conditions[k].zydis, len - head) == 0) {
                fnp_str_add(out, "%s%s", families[i], conditions[k].gnu);
                return;
            }
        }
    }
    fnp_str_add(out, "%.*s", (int)len, name);
}

/* Operands without the blanks that Zydis puts between them. */
static void add_operands(struct fnp_str *out, const char *text)
{
    for (size_t i = 0; text[i]; i++) {
        bool blank =
            text[i] == ' ' && (text[i + 1] == '{' || (i > 0 && text[i - 1] == ','));

        if (!blank) {
            fnp_str_add(out, "%c", text[i]);
        }
    }
}

/* Zydis marks the vector length of memory operands (vmovdqu64z); as only needs that
 * where no register tells it. */
static size_t mnemonic_len(const char *text, const char *name)
{
    size_t len = strcspn(text, " ");
    size_t bare = strlen(name);
    bool ambiguous = strncmp(name, "vcvt", 4) == 0 || strncmp(name, "vfpclass", 8) == 0;

    /* Its q is no size suffix, and a second one is nobody's. */
    if (strcmp(name, "movq") == 0 || strcmp(name, "movd") == 0) {
        return bare;
    }
    if (len == bare + 1 && strchr("xyz", text[bare]) && !ambiguous) {
        return bare;
    }
    return len;
}

/* movzx and movsx say both sizes in AT&T: "movzbl" from 8 to 32 bits. */
static bool add_extension(struct fnp_str *out, const ZydisDecodedInstruction *info,
                          const ZydisDecodedOperand *operands)
{
    static const char letters[] = { [1] = 'b', [2] = 'w', [4] = 'l', [8] = 'q' };
    bool zero = info->mnemonic == ZYDIS_MNEMONIC_MOVZX;
    unsigned to = operands[0].size / 8, from = operands[1].size / 8;

    if ((!zero && info->mnemonic != ZYDIS_MNEMONIC_MOVSX &&
         info->mnemonic != ZYDIS_MNEMONIC_MOVSXD) ||
        info->operand_count_visible < 2 || to > 8 || from > 8) {
        return false;
    }
    fnp_str_add(out, "mov%c%c%c", zero ? 'z' : 's', letters[from], letters[to]);
    return true;
}

static bool is_indirect(const ZydisDecodedInstruction *info,
                        const ZydisDecodedOperand *operand)
{
    return (info->meta.category == ZYDIS_CATEGORY_UNCOND_BR ||
            info->meta.category == ZYDIS_CATEGORY_CALL) &&
           operand->type != ZYDIS_OPERAND_TYPE_IMMEDIATE;
}

static void add_relative(struct fnp_str *out, const ZydisDecodedInstruction *info,
                         const ZydisDecodedOperand *operand)
{
    int64_t distance = operand->imm.value.s + info->length;

    fnp_str_add(out, ".%c0x%llx", distance < 0 ? '-' : '+',
                (unsigned long long)(distance < 0 ? 0 - (uint64_t)distance
                                                  : (uint64_t)distance));
}

/* Rewrite Zydis' text in GNU's spelling. */
static void respell(struct fnp_str *out, const char *text,
                    const ZydisDecodedInstruction *info,
                    const ZydisDecodedOperand *operands)
{
    const char *name = ZydisMnemonicGetString(info->mnemonic);
    const char *found = name ? strstr(text, name) : NULL;

    if (!found) {
        fnp_str_add(out, "%s", text);
        return;
    }
    /* Prefixes stand before the mnemonic. */
    fnp_str_add(out, "%.*s", (int)(found - text), text);
    if (!add_extension(out, info, operands)) {
        add_mnemonic(out, found, mnemonic_len(found, name));
    }

    const char *rest = found + strcspn(found, " ");

    if (info->operand_count_visible == 0) {
        return;
    }
    fnp_str_add(out, " ");
    if (operands[0].type == ZYDIS_OPERAND_TYPE_IMMEDIATE &&
        operands[0].imm.is_relative) {
        add_relative(out, info, &operands[0]);
        return;
    }
    fnp_str_add(out, "%s", is_indirect(info, &operands[0]) ? "*" : "");
    add_operands(out, rest + (*rest == ' '));
}

static void init_formatter(ZydisFormatter *formatter)
{
    ZydisFormatterInit(formatter, ZYDIS_FORMATTER_STYLE_ATT);
    ZydisFormatterSetProperty(formatter, ZYDIS_FORMATTER_PROP_HEX_UPPERCASE,
                              ZYAN_FALSE);
    ZydisFormatterSetProperty(formatter, ZYDIS_FORMATTER_PROP_IMM_PADDING,
                              ZYDIS_PADDING_DISABLED);
    ZydisFormatterSetProperty(formatter, ZYDIS_FORMATTER_PROP_DISP_PADDING,
                              ZYDIS_PADDING_DISABLED);
    ZydisFormatterSetProperty(formatter, ZYDIS_FORMATTER_PROP_ADDR_PADDING_ABSOLUTE,
                              ZYDIS_PADDING_DISABLED);
    ZydisFormatterSetProperty(formatter, ZYDIS_FORMATTER_PROP_FORCE_RELATIVE_RIPREL,
                              ZYAN_TRUE);
}

size_t fnp_insn_text(const struct fnp_code *code, uint64_t addr, struct fnp_str *out)
{
    ZydisDecoder decoder;
    ZydisFormatter formatter;
    ZydisDecodedInstruction info;
    ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];
    uint64_t offset = addr - code->addr;
    char text[TEXT_MAX];

    if (addr < code->addr || offset >= code->len) {
        fnp_str_add(out, "(bad)");
        return 0;
    }
    fnp_insn_decoder(code, &decoder);
    init_formatter(&formatter);
    if (ZYAN_FAILED(ZydisDecoderDecodeFull(&decoder, code->bytes + offset,
                                           code->len - offset, &info, operands)) ||
        ZYAN_FAILED(ZydisFormatterFormatInstruction(&formatter, &info, operands,
                                                    info.operand_count_visible, text,
                                                    sizeof(text), addr, NULL))) {
        fnp_str_add(out, "(bad)");
        return 0;
    }
    respell(out, text, &info, operands);
    return info.length;
}

uint8_t fnp_insn_gpr(ZydisRegister reg)
{
    ZydisRegister whole =
        ZydisRegisterGetLargestEnclosing(ZYDIS_MACHINE_MODE_LONG_64, reg);

    return ZydisRegisterGetClass(whole) == ZYDIS_REGCLASS_GPR64
               ? (uint8_t)ZydisRegisterGetId(whole)
               : (uint8_t)FNP_NO_REG;
}

/* Fault in user mode although Zydis does not mark them: IOPL 0, CR4.PCE clear. */
static const ZydisMnemonic system_only[] = {
    ZYDIS_MNEMONIC_CLI,  ZYDIS_MNEMONIC_STI,   ZYDIS_MNEMONIC_LGDT,
    ZYDIS_MNEMONIC_LIDT, ZYDIS_MNEMONIC_RDPMC, ZYDIS_MNEMONIC_ENQCMDS,
};

bool fnp_insn_is_privileged(const ZydisDecodedInstruction *info)
{
    bool listed = false;

    for (size_t i = 0; i < FNP_ARRAY_LEN(system_only); i++) {
        listed |= system_only[i] == info->mnemonic;
    }
    return listed || (info->attributes & ZYDIS_ATTRIB_IS_PRIVILEGED) ||
           info->meta.category == ZYDIS_CATEGORY_IO ||
           info->meta.category == ZYDIS_CATEGORY_IOSTRINGOP;
}
