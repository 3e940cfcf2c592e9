/* SPDX-License-Identifier: MIT */
/*
 * dynamic.h - the tables of a shared object or PIE (ET_DYN), checked
 *
 * What program headers, dynamic section and, where there are any, section headers of
 * an ELF64 x86-64 or ELF32 i386 file say.  After fnp_dyn_parse every table and name
 * may be followed without looking again; addresses in symbols and relocations may
 * still be anything.  Nothing is mapped, relocated or run here.
 *
 * Depends on: base, image.h (struct fnp_object).
 */
#ifndef FNP_SUBJECT_DYNAMIC_H
#define FNP_SUBJECT_DYNAMIC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/status.h"
#include "subject/image.h"

/* A PT_LOAD; they ascend and do not overlap. */
struct fnp_dyn_load {
    uint64_t vaddr;
    uint64_t memsz;             /* bytes, never 0 */
    uint64_t filesz;            /* bytes the file holds; zeros follow */
    const unsigned char *bytes; /* [0, filesz), borrowed from the file */
    unsigned prot;              /* enum fnp_prot */
};

/* Relocations of one table. */
struct fnp_dyn_relocs {
    const unsigned char *bytes; /* borrowed; NULL: there is no such table */
    size_t count;
    bool has_addend;
};

enum {
    FNP_DYN_TABLES = 3, /* DT_REL, DT_RELA, DT_JMPREL */
};

struct fnp_dyn_symbol {
    const char *name;    /* without the version; never NULL */
    const char *version; /* NULL: none */
    uint64_t value, size;
    uint8_t bind, type; /* STB_, STT_ */
    bool is_defined;
    bool is_number;  /* absolute: value is no address */
    bool is_default; /* the plain name means this version */
};

struct fnp_dyn {
    const char *path;
    bool is32;
    uint64_t lo, hi; /* virtual addresses of all loads, whole pages */
    struct fnp_dyn_load *loads;
    size_t n_loads;              /* at least 1 */
    uint64_t relro_lo, relro_hi; /* read-only after relocation; equal: nothing is */
    struct fnp_dyn_relocs relocs[FNP_DYN_TABLES];
    const unsigned char *relr; /* DT_RELR */
    size_t n_relr;
    struct fnp_dyn_symbol *bound; /* .dynsym: relocations refer to these */
    size_t n_bound;
    struct fnp_dyn_symbol *symbols; /* .symtab, or .dynsym again when it is stripped */
    size_t n_symbols;
};

/*
 * Check and read the tables; FNP_INPUT with one sentence that names the file and the
 * part that is wrong.  The arrays live in the arena.
 */
enum fnp_status fnp_dyn_parse(struct fnp_arena *arena, const struct fnp_object *object,
                              struct fnp_dyn *out, struct fnp_err *err);

/* Is the file an ET_DYN of a machine we load? */
bool fnp_dyn_is(const struct fnp_object *object);

/* The load that holds [vaddr, vaddr + len) in memory, or NULL. */
const struct fnp_dyn_load *fnp_dyn_load_at(const struct fnp_dyn *dyn, uint64_t vaddr,
                                           uint64_t len);

/* The file's bytes at [vaddr, vaddr + len), or NULL where it holds none. */
const unsigned char *fnp_dyn_bytes(const struct fnp_dyn *dyn, uint64_t vaddr,
                                   uint64_t len);

#endif
