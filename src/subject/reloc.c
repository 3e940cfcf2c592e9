/* SPDX-License-Identifier: MIT */
/*
 * reloc.c - what each relocation type computes
 *
 * It reads no file and stores nothing.
 */
#include "subject/reloc.h"

#include <elf.h>
#include <stddef.h>

#include "base/status.h"

static const struct fnp_reloc_type types[] = {
#define RELOC64(TYPE, bytes, FORM, RANGE)                                              \
    { "R_X86_64_" #TYPE, R_X86_64_##TYPE,   bytes,                                     \
      FNP_RELOC_##FORM,  FNP_RELOC_##RANGE, false },
#define RELOC32(TYPE, bytes, FORM, RANGE)
#include "subject/reloc.def"
#undef RELOC64
#undef RELOC32
};

static const struct fnp_reloc_type types_32[] = {
#define RELOC64(TYPE, bytes, FORM, RANGE)
#define RELOC32(TYPE, bytes, FORM, RANGE)                                              \
    { "R_386_" #TYPE, R_386_##TYPE, bytes, FNP_RELOC_##FORM, FNP_RELOC_##RANGE, true },
#include "subject/reloc.def"
#undef RELOC64
#undef RELOC32
};

const struct fnp_reloc_type *fnp_reloc_find(uint32_t number, bool is32)
{
    const struct fnp_reloc_type *list = is32 ? types_32 : types;
    const size_t count = is32 ? FNP_ARRAY_LEN(types_32) : FNP_ARRAY_LEN(types);

    for (size_t i = 0; i < count; i++) {
        if (list[i].number == number) {
            return &list[i];
        }
    }
    return NULL;
}

bool fnp_reloc_wants_slot(const struct fnp_reloc_type *type)
{
    return type->form == FNP_RELOC_SLOT_PC || type->form == FNP_RELOC_SLOT_GOT;
}

bool fnp_reloc_wants_got(const struct fnp_reloc_type *type)
{
    return fnp_reloc_wants_slot(type) || type->form == FNP_RELOC_GOT ||
           type->form == FNP_RELOC_GOT_PC;
}

uint64_t fnp_reloc_value(const struct fnp_reloc_type *type,
                         const struct fnp_reloc_terms *terms)
{
    switch ((enum fnp_reloc_form)type->form) {
    case FNP_RELOC_ABSOLUTE:
        return terms->symbol + terms->addend;
    case FNP_RELOC_PC:
        return terms->symbol + terms->addend - terms->place;
    case FNP_RELOC_SLOT_PC:
        return terms->slot + terms->addend - terms->place;
    case FNP_RELOC_SLOT_GOT:
        return terms->slot - terms->got + terms->addend;
    case FNP_RELOC_GOT:
        return terms->symbol + terms->addend - terms->got;
    case FNP_RELOC_GOT_PC:
        return terms->got + terms->addend - terms->place;
    case FNP_RELOC_SIZE:
        return terms->size + terms->addend;
    case FNP_RELOC_NOTHING:
    case FNP_RELOC_TLS:
        break;
    }
    return 0;
}

bool fnp_reloc_fits(const struct fnp_reloc_type *type, uint64_t value)
{
    if (type->width == 0 || type->width >= 8 || type->range == FNP_RELOC_ANY) {
        return true;
    }
    if (type->is32) { /* -1 and 0xffffffff are one number */
        value = (uint64_t)(int32_t)(uint32_t)value;
    }

    unsigned bits = 8u * type->width;
    bool as_unsigned = value >> bits == 0;
    /* Sign-extended: the bits above the sign bit are all equal to it. */
    uint64_t top = value >> (bits - 1);
    bool as_signed = top == 0 || top == UINT64_MAX >> (bits - 1);

    switch ((enum fnp_reloc_range)type->range) {
    case FNP_RELOC_SIGNED:
        return as_signed;
    case FNP_RELOC_UNSIGNED:
        return as_unsigned;
    case FNP_RELOC_EITHER:
        return as_signed || as_unsigned;
    case FNP_RELOC_ANY:
        break;
    }
    return true;
}
