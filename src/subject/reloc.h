/* SPDX-License-Identifier: MIT */
/*
 * reloc.h - what each relocation type of x86-64 and i386 computes, from reloc.def
 *
 * Arithmetic only: this module knows no files, sections or symbols.
 *
 * Depends on: nothing.
 */
#ifndef FNP_SUBJECT_RELOC_H
#define FNP_SUBJECT_RELOC_H

#include <stdbool.h>
#include <stdint.h>

/* How the value is made; the letters are those of the psABI. */
enum fnp_reloc_form {
    FNP_RELOC_NOTHING,
    FNP_RELOC_ABSOLUTE, /* S + A */
    FNP_RELOC_PC,       /* S + A - P; also L + A - P, there is no PLT */
    FNP_RELOC_SLOT_PC,  /* G + GOT + A - P */
    FNP_RELOC_SLOT_GOT, /* G + A; i386 without a base register: the slot's address + A */
    FNP_RELOC_GOT,      /* S + A - GOT */
    FNP_RELOC_GOT_PC,   /* GOT + A - P */
    FNP_RELOC_SIZE,     /* Z + A */
    FNP_RELOC_TLS,      /* not computed */
};

/* Which values fit the field. */
enum fnp_reloc_range {
    FNP_RELOC_ANY,      /* no check */
    FNP_RELOC_SIGNED,   /* the field sign-extends to the value */
    FNP_RELOC_UNSIGNED, /* the field zero-extends to the value */
    FNP_RELOC_EITHER,
};

struct fnp_reloc_type {
    const char *name; /* "R_X86_64_PC32", "R_386_PC32" */
    uint32_t number;
    uint8_t width; /* bytes of the field */
    uint8_t form;  /* enum fnp_reloc_form */
    uint8_t range; /* enum fnp_reloc_range */
    bool is32;     /* of i386: values count modulo 2^32 */
};

/* The operands of one relocation, all absolute addresses except size and addend. */
struct fnp_reloc_terms {
    uint64_t symbol; /* S */
    uint64_t addend; /* A */
    uint64_t place;  /* P */
    uint64_t slot;   /* G + GOT: the symbol's GOT entry */
    uint64_t got;    /* GOT */
    uint64_t size;   /* Z */
};

/* NULL for a type that has no place in a relocatable object. */
const struct fnp_reloc_type *fnp_reloc_find(uint32_t number, bool is32);

/* Does the form need a GOT entry for the symbol? */
bool fnp_reloc_wants_slot(const struct fnp_reloc_type *type);

/* Does the form need the GOT to exist? */
bool fnp_reloc_wants_got(const struct fnp_reloc_type *type);

/* The value, modulo 2^64; not for FNP_RELOC_TLS. */
uint64_t fnp_reloc_value(const struct fnp_reloc_type *type,
                         const struct fnp_reloc_terms *terms);

/* Does the value fit the field? */
bool fnp_reloc_fits(const struct fnp_reloc_type *type, uint64_t value);

#endif
