/* SPDX-License-Identifier: MIT */
/*
 * scan.c - follow a kernel's direct branches and note what its instructions need
 *
 * It only decodes.  Jump tables and pointers are not followed; `indirect` says so.
 */
#include "x86/scan.h"

#include <Zydis/Zydis.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/status.h"
#include "x86/insn.h"

#define CONSTANT_BITS 40          /* sizes beyond are never run */
#define IMAGE_SPAN    0x10000000u /* a number so near the code is an address */

#define BIT(name) ((fnp_features)1 << FNP_FEATURE_##name)
#define BASE      ((fnp_features)0)

static const struct {
    ZydisISASet set;
    fnp_features needs;
} isa_sets[] = {
#define ISA(SET, needs) { ZYDIS_ISA_SET_##SET, needs },
#include "x86/isa.def"
#undef ISA
};

/* Stores other CPUs may see late and out of order. */
static const ZydisMnemonic weak_stores[] = {
#define ORDER(MNEMONIC, class) ORDER_##class(MNEMONIC)
#define ORDER_WEAK(MNEMONIC)   ZYDIS_MNEMONIC_##MNEMONIC,
#define ORDER_FENCE(MNEMONIC)
#define ORDER_FLUSH(MNEMONIC)
#include "x86/order.def"
#undef ORDER_FLUSH
#undef ORDER_FENCE
#undef ORDER_WEAK
#undef ORDER
};

/* Immediates of these are sizes, thresholds, steps or masks. */
static const ZydisMnemonic compares[] = { ZYDIS_MNEMONIC_CMP, ZYDIS_MNEMONIC_TEST };
static const ZydisMnemonic adjusts[] = {
    ZYDIS_MNEMONIC_AND, ZYDIS_MNEMONIC_ADD, ZYDIS_MNEMONIC_SUB, ZYDIS_MNEMONIC_XOR,
    ZYDIS_MNEMONIC_OR,  ZYDIS_MNEMONIC_MOV, ZYDIS_MNEMONIC_LEA,
};
/* The immediate k of these stands for 2^k. */
static const ZydisMnemonic powers[] = {
    ZYDIS_MNEMONIC_SHL,
    ZYDIS_MNEMONIC_SHR,
    ZYDIS_MNEMONIC_SAR,
    ZYDIS_MNEMONIC_BT,
};
/* Nothing behind these runs. */
static const ZydisMnemonic stops[] = {
    ZYDIS_MNEMONIC_UD0,  ZYDIS_MNEMONIC_UD1, ZYDIS_MNEMONIC_UD2,
    ZYDIS_MNEMONIC_INT3, ZYDIS_MNEMONIC_HLT,
};

#define IS_ONE_OF(list, mnemonic) is_one_of(list, FNP_ARRAY_LEN(list), mnemonic)

static bool is_one_of(const ZydisMnemonic *list, size_t count, ZydisMnemonic mnemonic)
{
    for (size_t i = 0; i < count; i++) {
        if (list[i] == mnemonic) {
            return true;
        }
    }
    return false;
}

/* Distinct numbers, first come first kept. */
struct numbers {
    uint64_t item[FNP_SCAN_CONSTANTS];
    size_t count;
};

struct walk {
    const struct fnp_code *code;
    struct fnp_scan *out;
    ZydisDecoder decoder;
    struct fnp_arena scratch;
    unsigned char *seen;   /* one bit per byte: an instruction was decoded there */
    unsigned char *starts; /* one bit per byte: a block begins there */
    size_t *todo;          /* offsets still to follow */
    size_t n_todo, cap_todo;
    struct numbers compared, other;
};

struct insn {
    ZydisDecodedInstruction info;
    ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];
};

static bool test_bit(const unsigned char *bits, size_t i)
{
    return bits[i / 8] >> (i % 8) & 1;
}

/* Set a bit; was it clear? */
static bool claim_bit(unsigned char *bits, size_t i)
{
    if (test_bit(bits, i)) {
        return false;
    }
    bits[i / 8] = (unsigned char)(bits[i / 8] | 1u << (i % 8));
    return true;
}

