/* SPDX-License-Identifier: MIT */
/*
 * image_link.h - from an entry symbol to laid-out, relocated pieces
 *
 * Three steps, in this order: collect what relocations reach, lay it out, relocate it
 * for a base address (any number of times).  Only image.c uses this.
 *
 * Depends on: elf, reloc, contract.
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
    uint32_t section; /* 0: made by the loader */
    uint8_t group;    /* enum fnp_group */
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

/* What a symbol of the object became. */
struct fnp_place {
    uint64_t value;
    uint32_t piece;
    uint32_t slot; /* GOT entry + 1; 0: none */
    uint8_t kind;  /* enum fnp_place_kind */
    bool barred;   /* a function that cannot be run here: it starts with a trap */
};

struct fnp_link {
    struct fnp_arena *scratch; /* for everything below but segments */
    const struct fnp_elf *elf;
    const struct fnp_contract *contract; /* set and stub; may be NULL */
    struct fnp_err *err;
    uint32_t entry_symbol; /* 0: by address */
    uint32_t entry_section;
    uint64_t entry_offset; /* in the section */

    struct fnp_piece *pieces; /* [0] is no piece */
    uint32_t n_pieces, max_pieces;
    uint32_t *section_piece;  /* by section */
    struct fnp_place *places; /* by symbol */
    uint32_t *slots;          /* symbol of each GOT entry */
    uint32_t n_slots;
    uint32_t got;         /* piece; FNP_PIECE_NONE: no GOT */
    uint32_t known;       /* mask of the words of known.def that were used */
    bool low;             /* a narrow absolute relocation holds an image address */
    uint32_t barred_last; /* the function barred last */
    uint64_t base;        /* of the last relocation */
};

/* Find everything the entry section reaches. */
enum fnp_status fnp_link_collect(struct fnp_link *link);

/* Give every piece an offset and every group a segment of `image`, addresses from 0. */
enum fnp_status fnp_link_layout(struct fnp_link *link, struct fnp_arena *arena,
                                struct fnp_image *image);

/* (Re)write all bytes for an image at `base`. */
enum fnp_status fnp_link_relocate(struct fnp_link *link, uint64_t base);

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
