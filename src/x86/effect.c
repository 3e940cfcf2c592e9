/* SPDX-License-Identifier: MIT */
#include "x86/effect.h"

#include <Zydis/Zydis.h>
#include <string.h>

#include "base/status.h"
#include "x86/insn.h"

enum overlay {
    OVERLAY_NONE,
    OVERLAY_HINT,
    OVERLAY_NOTHING,
    OVERLAY_LINE,
    OVERLAY_XLAT,
    OVERLAY_BITS,
    OVERLAY_BYTES,
    OVERLAY_ELEMENTS,
    OVERLAY_PACKED,
    OVERLAY_MAYBE,
    OVERLAY_IMAGE,
    OVERLAY_COMPACT,
    OVERLAY_TARGET,
    OVERLAY_TILE,
};

enum {
    LINE_LEN = 64
};

static const uint8_t overlays[ZYDIS_MNEMONIC_MAX_VALUE + 1] = {
#define OVERLAY(NAME, what) [ZYDIS_MNEMONIC_##NAME] = OVERLAY_##what,
#include "x86/overlay.def"
#undef OVERLAY
};

static const uint8_t orders[ZYDIS_MNEMONIC_MAX_VALUE + 1] = {
#define ORDER(NAME, class) [ZYDIS_MNEMONIC_##NAME] = FNP_ORDERS_##class,
#include "x86/order.def"
#undef ORDER
};

static const struct {
    uint8_t effect;
    int8_t top;
} x87s[ZYDIS_MNEMONIC_MAX_VALUE + 1] = {
#define X87(NAME, effect, top)                                                         \
    [ZYDIS_MNEMONIC_##NAME] = { FNP_X87_STACK_##effect, top },
#include "x86/x87.def"
#undef X87
};

struct insn {
    ZydisDecodedInstruction info;
    ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];
    bool is32;
};

/* ---- registers */

static uint16_t mask_of(ZydisRegister reg)
{
    uint8_t i = fnp_insn_gpr(reg);

    return (uint16_t)(i == FNP_NO_REG ? 0u : 1u << i);
}

/* Hints do nothing that depends on an operand. */
static bool is_hint(const struct insn *insn)
{
    switch (insn->info.meta.category) {
    case ZYDIS_CATEGORY_NOP:
    case ZYDIS_CATEGORY_WIDENOP:
    case ZYDIS_CATEGORY_PREFETCH:
    case ZYDIS_CATEGORY_MPX: /* nops unless the system switches bounds on */
        return true;
    default:
        return overlays[insn->info.mnemonic] == OVERLAY_HINT;
    }
}

/* Is the result the same whatever the operands hold? */
static bool is_constant(const struct insn *insn)
{
    const ZydisDecodedOperand *o = insn->operands;
    bool same = o[0].type == ZYDIS_OPERAND_TYPE_REGISTER &&
                o[1].type == ZYDIS_OPERAND_TYPE_REGISTER &&
                o[0].reg.value == o[1].reg.value;
    bool literal = o[0].type == ZYDIS_OPERAND_TYPE_REGISTER &&
                   o[1].type == ZYDIS_OPERAND_TYPE_IMMEDIATE;

    switch (insn->info.mnemonic) {
    case ZYDIS_MNEMONIC_XOR:
    case ZYDIS_MNEMONIC_SUB:
    case ZYDIS_MNEMONIC_SBB:
    case ZYDIS_MNEMONIC_CMP:
        return same;
    case ZYDIS_MNEMONIC_AND:
        return literal && o[1].imm.value.u == 0;
    case ZYDIS_MNEMONIC_OR:
        return literal && o[1].imm.value.s == -1;
    default:
        return false;
    }
}

static void note_register(const ZydisDecodedOperand *o, struct fnp_effect *out)
{
    if (o->type == ZYDIS_OPERAND_TYPE_MEMORY) {
        out->regs_read |= mask_of(o->mem.base);
        out->regs_read |= mask_of(o->mem.index);
    } else if (o->type == ZYDIS_OPERAND_TYPE_REGISTER) {
        if (o->actions & ZYDIS_OPERAND_ACTION_MASK_READ)
            out->regs_read |= mask_of(o->reg.value);
        if (o->actions & ZYDIS_OPERAND_ACTION_CONDWRITE)
            out->regs_maybe |= mask_of(o->reg.value);
        if (o->actions & ZYDIS_OPERAND_ACTION_MASK_WRITE)
            out->regs_written |= mask_of(o->reg.value);
    }
}