static void push(struct walk *walk, size_t offset)
{
    if (walk->n_todo == walk->cap_todo) {
        size_t cap = walk->cap_todo ? 2 * walk->cap_todo : 64;
        size_t *larger = fnp_arena_array(&walk->scratch, cap, sizeof(*larger));

        if (walk->n_todo) {
            memcpy(larger, walk->todo, walk->n_todo * sizeof(*larger));
        }
        walk->todo = larger;
        walk->cap_todo = cap;
    }
    walk->todo[walk->n_todo++] = offset;
}

static bool never_returns(const struct walk *walk, uint64_t addr)
{
    const struct fnp_code *code = walk->code;

    return code->never_returns && code->never_returns(code->arg, addr);
}

/* A block begins at addr; follow it unless that is done or it lies elsewhere. */
static void begin_block(struct walk *walk, uint64_t addr)
{
    uint64_t offset = addr - walk->code->addr;

    if (never_returns(walk, addr)) {
        return;
    }
    if (addr >= walk->code->addr && offset < walk->code->len &&
        claim_bit(walk->starts, offset)) {
        push(walk, offset);
    }
}

static void keep_number(const struct walk *walk, struct numbers *numbers,
                        uint64_t number)
{
    uint64_t distance = number - walk->code->addr + IMAGE_SPAN;

    if (number == 0 || number >> CONSTANT_BITS || distance < 2ull * IMAGE_SPAN) {
        return;
    }
    for (size_t i = 0; i < numbers->count; i++) {
        if (numbers->item[i] == number) {
            return;
        }
    }
    if (numbers->count < FNP_SCAN_CONSTANTS) {
        numbers->item[numbers->count++] = number;
    }
}

static uint64_t magnitude(int64_t number)
{
    return number < 0 ? 0 - (uint64_t)number : (uint64_t)number;
}

/* rsp or a part of it */
static bool is_rsp(ZydisRegister reg)
{
    return ZydisRegisterGetLargestEnclosing(ZYDIS_MACHINE_MODE_LONG_64, reg) ==
           ZYDIS_REGISTER_RSP;
}

static bool is_stack(const ZydisDecodedOperand *operand)
{
    return (operand->type == ZYDIS_OPERAND_TYPE_REGISTER &&
            is_rsp(operand->reg.value)) ||
           (operand->type == ZYDIS_OPERAND_TYPE_MEMORY && is_rsp(operand->mem.base));
}

/* A displacement that is a distance, not an address. */
static uint64_t lea_distance(const ZydisDecodedOperand *operand)
{
    if (operand->type != ZYDIS_OPERAND_TYPE_MEMORY ||
        operand->mem.base == ZYDIS_REGISTER_NONE ||
        operand->mem.base == ZYDIS_REGISTER_RIP) {
        return 0;
    }
    return magnitude(operand->mem.disp.value);
}

static void mine(struct walk *walk, const struct insn *insn)
{
    ZydisMnemonic mnemonic = insn->info.mnemonic;
    const ZydisDecodedOperand *operands = insn->operands;
    bool is_power = IS_ONE_OF(powers, mnemonic);
    bool is_compare = IS_ONE_OF(compares, mnemonic);

    if (insn->info.operand_count_visible < 2 || is_stack(&operands[0]) ||
        (!is_power && !is_compare && !IS_ONE_OF(adjusts, mnemonic))) {
        return;
    }
    if (mnemonic == ZYDIS_MNEMONIC_LEA) {
        if (!is_stack(&operands[1])) {
            keep_number(walk, &walk->other, lea_distance(&operands[1]));
        }
        return;
    }
    if (operands[1].type != ZYDIS_OPERAND_TYPE_IMMEDIATE) {
        return;
    }

    uint64_t number = magnitude(operands[1].imm.value.s);

    if (is_power) {
        number = number < CONSTANT_BITS ? 1ull << number : 0;
    }
    keep_number(walk, is_compare ? &walk->compared : &walk->other, number);
}

static bool has_mmx_operand(const struct insn *insn)
{
    for (unsigned i = 0; i < insn->info.operand_count; i++) {
        if (insn->operands[i].type == ZYDIS_OPERAND_TYPE_REGISTER &&
            ZydisRegisterGetClass(insn->operands[i].reg.value) == ZYDIS_REGCLASS_MMX) {
            return true;
        }
    }
    return false;
}

