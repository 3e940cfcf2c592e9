/* SPDX-License-Identifier: MIT */
/*
 * dynamic_internal.h - shared by the two halves of the reader of dynamic tables
 *
 * dynamic.c reads headers and the dynamic section, dynamic_symbols.c the symbol
 * tables they point to.  Everybody else uses dynamic.h.
 *
 * Depends on: dynamic.
 */
#ifndef FNP_SUBJECT_DYNAMIC_INTERNAL_H
#define FNP_SUBJECT_DYNAMIC_INTERNAL_H

#include "subject/dynamic.h"
#include "subject/elf_wide.h"

/* Entries of the dynamic section that matter: DYN_ENTRY(NAME) is DT_NAME. */
#define FNP_DYN_ENTRIES(DYN_ENTRY)                                                     \
    DYN_ENTRY(HASH)                                                                    \
    DYN_ENTRY(GNU_HASH)                                                                \
    DYN_ENTRY(STRTAB)                                                                  \
    DYN_ENTRY(STRSZ)                                                                   \
    DYN_ENTRY(SYMTAB)                                                                  \
    DYN_ENTRY(SYMENT)                                                                  \
    DYN_ENTRY(REL)                                                                     \
    DYN_ENTRY(RELSZ)                                                                   \
    DYN_ENTRY(RELENT)                                                                  \
    DYN_ENTRY(RELA)                                                                    \
    DYN_ENTRY(RELASZ)                                                                  \
    DYN_ENTRY(RELAENT)                                                                 \
    DYN_ENTRY(JMPREL)                                                                  \
    DYN_ENTRY(PLTREL)                                                                  \
    DYN_ENTRY(PLTRELSZ)                                                                \
    DYN_ENTRY(RELR)                                                                    \
    DYN_ENTRY(RELRSZ)                                                                  \
    DYN_ENTRY(RELRENT)                                                                 \
    DYN_ENTRY(VERSYM)                                                                  \
    DYN_ENTRY(VERDEF)                                                                  \
    DYN_ENTRY(VERDEFNUM)

enum fnp_dyn_entry {
#define DYN_ENTRY(NAME) FNP_DYN_##NAME,
    FNP_DYN_ENTRIES(DYN_ENTRY)
#undef DYN_ENTRY
    FNP_N_DYN_ENTRIES,
};

/* What is known while reading. */
struct fnp_dyn_reader {
    struct fnp_arena *arena;
    const struct fnp_object *object;
    const struct fnp_wide_sizes *sizes;
    struct fnp_dyn *dyn;
    struct fnp_err *err;
    Elf64_Ehdr file;
    uint64_t entry[FNP_N_DYN_ENTRIES]; /* values; 0: absent, which no valid one is */
};

bool fnp_dyn_in_file(const struct fnp_dyn_reader *r, uint64_t offset, uint64_t len);

/* Read .dynsym and, if it is there, .symtab; loads and relocations are known. */
enum fnp_status fnp_dyn_read_symbols(struct fnp_dyn_reader *r);

#endif