static void note_registers(const struct insn *insn, struct fnp_effect *out)
{
    uint16_t pointers = 0;

    if (is_hint(insn))
        return;
    for (unsigned i = 0; i < insn->info.operand_count; i++) {
        const ZydisDecodedOperand *o = &insn->operands[i];

        note_register(o, out);
        if (o->type == ZYDIS_OPERAND_TYPE_MEMORY)
            pointers |= mask_of(o->mem.base);
    }
    if (is_constant(insn))
        out->regs_read = 0;
    if (overlays[insn->info.mnemonic] == OVERLAY_XLAT)
        out->regs_read |= 1u << FNP_RAX;
    /* rbp is what it starts from. */
    if (insn->info.mnemonic == ZYDIS_MNEMONIC_LEAVE)
        out->regs_read &= (uint16_t)~(1u << FNP_RSP);
    /* Zydis has them as written on condition only, or not at all. */
    if (insn->info.meta.category == ZYDIS_CATEGORY_STRINGOP) {
        pointers |= out->rep ? 1u << FNP_RCX : 0;
        out->regs_read |= pointers;
        out->regs_written |= pointers;
    }
}

/* ---- memory */

static uint8_t segment_of(ZydisRegister reg)
{
    return reg == ZYDIS_REGISTER_FS ? 'f' : reg == ZYDIS_REGISTER_GS ? 'g' : 0;
}

/* The number of the vector or opmask register that masks; FNP_NO_REG: none does. */
static uint8_t mask_register(const struct insn *insn)
{
    for (unsigned i = 0; i < insn->info.operand_count; i++) {
        const ZydisDecodedOperand *o = &insn->operands[i];

        if (o->type == ZYDIS_OPERAND_TYPE_REGISTER && i == 1)
            return (uint8_t)ZydisRegisterGetId(o->reg.value);
    }
    return FNP_NO_REG;
}

/* SDM vol. 2A, exception classes *NF of EVEX instructions: no fault is suppressed, what is
 * read is read in full. */
static bool never_suppresses(const struct insn *insn)
{
    switch (insn->info.meta.exception_class) {
    case ZYDIS_EXCEPTION_CLASS_E4NF:
    case ZYDIS_EXCEPTION_CLASS_E5NF:
    case ZYDIS_EXCEPTION_CLASS_E6NF:
    case ZYDIS_EXCEPTION_CLASS_E9NF:
        return true;
    default:
        return false;
    }
}

/* Does bit i of the opmask decide about element i of the memory operand? */
static bool is_elementwise(const struct insn *insn, const ZydisDecodedOperand *o)
{
    const ZydisDecodedOperand *first = &insn->operands[0];

    if (insn->info.avx.broadcast.mode != ZYDIS_BROADCAST_MODE_INVALID)
        return false;
    return first == o || o->element_count == 1 ||
           first->element_count == o->element_count ||
           (first->type == ZYDIS_OPERAND_TYPE_REGISTER &&
            ZydisRegisterGetClass(first->reg.value) == ZYDIS_REGCLASS_MASK);
}

static void apply_opmask(const struct insn *insn, enum overlay overlay,
                         const ZydisDecodedOperand *o, struct fnp_touch *t)
{
    ZydisRegister k = insn->info.avx.mask.reg;

    if (insn->info.encoding != ZYDIS_INSTRUCTION_ENCODING_EVEX ||
        k == ZYDIS_REGISTER_NONE || k == ZYDIS_REGISTER_K0 ||
        (never_suppresses(insn) && !t->write))
        return;
    t->mask = (uint8_t)ZydisRegisterGetId(k);
    t->element = (uint8_t)(o->element_size / 8);
    if (overlay == OVERLAY_PACKED)
        t->masked = FNP_MASKED_PACKED;
    else if (is_elementwise(insn, o))
        t->masked = FNP_MASKED_K;
    else
        t->maybe = true;
}

static void apply_mask(const struct insn *insn, enum overlay overlay,
                       const ZydisDecodedOperand *o, struct fnp_touch *t)
{
    if (overlay == OVERLAY_BYTES || overlay == OVERLAY_ELEMENTS) {
        t->masked = overlay == OVERLAY_BYTES ? FNP_MASKED_BYTES : FNP_MASKED_ELEMENTS;
        t->mask = mask_register(insn);
        t->element = overlay == OVERLAY_BYTES ? 1 : (uint8_t)(o->element_size / 8);
    } else if (t->where != FNP_WHERE_VECTOR) {
        apply_opmask(insn, overlay, o, t);
    }
}