static bool is_x87_mmx(const struct insn *insn)
{
    switch (insn->info.meta.isa_ext) {
    case ZYDIS_ISA_EXT_X87:
    case ZYDIS_ISA_EXT_MMX:
    case ZYDIS_ISA_EXT_AMD3DNOW:
        return true;
    default:
        break;
    }
    switch (insn->info.mnemonic) {
    case ZYDIS_MNEMONIC_FXRSTOR:
    case ZYDIS_MNEMONIC_FXRSTOR64:
    case ZYDIS_MNEMONIC_XRSTOR:
    case ZYDIS_MNEMONIC_XRSTOR64:
        return true;
    default:
        return insn->info.meta.category == ZYDIS_CATEGORY_X87_ALU ||
               has_mmx_operand(insn);
    }
}

/* The loads of MXCSR; arithmetic changes its sticky flags. */
static const ZydisMnemonic mxcsr_loads[] = {
    ZYDIS_MNEMONIC_LDMXCSR,   ZYDIS_MNEMONIC_VLDMXCSR, ZYDIS_MNEMONIC_FXRSTOR,
    ZYDIS_MNEMONIC_FXRSTOR64, ZYDIS_MNEMONIC_XRSTOR,   ZYDIS_MNEMONIC_XRSTOR64,
};

/* SIMD exception types 2 and 3 are those of arithmetic (Intel SDM vol. 2A, 2.4). */
static bool computes_fp(const struct insn *insn)
{
    switch (insn->info.meta.exception_class) {
    case ZYDIS_EXCEPTION_CLASS_SSE2:
    case ZYDIS_EXCEPTION_CLASS_SSE3:
    case ZYDIS_EXCEPTION_CLASS_AVX2:
    case ZYDIS_EXCEPTION_CLASS_AVX3:
    case ZYDIS_EXCEPTION_CLASS_E2:
    case ZYDIS_EXCEPTION_CLASS_E3:
        return true;
    default:
        return false;
    }
}

/* VEX and EVEX, but not the VEX-encoded instructions on general registers. */
static bool is_vex(const struct insn *insn)
{
    switch (insn->info.encoding) {
    case ZYDIS_INSTRUCTION_ENCODING_VEX:
    case ZYDIS_INSTRUCTION_ENCODING_EVEX:
    case ZYDIS_INSTRUCTION_ENCODING_XOP:
        return insn->info.meta.isa_ext != ZYDIS_ISA_EXT_BMI1 &&
               insn->info.meta.isa_ext != ZYDIS_ISA_EXT_BMI2;
    default:
        return false;
    }
}

/* Pushes, calls and the like have rsp as an operand nobody wrote down. */
static bool moves_stack(const struct insn *insn)
{
    if (insn->info.meta.category == ZYDIS_CATEGORY_RET)
        return false;
    for (unsigned i = 0; i < insn->info.operand_count; i++) {
        const ZydisDecodedOperand *operand = &insn->operands[i];

        if (operand->type == ZYDIS_OPERAND_TYPE_REGISTER &&
            (operand->actions & ZYDIS_OPERAND_ACTION_MASK_WRITE) &&
            is_rsp(operand->reg.value))
            return true;
    }
    return false;
}

static void note_needs(struct fnp_scan *out, const struct insn *insn)
{
    ZydisISASet set = insn->info.meta.isa_set;

    /* One set for two features. */
    if (set == ZYDIS_ISA_SET_MOVDIR) {
        out->needs |= insn->info.mnemonic == ZYDIS_MNEMONIC_MOVDIRI ? BIT(MOVDIRI)
                                                                    : BIT(MOVDIR64B);
        return;
    }
    for (size_t i = 0; i < FNP_ARRAY_LEN(isa_sets); i++) {
        if (isa_sets[i].set == set) {
            out->needs |= isa_sets[i].needs;
            return;
        }
    }
    if (!out->unlisted) {
        out->unlisted = ZydisISASetGetString(set);
    }
}

