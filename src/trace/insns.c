/* SPDX-License-Identifier: MIT */
#include "trace/insns.h"

#include <string.h>

struct fnp_insn_slot {
    uint64_t addr; /* 0: empty */
    struct fnp_effect effect;
    struct fnp_insn_mark mark;
    bool is_code;
};

enum {
    FIRST_ROOM = 256
};

/* The code segment that holds addr, or NULL. */
static const struct fnp_segment *segment_at(const struct fnp_image *image,
                                            uint64_t addr)
{
    for (size_t i = 0; i < image->n_segments; i++) {
        const struct fnp_segment *s = &image->segments[i];

        if ((s->prot & FNP_PROT_X) && addr - s->addr < s->len)
            return s;
    }
    return NULL;
}

struct fnp_code fnp_insns_code(const struct fnp_image *image, uint64_t addr)
{
    const struct fnp_segment *s = segment_at(image, addr);

    if (!s)
        return (struct fnp_code){ .addr = addr, .is32 = image->is32 };
    return (struct fnp_code){
        .bytes = s->bytes, .len = s->len, .addr = s->addr, .is32 = image->is32
    };
}

static struct fnp_insn_slot *slot_of(struct fnp_insn_slot *slots, size_t room,
                                     uint64_t addr)
{
    size_t i = (size_t)(addr * 0x9e3779b97f4a7c15u >> 32) & (room - 1);

    while (slots[i].addr && slots[i].addr != addr)
        i = (i + 1) & (room - 1);
    return &slots[i];
}

static void grow(struct fnp_insns *insns)
{
    size_t room = insns->room ? 2 * insns->room : FIRST_ROOM;
    struct fnp_insn_slot *slots = fnp_arena_array(insns->arena, room, sizeof(*slots));

    for (size_t i = 0; i < insns->room; i++) {
        if (insns->slots[i].addr)
            *slot_of(slots, room, insns->slots[i].addr) = insns->slots[i];
    }
    insns->slots = slots;
    insns->room = room;
}

/* The slot of addr, with what decoding says; NULL: no code. */
static struct fnp_insn_slot *decoded(struct fnp_insns *insns, uint64_t addr)
{
    struct fnp_insn_slot *slot;

    if (2 * insns->count >= insns->room)
        grow(insns);
    slot = slot_of(insns->slots, insns->room, addr);
    if (!slot->addr) {
        const struct fnp_code code = fnp_insns_code(insns->image, addr);

        slot->addr = addr;
        slot->is_code = code.len && fnp_effect_of(&code, addr, &slot->effect);
        /* What it holds when it runs is not known here. */
        if (slot->is_code && (segment_at(insns->image, addr)->prot & FNP_PROT_W))
            slot->effect.refused = "code that can be written to";
        insns->count++;
    }
    return slot->is_code ? slot : NULL;
}

const struct fnp_effect *fnp_insns_at(struct fnp_insns *insns, uint64_t addr)
{
    struct fnp_insn_slot *slot = decoded(insns, addr);

    return slot ? &slot->effect : NULL;
}

struct fnp_insn_mark *fnp_insns_mark(struct fnp_insns *insns, uint64_t addr)
{
    struct fnp_insn_slot *slot = decoded(insns, addr);

    return slot ? &slot->mark : NULL;
}

const struct fnp_effect *fnp_insns_step(struct fnp_insns *insns, uint64_t addr)
{
    struct fnp_insn_slot *slot = decoded(insns, addr);

    if (!slot)
        return NULL;
    slot->mark.ran = true;
    return &slot->effect;
}

void fnp_insns_go(struct fnp_insns *insns, uint64_t from, uint64_t to)
{
    if (!insns->went)
        insns->went =
            fnp_arena_array(insns->arena, FNP_INSNS_WENT, sizeof(*insns->went));
    for (size_t i = 0; i < insns->n_went; i++) {
        if (insns->went[i].from == from && insns->went[i].to == to)
            return;
    }
    if (insns->n_went == FNP_INSNS_WENT)
        insns->went_full = true;
    else
        insns->went[insns->n_went++] = (struct fnp_went){ from, to };
}