/* Instructions whose hidden operand lies below the stack pointer they find. */
static bool pushes(const struct insn *insn, const ZydisDecodedOperand *o)
{
    return o->visibility == ZYDIS_OPERAND_VISIBILITY_HIDDEN &&
           fnp_insn_gpr(o->mem.base) == FNP_RSP &&
           (o->actions & ZYDIS_OPERAND_ACTION_MASK_WRITE) &&
           insn->info.mnemonic != ZYDIS_MNEMONIC_LEAVE;
}

/* Of a segment register's word only the low half may move (SDM vol. 2B, PUSH). */
static bool is_segment_only(const struct insn *insn)
{
    const ZydisDecodedOperand *o = insn->operands;

    return insn->is32 && o[0].type == ZYDIS_OPERAND_TYPE_REGISTER &&
           ZydisRegisterGetClass(o[0].reg.value) == ZYDIS_REGCLASS_SEGMENT &&
           (insn->info.meta.category == ZYDIS_CATEGORY_PUSH ||
            insn->info.meta.category == ZYDIS_CATEGORY_POP);
}

static void place(const struct insn *insn, enum overlay overlay,
                  const ZydisDecodedOperand *o, struct fnp_touch *t)
{
    if (insn->info.meta.category == ZYDIS_CATEGORY_STRINGOP) {
        t->where = FNP_WHERE_STRING;
    } else if (pushes(insn, o)) {
        t->where = FNP_WHERE_PUSHED;
        t->maybe = is_segment_only(insn);
    } else if (overlay == OVERLAY_IMAGE || overlay == OVERLAY_COMPACT) {
        t->where = overlay == OVERLAY_IMAGE ? FNP_WHERE_IMAGE : FNP_WHERE_COMPACT;
        t->maybe = true;
    } else if (o->mem.type == ZYDIS_MEMOP_TYPE_VSIB || overlay == OVERLAY_TILE) {
        t->where = FNP_WHERE_VECTOR;
        t->index = FNP_NO_REG;
        t->maybe = true;
    } else if (overlay == OVERLAY_XLAT) {
        t->where = FNP_WHERE_XLAT;
        t->index = FNP_NO_REG;
    } else if (overlay == OVERLAY_BITS &&
               insn->operands[1].type == ZYDIS_OPERAND_TYPE_REGISTER) {
        t->where = FNP_WHERE_BITS;
        t->mask = fnp_insn_gpr(insn->operands[1].reg.value);
    } else if (is_segment_only(insn)) {
        t->maybe = true;
    } else if (insn->info.mnemonic == ZYDIS_MNEMONIC_POP &&
               o->visibility == ZYDIS_OPERAND_VISIBILITY_EXPLICIT &&
               t->base == FNP_RSP) {
        /* SDM vol. 2B, POP: computed after the increment. */
        t->disp += insn->info.operand_width / 8;
    }
}

/* The stack is addressed in full whatever the address size. */
static uint8_t address_width(const struct insn *insn, const ZydisDecodedOperand *o)
{
    bool stack =
        o->visibility == ZYDIS_OPERAND_VISIBILITY_HIDDEN &&
        (fnp_insn_gpr(o->mem.base) == FNP_RSP || fnp_insn_gpr(o->mem.base) == FNP_RBP);

    return (uint8_t)(stack ? fnp_word_len(insn->is32) : insn->info.address_width / 8);
}

static void add_touch(const struct insn *insn, enum overlay overlay, uint64_t next,
                      const ZydisDecodedOperand *o, struct fnp_effect *out)
{
    struct fnp_touch *t = &out->touch[out->n_touches];

    *t = (struct fnp_touch){
        .base = fnp_insn_gpr(o->mem.base),
        .index = fnp_insn_gpr(o->mem.index),
        .scale = o->mem.scale ? o->mem.scale : 1,
        .width = address_width(insn, o),
        .segment = segment_of(o->mem.segment),
        .mask = FNP_NO_REG,
        .read = (o->actions & ZYDIS_OPERAND_ACTION_MASK_READ) != 0,
        .write = (o->actions & ZYDIS_OPERAND_ACTION_MASK_WRITE) != 0,
        /* Not by Zydis' conditional actions: cmov reads and cmpxchg writes anyway. */
        .maybe = overlay == OVERLAY_MAYBE,
        .len = (uint16_t)(o->size / 8),
        .disp = o->mem.disp.value,
    };
    if (o->mem.base == ZYDIS_REGISTER_RIP || o->mem.base == ZYDIS_REGISTER_EIP) {
        t->disp += (int64_t)next;
        out->rip_relative = true;
        out->disp_at = insn->info.raw.disp.offset;
    }
    t->weak = out->order == FNP_ORDERS_WEAK && t->write;
    place(insn, overlay, o, t);
    apply_mask(insn, overlay, o, t);
    out->n_touches++;
}

