/* SPDX-License-Identifier: MIT */
/*
 * image.h - a kernel's code and data, relocated for a fixed address, as bytes
 *
 * The loader reads a relocatable ELF object of x86-64 or i386, pulls in what relocations
 * reach from the entry symbol, and lays it out for the address where a worker will
 * map it.  A shared object is taken as a whole (shared.h).  It maps nothing itself and
 * runs nothing; every undefined symbol becomes a stub that traps, and only reaching it
 * is an error.
 *
 * Depends on: base.
 */
#ifndef FNP_SUBJECT_IMAGE_H
#define FNP_SUBJECT_IMAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/arena.h"
#include "base/status.h"
#include "subject/contract.h"

/* Where images are mapped.  Low for i386, and when narrow absolute relocations ask. */
#define FNP_IMAGE_HIGH 0x2a4000000000u
#define FNP_IMAGE_LOW  0x0000000020000000u
/* 256 MiB per slot; slot 0 kernel, slot 1 reference. */
#define FNP_IMAGE_SPAN 0x10000000u

enum fnp_prot {
    FNP_PROT_R = 1,
    FNP_PROT_W = 2,
    FNP_PROT_X = 4
};

/* A run of pages with one protection; 0: no access.  bytes[0, len) is the content. */
struct fnp_segment {
    uint64_t addr;
    size_t len;           /* multiple of 4096 */
    unsigned prot;        /* enum fnp_prot */
    unsigned char *bytes; /* owned by the arena */
};

/* A name for an address range; stubs are named after the undefined symbol. */
struct fnp_symbol {
    const char *name;
    uint64_t addr;
    uint64_t size;
    bool is_code;
    /*
     * Reaching it is the finding "undefined symbol NAME".  Traps of undefined symbols lie
     * in a segment without any access, so that reading them faults too; a function that
     * cannot be run here (thread-local storage) begins with ud2 and says so in its name.
     */
    bool is_trap;
};

/*
 * Is it a trap for what the loader cannot give ("IFUNC memcpy", "thread-local storage"),
 * rather than for a name that nobody defines?  Such a name has a space.
 */
static inline bool fnp_symbol_is_refused(const struct fnp_symbol *symbol)
{
    return symbol->is_trap && strchr(symbol->name, ' ');
}

struct fnp_image {
    const char *path; /* for messages and DWARF */
    uint64_t entry;
    uint64_t code_len; /* bytes of the entry symbol, 0 when unknown */
    bool is32;         /* code for a 32-bit segment, below 2 GiB */
    uint32_t known;    /* mask of the threshold words of known.def it uses (stub.h) */
    struct fnp_segment segments[16];
    size_t n_segments;
    struct fnp_symbol *symbols; /* by address */
    size_t n_symbols;
    /* "sha256:..." of code bytes and relocations of what was pulled in, independent of
     * the kernel's name and place; the names of undefined symbols count. */
    char code[80];
};

struct fnp_shared_cache;
struct fnp_members;

/* The file's bytes; borrowed by everything made from it. */
struct fnp_object {
    const char *path; /* "FILE"; of an archive's member "FILE.a(NAME)" */
    const unsigned char *bytes;
    size_t len;
    /* What the kernels of one shared object share; NULL: each is loaded on its own. */
    struct fnp_shared_cache *shared;
    const struct fnp_members *members;  /* of an archive; NULL: it is none */
    const struct fnp_members *siblings; /* of a member: all of its archive; else NULL */
};

/*
 * Read a whole file into the arena; of an archive its members too, of a libtool object
 * (.lo) the object it names, of "FILE.a(NAME)" that member.  FNP_INPUT with one sentence
 * when it cannot be read.
 */
enum fnp_status fnp_object_read(struct fnp_arena *arena, const char *path,
                                struct fnp_object *out, struct fnp_err *err);

/*
 * What kind of file this is, by magic: NULL when it is a relocatable or shared ELF object
 * of x86-64 or i386 or an archive that was read, else one sentence that says what it is
 * ("Mach-O object", "LLVM bitcode" ...).
 */
const char *fnp_object_unsupported(const struct fnp_object *object);

/* Is it an ELF file of the 32-bit class? */
bool fnp_object_is32(const struct fnp_object *object);

/*
 * Function symbols (also local and hidden ones), sorted by name; for globs and `list`.
 * An archive has those of every member.
 */
struct fnp_object_symbol {
    const char *name;
    uint64_t size;
    bool is_global;
    bool is_ifunc; /* a resolver that chooses a function; it cannot be verified */
    const struct fnp_object *object; /* the archive's member that has it; else NULL */
    bool
        by_member; /* object->path names it; FILE.a:NAME means another or is undecided */
};
enum fnp_status fnp_object_functions(struct fnp_arena *arena,
                                     const struct fnp_object *object,
                                     struct fnp_object_symbol **out, size_t *count,
                                     struct fnp_err *err);

/*
 * Load `symbol` (NULL: `address` within .text; of a shared object, the virtual address)
 * for slot 0 or 1.  `contract` gives
 * set and stub definitions (may be NULL).  A missing symbol is FNP_INPUT with the
 * nearest name; a damaged file is FNP_INPUT; relocations that cannot be honoured
 * (TLS, IFUNC, IRELATIVE) become trap stubs where possible, else FNP_INPUT.
 *
 * What a member of an archive leaves undefined comes from the archive's other members,
 * as a static linker would take it, unless the contract or stub.h has it.
 */
enum fnp_status fnp_image_load(struct fnp_arena *arena, const struct fnp_object *object,
                               const char *symbol, const struct fnp_contract *contract,
                               unsigned slot, struct fnp_image *out,
                               struct fnp_err *err);

/* The symbol that covers addr (or the nearest one below in the same segment), or NULL. */
const struct fnp_symbol *fnp_image_symbol(const struct fnp_image *image, uint64_t addr);

/* Pointer to the image's bytes at addr and how many follow, or NULL outside. */
const unsigned char *fnp_image_bytes(const struct fnp_image *image, uint64_t addr,
                                     size_t *avail);

#endif
