/* SPDX-License-Identifier: MIT */
/*
 * elf.h - the tables of a relocatable ELF object of x86-64 or i386, checked
 *
 * After fnp_elf_parse every offset, index and name in here may be followed without
 * looking again; values of symbols and fields of relocations may still be anything.
 * Nothing is copied: names and contents are borrowed from the object's bytes.
 *
 * Depends on: base, image.h (struct fnp_object).
 */
#ifndef FNP_SUBJECT_ELF_H
#define FNP_SUBJECT_ELF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/status.h"
#include "subject/image.h"

struct fnp_elf_section {
    const char *name;
    uint32_t type, info, link;
    uint64_t flags;
    uint64_t size;              /* bytes */
    uint64_t align;             /* a power of two, at least 1 */
    const unsigned char *bytes; /* NULL when the file holds none (SHT_NOBITS) */
    uint32_t relas;      /* first relocation section that changes this one; 0: none */
    uint32_t next_relas; /* of a relocation section: the next one for the same target */
};

/* Where a symbol is defined. */
enum fnp_elf_place {
    FNP_ELF_UNDEFINED,
    FNP_ELF_SECTION,
    FNP_ELF_ABSOLUTE,
    FNP_ELF_COMMON, /* value is the alignment */
};

struct fnp_elf_symbol {
    const char *name; /* of a section symbol: the section's; never NULL */
    uint64_t value, size;
    uint32_t section;   /* with FNP_ELF_SECTION, a valid index */
    uint8_t place;      /* enum fnp_elf_place */
    uint8_t bind, type; /* STB_, STT_ */
};

/* Section 0 and symbol 0 are the null entries, as in the file. */
struct fnp_elf {
    const char *path;
    bool is32;      /* i386 */
    bool has_ifunc; /* among the symbols */
    struct fnp_elf_section *sections;
    uint32_t n_sections;
    struct fnp_elf_symbol *symbols;
    uint32_t n_symbols;
};

struct fnp_elf_rela {
    uint64_t offset; /* from the start of the target section; unchecked */
    uint64_t addend; /* 0 unless has_addend */
    bool has_addend; /* else it stands where the result goes */
    uint32_t type;
    uint32_t symbol; /* unchecked */
};

/*
 * Check and read the tables; FNP_INPUT with one sentence that names the file and the
 * part that is wrong.  The arena holds the two arrays only.
 */
enum fnp_status fnp_elf_parse(struct fnp_arena *arena, const struct fnp_object *object,
                              struct fnp_elf *out, struct fnp_err *err);

/* Entries of a relocation section, SHT_RELA or SHT_REL. */
size_t fnp_elf_n_relas(const struct fnp_elf *elf, const struct fnp_elf_section *relas);
struct fnp_elf_rela fnp_elf_rela(const struct fnp_elf *elf,
                                 const struct fnp_elf_section *relas, size_t i);

/* How well a symbol answers to a kernel's name; more is better. */
enum fnp_elf_rank {
    FNP_RANK_NONE,
    FNP_RANK_UNDEFINED,
    FNP_RANK_NUMBER, /* absolute or COMMON */
    FNP_RANK_DATA,
    FNP_RANK_LOCAL, /* code, from here on */
    FNP_RANK_WEAK,
    FNP_RANK_GLOBAL,
};
enum fnp_elf_rank fnp_elf_rank(const struct fnp_elf *elf,
                               const struct fnp_elf_symbol *symbol);

/* Is it an IFUNC, or a function at the place of one, which only chooses a function? */
bool fnp_elf_is_resolver(const struct fnp_elf *elf,
                         const struct fnp_elf_symbol *symbol);

/*
 * Is it the name of what a compiler split off a function (f.cold, f.constprop.0)?  Such
 * code has a calling convention of its own.
 */
bool fnp_elf_is_split(const char *name);

/* Is the symbol the start of a function, or of an IFUNC, as far as an object can tell? */
bool fnp_elf_is_function(const struct fnp_elf *elf,
                         const struct fnp_elf_symbol *symbol);

#endif