/* Writes of which Zydis says nothing: the whole line or block at a register's address. */
static void add_block(const struct insn *insn, uint8_t where, uint8_t base,
                      struct fnp_effect *out)
{
    const uint8_t width = (uint8_t)(insn->info.address_width / 8);

    out->touch[out->n_touches++] = (struct fnp_touch){ .where = where,
                                                       .base = base,
                                                       .index = FNP_NO_REG,
                                                       .scale = 1,
                                                       .width = width,
                                                       .mask = FNP_NO_REG,
                                                       .write = true,
                                                       .weak = true,
                                                       .len = LINE_LEN };
}

static void note_memory(const struct insn *insn, uint64_t next, struct fnp_effect *out)
{
    enum overlay overlay = (enum overlay)overlays[insn->info.mnemonic];

    for (unsigned i = 0; i < insn->info.operand_count; i++) {
        const ZydisDecodedOperand *o = &insn->operands[i];
        bool own =
            overlay == OVERLAY_TARGET && (o->actions & ZYDIS_OPERAND_ACTION_MASK_WRITE);

        if (o->type != ZYDIS_OPERAND_TYPE_MEMORY || own ||
            out->n_touches == FNP_MAX_TOUCHES)
            continue;
        if (o->mem.type == ZYDIS_MEMOP_TYPE_AGEN || overlay == OVERLAY_NOTHING ||
            is_hint(insn)) {
            /* Nothing is accessed, but the address is still part of the bytes. */
            if (o->mem.base == ZYDIS_REGISTER_RIP ||
                o->mem.base == ZYDIS_REGISTER_EIP) {
                out->rip_relative = true;
                out->disp_at = insn->info.raw.disp.offset;
            }
            continue;
        }
        add_touch(insn, overlay, next, o, out);
    }
    if (overlay == OVERLAY_LINE)
        add_block(insn, FNP_WHERE_LINE, FNP_RAX, out);
    if (overlay == OVERLAY_TARGET)
        add_block(insn, FNP_WHERE_PLAIN, fnp_insn_gpr(insn->operands[0].reg.value),
                  out);
}

/* ---- control flow */

static uint8_t flow_of(const struct insn *insn)
{
    switch (insn->info.mnemonic) {
    case ZYDIS_MNEMONIC_UD0:
    case ZYDIS_MNEMONIC_UD1:
    case ZYDIS_MNEMONIC_UD2:
    case ZYDIS_MNEMONIC_INT3:
        return FNP_FLOW_TRAP;
    case ZYDIS_MNEMONIC_INTO:
    case ZYDIS_MNEMONIC_BOUND:
        return FNP_FLOW_NEXT; /* mostly */
    case ZYDIS_MNEMONIC_SYSCALL:
    case ZYDIS_MNEMONIC_SYSENTER:
        return FNP_FLOW_SYSCALL;
    case ZYDIS_MNEMONIC_INT:
        return insn->operands[0].imm.value.u == 0x80 ? FNP_FLOW_SYSCALL : FNP_FLOW_TRAP;
    case ZYDIS_MNEMONIC_INT1:
    case ZYDIS_MNEMONIC_XBEGIN:
    case ZYDIS_MNEMONIC_XABORT:
        return FNP_FLOW_FAR;
    default:
        break;
    }
    if (insn->info.meta.branch_type == ZYDIS_BRANCH_TYPE_FAR)
        return FNP_FLOW_FAR;
    switch (insn->info.meta.category) {
    case ZYDIS_CATEGORY_UNCOND_BR:
        return FNP_FLOW_JUMP;
    case ZYDIS_CATEGORY_COND_BR:
        return FNP_FLOW_BRANCH;
    case ZYDIS_CATEGORY_CALL:
        return FNP_FLOW_CALL;
    case ZYDIS_CATEGORY_RET:
        return insn->info.mnemonic == ZYDIS_MNEMONIC_RET ? FNP_FLOW_RET : FNP_FLOW_FAR;
    case ZYDIS_CATEGORY_SYSRET:
    case ZYDIS_CATEGORY_INTERRUPT:
        return FNP_FLOW_FAR;
    default:
        return FNP_FLOW_NEXT;
    }
}

