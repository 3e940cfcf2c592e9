/* SPDX-License-Identifier: MIT */
#include "trace/emit.h"

#include <string.h>

enum {
    REX_W = 0x48,
    REX_R = 4,
    REX_X = 2,
    REX_B = 1,
    ABSOLUTE = 5,   /* modrm with mod 0: disp32, rip-relative in 64-bit code */
    DISP8 = 0x40,   /* mod 1 */
    DISP32 = 0x80,  /* mod 2 */
    NEEDS_SIB = 4,  /* rm of rsp and r12 */
    SIB_BASE = 0x24 /* no index */
};

void fnp_emit_bytes(struct fnp_emit *e, const void *bytes, size_t len)
{
    if ((size_t)(e->end - e->at) < len) {
        e->full = true;
        return;
    }
    memcpy(e->at, bytes, len);
    e->at += len;
}

void fnp_emit_u8(struct fnp_emit *e, unsigned byte)
{
    unsigned char b = (unsigned char)byte;

    fnp_emit_bytes(e, &b, 1);
}

void fnp_emit_u32(struct fnp_emit *e, uint32_t word)
{
    fnp_emit_bytes(e, &word, sizeof(word));
}

/* From `behind` a displacement that ends there to `target`. */
static uint32_t distance(const unsigned char *behind, const void *target)
{
    return (uint32_t)((uintptr_t)target - (uintptr_t)behind);
}

/* The address of a slot; `rest` bytes of the instruction follow it. */
static void emit_slot(struct fnp_emit *e, unsigned reg, const void *slot, size_t rest)
{
    fnp_emit_u8(e, ABSOLUTE | (reg & 7) << 3);
    fnp_emit_u32(e, e->is32 ? (uint32_t)(uintptr_t)slot
                            : distance(e->at + 4 + rest, slot));
}

static void emit_rex(struct fnp_emit *e, unsigned reg, unsigned index, unsigned base)
{
    if (!e->is32)
        fnp_emit_u8(e, REX_W | (reg >= 8 ? REX_R : 0) | (index >= 8 ? REX_X : 0) |
                           (base >= 8 ? REX_B : 0));
}

static void with_slot(struct fnp_emit *e, unsigned opcode, unsigned reg,
                      const void *slot)
{
    emit_rex(e, reg, 0, 0);
    fnp_emit_u8(e, opcode);
    emit_slot(e, reg, slot, 0);
}

void fnp_emit_store(struct fnp_emit *e, unsigned reg, const void *slot)
{
    with_slot(e, 0x89, reg, slot);
}

void fnp_emit_load(struct fnp_emit *e, unsigned reg, const void *slot)
{
    with_slot(e, 0x8b, reg, slot);
}

void fnp_emit_address(struct fnp_emit *e, unsigned reg, const void *slot)
{
    with_slot(e, 0x8d, reg, slot);
}

void fnp_emit_push(struct fnp_emit *e, const void *slot)
{
    fnp_emit_u8(e, 0xff);
    emit_slot(e, 6, slot, 0);
}

void fnp_emit_pop(struct fnp_emit *e, const void *slot)
{
    fnp_emit_u8(e, 0x8f);
    emit_slot(e, 0, slot, 0);
}

void fnp_emit_jump_through(struct fnp_emit *e, const void *slot)
{
    fnp_emit_u8(e, 0xff);
    emit_slot(e, 4, slot, 0);
}

void fnp_emit_set_byte(struct fnp_emit *e, const void *slot)
{
    fnp_emit_u8(e, 0xc6);
    emit_slot(e, 0, slot, 1);
    fnp_emit_u8(e, 1);
}

static void with_base(struct fnp_emit *e, unsigned opcode, unsigned reg, unsigned base,
                      int32_t disp)
{
    emit_rex(e, reg, 0, base);
    fnp_emit_u8(e, opcode);
    fnp_emit_u8(e,
                (disp == (int8_t)disp ? DISP8 : DISP32) | (reg & 7) << 3 | (base & 7));
    if ((base & 7) == NEEDS_SIB)
        fnp_emit_u8(e, SIB_BASE);
    if (disp == (int8_t)disp)
        fnp_emit_u8(e, (uint8_t)disp);
    else
        fnp_emit_u32(e, (uint32_t)disp);
}

void fnp_emit_mov_to(struct fnp_emit *e, unsigned base, int32_t disp, unsigned reg)
{
    with_base(e, 0x89, reg, base, disp);
}

void fnp_emit_mov_from(struct fnp_emit *e, unsigned reg, unsigned base, int32_t disp)
{
    with_base(e, 0x8b, reg, base, disp);
}

void fnp_emit_lea(struct fnp_emit *e, unsigned reg, unsigned base, int32_t disp)
{
    with_base(e, 0x8d, reg, base, disp);
}

void fnp_emit_lea_index(struct fnp_emit *e, unsigned reg, unsigned base, unsigned index,
                        unsigned scale)
{
    unsigned log = scale == 8 ? 3 : scale == 4 ? 2 : scale == 2 ? 1 : 0;

    emit_rex(e, reg, index, base);
    fnp_emit_u8(e, 0x8d);
    fnp_emit_u8(e, DISP8 | (reg & 7) << 3 | NEEDS_SIB);
    fnp_emit_u8(e, log << 6 | (index & 7) << 3 | (base & 7));
    fnp_emit_u8(e, 0);
}

void fnp_emit_mov_word(struct fnp_emit *e, unsigned base, uint32_t word)
{
    fnp_emit_u8(e, 0xc7);
    fnp_emit_u8(e, base & 7);
    fnp_emit_u32(e, word);
}

void fnp_emit_jump(struct fnp_emit *e, const unsigned char *target)
{
    fnp_emit_u8(e, 0xe9);
    fnp_emit_u32(e, distance(e->at + 4, target));
}

void fnp_emit_branch(struct fnp_emit *e, unsigned condition,
                     const unsigned char *target)
{
    fnp_emit_u8(e, 0x0f);
    fnp_emit_u8(e, 0x80 | condition);
    fnp_emit_u32(e, distance(e->at + 4, target));
}

void fnp_emit_aim(unsigned char *behind, const unsigned char *target)
{
    uint32_t word = distance(behind, target);

    memcpy(behind - sizeof(word), &word, sizeof(word));
}
