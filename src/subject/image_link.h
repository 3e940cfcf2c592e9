/* SPDX-License-Identifier: MIT */
/*
 * image_link.h - from an entry symbol to laid-out, relocated pieces
 *
 * Four steps, in this order: begin with the entry's object, collect what relocations
 * reach in it and in other members of its archive, lay it out, relocate it for a base
 * address (any number of times).  Only image.c uses this.
 *
 * Depends on: elf, members, reloc, contract.
 */
#ifndef FNP_SUBJECT_IMAGE_LINK_H
#define FNP_SUBJECT_IMAGE_LINK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/status.h"
#include "subject/contract.h"
#include "subject/elf.h"
#include "subject/image.h"
#include "subject/members.h"

#define FNP_GOT_SYMBOL "_GLOBAL_OFFSET_TABLE_"

/* Pieces of one group share pages; groups lie in this order with a free page between. */
enum fnp_group {
    FNP_GROUP_CODE,  /* R X */
    FNP_GROUP_MIXED, /* R W X: code that patches itself */
    FNP_GROUP_CONST, /* R; the GOT too */
    FNP_GROUP_DATA,  /* R W */
    FNP_GROUP_TRAP,  /* no access: calling, reading or writing it faults */
    FNP_N_GROUPS,
};

enum {
    FNP_PIECE_NONE = 0, /* index of no piece */
};

/* Something with an address: a section, a COMMON symbol, a stub, a word, the GOT. */
struct fnp_piece {
    const char *name;           /* of what the loader made; NULL: a section */
    const unsigned char *bytes; /* content before relocation; NULL: zeros */
    uint64_t size, align;
    uint32_t module, section; /* section 0: made by the loader */
    uint8_t group;            /* enum fnp_group */
    bool is_code;
    uint64_t offset;    /* from the image's base; set by the layout */
    unsigned char *out; /* where its bytes are laid out */
};

enum fnp_place_kind {
    FNP_PLACE_UNSEEN, /* no relocation met yet refers to the symbol */
    FNP_PLACE_PIECE,  /* address of piece + value */
    FNP_PLACE_NUMBER, /* value itself */
    FNP_PLACE_WEAK,   /* undefined weak: 0, but code that runs to it meets `piece` */
};

/* What a symbol became. */
struct fnp_place {
    uint64_t value;
    uint32_t piece;
    uint32_t slot; /* GOT entry + 1; 0: none */
    uint8_t kind;  /* enum fnp_place_kind */
};

/* One object that takes part: the entry's, then members of its archive. */
struct fnp_module {
    const struct fnp_elf *elf;
    uint32_t *globals;        /* by symbol: index of its name; 0: local */
    uint32_t *section_piece;  /* by section */
    struct fnp_place *places; /* by symbol; of local ones */
    bool *barred; /* by symbol: a function that cannot be run here starts with a trap */
    uint32_t barred_last; /* the one barred last */
};

struct fnp_symbol_ref {
    uint32_t module, symbol;
};

/* A name that modules share. */
struct fnp_global {
    const char *name;
    uint32_t next;           /* of the same hash; 0: none */
    uint32_t module, symbol; /* its best definition; symbol 0: there is none */
    uint64_t size, align;    /* of a COMMON one: the largest of all modules */
    bool is_wanted;          /* referred to by more than weak symbols */
    struct fnp_place place;
};

enum {
    FNP_GLOBAL_HEADS = 1024
};

struct fnp_link {
    struct fnp_arena *scratch;           /* for everything below but segments */
    const struct fnp_contract *contract; /* set and stub; may be NULL */
    const struct fnp_members *archive; /* where undefined symbols are found, or NULL */
    struct fnp_err *err;
    const char *path; /* of the entry's object */
    bool is32;
    uint32_t entry_symbol; /* of module 0; 0: by address */
    uint32_t entry_section;
    uint64_t entry_offset; /* in the section */

    struct fnp_module *modules; /* [0] has the entry */
    uint32_t n_modules, max_modules;
    struct fnp_global *globals; /* [0] is no name */
    uint32_t n_globals, max_globals;
    uint32_t heads[FNP_GLOBAL_HEADS]; /* globals by hash of the name */

    struct fnp_piece *pieces; /* [0] is no piece */
    uint32_t n_pieces, max_pieces;
    struct fnp_symbol_ref *slots; /* what each GOT entry holds the address of */
    uint32_t n_slots, max_slots;
    uint32_t got;   /* piece; FNP_PIECE_NONE: no GOT */
    uint32_t known; /* mask of the words of known.def that were used */
    bool low;       /* a narrow absolute relocation holds an image address */
    bool again;     /* what was collected is out of date */
    uint64_t base;  /* of the last relocation */
};

/* The entry's object, before anything else; FNP_INPUT when it has too many symbols. */
enum fnp_status fnp_link_begin(struct fnp_link *link, const struct fnp_elf *elf);

/* Find everything the entry section reaches. */
enum fnp_status fnp_link_collect(struct fnp_link *link);

/* Give every piece an offset and every group a segment of `image`, addresses from 0. */
enum fnp_status fnp_link_layout(struct fnp_link *link, struct fnp_arena *arena,
                                struct fnp_image *image);

/* (Re)write all bytes for an image at `base`. */
enum fnp_status fnp_link_relocate(struct fnp_link *link, uint64_t base);

/* ---- symbols: image_resolve.c */

/* Add an object, and what it defines. */
enum fnp_status fnp_link_add_module(struct fnp_link *link, const struct fnp_elf *elf);

/* Forget all places, but neither modules nor names. */
void fnp_link_forget(struct fnp_link *link);

/* Find out what a symbol is; the place may move only when names are added. */
enum fnp_status fnp_link_reach(struct fnp_link *link, uint32_t module, uint32_t symbol);

/* The place of a symbol that was reached. */
struct fnp_place *fnp_link_place(const struct fnp_link *link, uint32_t module,
                                 uint32_t symbol);

/* The symbol's size, where it is defined. */
uint64_t fnp_link_size(const struct fnp_link *link, uint32_t module, uint32_t symbol);

/* ---- pieces */

/* The section's piece; adding it puts its relocations on the list of work. */
uint32_t fnp_link_section(struct fnp_link *link, uint32_t module, uint32_t section);

/* The GOT's piece. */
uint32_t fnp_link_got(struct fnp_link *link);

/* May code refer to this section's bytes?  Others become traps, nothing follows them. */
bool fnp_link_is_loadable(const struct fnp_elf_section *section);

/*
 * The piece that stands for a symbol the object lacks: a definition of the contract, a
 * return or indirect-branch thunk, a profiling hook; FNP_PIECE_NONE when there is none.
 */
uint32_t fnp_link_define(struct fnp_link *link, const char *name, bool built_in);

/* A new piece, filled from `piece`; its index. */
uint32_t fnp_link_add(struct fnp_link *link, const struct fnp_piece *piece);

/* A new trap with this name. */
uint32_t fnp_link_trap(struct fnp_link *link, const char *name);

#endif