static void note_flow(const struct insn *insn, uint64_t next, struct fnp_effect *out)
{
    const ZydisDecodedOperand *first = &insn->operands[0];

    out->flow = flow_of(insn);
    out->opcode = insn->info.opcode;
    out->condition = insn->info.opcode & 15;
    out->is_direct = insn->info.operand_count_visible > 0 &&
                     first->type == ZYDIS_OPERAND_TYPE_IMMEDIATE &&
                     first->imm.is_relative;
    if (out->is_direct) {
        out->target = next + first->imm.value.u;
        out->target &= insn->is32 ? UINT32_MAX : UINT64_MAX;
    }
    if (out->flow == FNP_FLOW_RET && insn->info.operand_count_visible)
        out->pop_len = (uint16_t)first->imm.value.u;
    out->short_branch = out->flow == FNP_FLOW_BRANCH &&
                        insn->info.opcode_map == ZYDIS_OPCODE_MAP_DEFAULT &&
                        (insn->info.opcode & 0xf0) != 0x70;
    out->ecx_only = insn->info.address_width != (insn->is32 ? 32 : 64);
}

/* ---- the rest */

/* Does it load this segment register? */
static bool loads_segment(const struct insn *insn, ZydisRegister reg)
{
    for (unsigned i = 0; i < insn->info.operand_count; i++) {
        const ZydisDecodedOperand *o = &insn->operands[i];

        if (o->type == ZYDIS_OPERAND_TYPE_REGISTER && o->reg.value == reg &&
            (o->actions & ZYDIS_OPERAND_ACTION_MASK_WRITE))
            return true;
    }
    return false;
}

static const char *far_refusal(ZydisMnemonic mnemonic)
{
    switch (mnemonic) {
    case ZYDIS_MNEMONIC_INT1:
        return "icebp";
    case ZYDIS_MNEMONIC_XBEGIN:
    case ZYDIS_MNEMONIC_XABORT:
        return "a transaction";
    case ZYDIS_MNEMONIC_IRET:
    case ZYDIS_MNEMONIC_IRETD:
    case ZYDIS_MNEMONIC_IRETQ:
        return "a return from an interrupt";
    default:
        return "a far transfer";
    }
}

/*
 * CET keeps return addresses of its own.  What a branch with a 16-bit operand does
 * differs between makers (SDM vol. 2A, JMP; APM vol. 3).  In 32-bit code what records
 * reaches memory by ds.
 */
static const char *refusal(const struct insn *insn, const struct fnp_effect *e)
{
    if (e->flow == FNP_FLOW_FAR)
        return far_refusal(insn->info.mnemonic);
    if (insn->info.meta.category == ZYDIS_CATEGORY_CET &&
        insn->info.mnemonic != ZYDIS_MNEMONIC_ENDBR64 &&
        insn->info.mnemonic != ZYDIS_MNEMONIC_ENDBR32)
        return "a shadow stack instruction";
    if (insn->info.mnemonic == ZYDIS_MNEMONIC_ENTER &&
        insn->operands[1].imm.value.u % 32 != 0)
        return "enter with nested frames";
    if (e->flow >= FNP_FLOW_JUMP && e->flow <= FNP_FLOW_RET &&
        (insn->info.attributes & ZYDIS_ATTRIB_HAS_OPERANDSIZE))
        return "a branch with a 16-bit operand";
    if (insn->is32 && loads_segment(insn, ZYDIS_REGISTER_DS))
        return "a load of ds";
    return NULL;
}

/* mov to a control register, cr8 apart, or to a debug register */
static bool sets_system_register(const struct insn *insn)
{
    const ZydisDecodedOperand *o = &insn->operands[0];
    ZydisRegister reg =
        o->type == ZYDIS_OPERAND_TYPE_REGISTER ? o->reg.value : ZYDIS_REGISTER_NONE;
    ZydisRegisterClass class = ZydisRegisterGetClass(reg);

    return insn->info.mnemonic == ZYDIS_MNEMONIC_MOV &&
           ((class == ZYDIS_REGCLASS_CONTROL && reg != ZYDIS_REGISTER_CR8) ||
            class == ZYDIS_REGCLASS_DEBUG);
}