static void note_insn(struct walk *walk, const struct insn *insn)
{
    struct fnp_scan *out = walk->out;

    out->n_insns++;
    note_needs(out, insn);
    out->x87_mmx |= is_x87_mmx(insn);
    out->fp |= computes_fp(insn) || insn->info.meta.isa_ext == ZYDIS_ISA_EXT_X87;
    out->mxcsr |= computes_fp(insn) || IS_ONE_OF(mxcsr_loads, insn->info.mnemonic);
    out->vex |= is_vex(insn);
    out->moves_stack |= moves_stack(insn);
    out->nontemporal |= IS_ONE_OF(weak_stores, insn->info.mnemonic);
    out->privileged |= fnp_insn_is_privileged(&insn->info);
    mine(walk, insn);
}

/*
 * Where control goes after the instruction at addr: begin the blocks it branches to;
 * true when the next instruction runs too.
 */
static bool follow(struct walk *walk, const struct insn *insn, uint64_t addr)
{
    ZydisInstructionCategory category = insn->info.meta.category;
    const ZydisDecodedOperand *first = &insn->operands[0];
    uint64_t next = addr + insn->info.length;
    bool direct = insn->info.operand_count_visible > 0 &&
                  first->type == ZYDIS_OPERAND_TYPE_IMMEDIATE && first->imm.is_relative;

    if (IS_ONE_OF(stops, insn->info.mnemonic) || category == ZYDIS_CATEGORY_RET ||
        category == ZYDIS_CATEGORY_SYSRET) {
        return false;
    }
    if (direct) {
        begin_block(walk, next + first->imm.value.u);
    }
    switch (category) {
    case ZYDIS_CATEGORY_UNCOND_BR:
        walk->out->indirect |= !direct;
        return false;
    case ZYDIS_CATEGORY_CALL:
        walk->out->indirect |= !direct;
        return !direct || !never_returns(walk, next + first->imm.value.u);
    case ZYDIS_CATEGORY_COND_BR:
        begin_block(walk, next);
        return false;
    default:
        return true;
    }
}

/* Decode from offset on until the path ends or joins one already seen. */
static void walk_path(struct walk *walk, size_t offset)
{
    const struct fnp_code *code = walk->code;
    bool more = true;

    while (more && offset < code->len && claim_bit(walk->seen, offset)) {
        struct insn insn;

        if (ZYAN_FAILED(ZydisDecoderDecodeFull(&walk->decoder, code->bytes + offset,
                                               code->len - offset, &insn.info,
                                               insn.operands))) {
            return;
        }
        note_insn(walk, &insn);
        more = follow(walk, &insn, code->addr + offset);
        offset += insn.info.length;
    }
}

static int ascending(const void *a, const void *b)
{
    uint64_t left, right;

    memcpy(&left, a, sizeof(left));
    memcpy(&right, b, sizeof(right));
    return (left > right) - (left < right);
}

/* Compared numbers first, then the others as far as there is room. */
static void merge_numbers(struct walk *walk)
{
    struct fnp_scan *out = walk->out;
    struct numbers all = walk->compared;

    for (size_t i = 0; i < walk->other.count; i++) {
        keep_number(walk, &all, walk->other.item[i]);
    }
    memcpy(out->constants, all.item, sizeof(all.item));
    out->n_constants = all.count;
    qsort(out->constants, out->n_constants, sizeof(out->constants[0]), ascending);
}

void fnp_scan_code(const struct fnp_code *code, uint64_t entry, struct fnp_scan *out)
{
    struct walk walk = { .code = code, .out = out };
    size_t n_bytes = code->len / 8 + 1;

    memset(out, 0, sizeof(*out));
    fnp_insn_decoder(code, &walk.decoder);
    walk.seen = fnp_arena_alloc(&walk.scratch, n_bytes);
    walk.starts = fnp_arena_alloc(&walk.scratch, n_bytes);

    begin_block(&walk, entry);
    while (walk.n_todo) {
        walk_path(&walk, walk.todo[--walk.n_todo]);
    }
    for (size_t i = 0; i < n_bytes; i++) {
        out->n_blocks += (size_t)__builtin_popcount(walk.starts[i]);
    }
    merge_numbers(&walk);
    fnp_arena_release(&walk.scratch);
}