static bool is_exchange(const struct insn *insn)
{
    const ZydisDecodedOperand *o = insn->operands;

    return insn->info.mnemonic == ZYDIS_MNEMONIC_XCHG &&
           (o[0].type == ZYDIS_OPERAND_TYPE_MEMORY ||
            o[1].type == ZYDIS_OPERAND_TYPE_MEMORY);
}

static void note_order(const struct insn *insn, struct fnp_effect *out)
{
    out->order = orders[insn->info.mnemonic];
    if ((insn->info.attributes & ZYDIS_ATTRIB_HAS_LOCK) || is_exchange(insn) ||
        sets_system_register(insn))
        out->order = FNP_ORDERS_FENCE;
}

/* Of string instructions. */
static bool compares(ZydisMnemonic m)
{
    switch (m) {
    case ZYDIS_MNEMONIC_CMPSB:
    case ZYDIS_MNEMONIC_CMPSW:
    case ZYDIS_MNEMONIC_CMPSD:
    case ZYDIS_MNEMONIC_CMPSQ:
    case ZYDIS_MNEMONIC_SCASB:
    case ZYDIS_MNEMONIC_SCASW:
    case ZYDIS_MNEMONIC_SCASD:
    case ZYDIS_MNEMONIC_SCASQ:
        return true;
    default:
        return false;
    }
}

static void note_repeat(const struct insn *insn, struct fnp_effect *out)
{
    ZydisMnemonic m = insn->info.mnemonic;

    out->rep = (insn->info.attributes & (ZYDIS_ATTRIB_HAS_REP | ZYDIS_ATTRIB_HAS_REPE |
                                         ZYDIS_ATTRIB_HAS_REPNE)) &&
               insn->info.meta.category == ZYDIS_CATEGORY_STRINGOP;
    out->rep_compare = out->rep && compares(m);
    out->sets_df = m == ZYDIS_MNEMONIC_STD;
    out->clears_df = m == ZYDIS_MNEMONIC_CLD || m == ZYDIS_MNEMONIC_POPF ||
                     m == ZYDIS_MNEMONIC_POPFD || m == ZYDIS_MNEMONIC_POPFQ;
}

static void note_x87(const struct insn *insn, struct fnp_effect *out)
{
    out->x87 = x87s[insn->info.mnemonic].effect;
    out->x87_top = x87s[insn->info.mnemonic].top;
    for (unsigned i = 0; i < insn->info.operand_count_visible; i++) {
        const ZydisDecodedOperand *o = &insn->operands[i];

        if (o->type == ZYDIS_OPERAND_TYPE_REGISTER &&
            ZydisRegisterGetClass(o->reg.value) == ZYDIS_REGCLASS_MMX)
            out->x87 = FNP_X87_STACK_VALID;
    }
}

static uint8_t stand_in_for(const struct insn *insn, const struct fnp_effect *e)
{
    bool lacks = !(fnp_cpu_features() >> FNP_FEATURE_AMD3DNOW & 1);

    if (insn->info.mnemonic == ZYDIS_MNEMONIC_FEMMS)
        return lacks ? FNP_STAND_IN_EMMS : FNP_STAND_IN_NONE;
    return fnp_insn_is_privileged(&insn->info) && e->flow == FNP_FLOW_NEXT
               ? FNP_STAND_IN_NOP
               : FNP_STAND_IN_NONE;
}

bool fnp_effect_of(const struct fnp_code *code, uint64_t addr, struct fnp_effect *out)
{
    struct insn insn = { .is32 = code->is32 };
    ZydisDecoder decoder;
    uint64_t offset = addr - code->addr;

    *out = (struct fnp_effect){ 0 };
    if (addr < code->addr || offset >= code->len)
        return false;
    fnp_insn_decoder(code, &decoder);
    if (ZYAN_FAILED(ZydisDecoderDecodeFull(&decoder, code->bytes + offset,
                                           code->len - offset, &insn.info,
                                           insn.operands)))
        return false;
    out->len = insn.info.length;
    out->modrm_at = insn.info.raw.modrm.offset;
    out->mask_is_mmx = insn.info.mnemonic == ZYDIS_MNEMONIC_MASKMOVQ;
    note_order(&insn, out);
    note_repeat(&insn, out);
    note_flow(&insn, addr + out->len, out);
    note_memory(&insn, addr + out->len, out);
    note_registers(&insn, out);
    note_x87(&insn, out);
    out->stand_in = stand_in_for(&insn, out);
    out->refused = refusal(&insn, out);
    return true;
}
