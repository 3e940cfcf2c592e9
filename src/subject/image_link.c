/* SPDX-License-Identifier: MIT */
/*
 * image_link.c - collect what an entry symbol reaches, lay it out, relocate it
 *
 * It maps nothing and runs nothing, and it trusts no field of a relocation.
 */
#include "subject/image_link.h"

#include <assert.h>
#include <elf.h>
#include <string.h>

#include "subject/reloc.h"

#define PAGE       ((uint64_t)4096)
#define ALIGN_MAX  ((uint64_t)64 * 1024)
#define IMAGE_MAX  ((uint64_t)64 * 1024 * 1024) /* bytes of content in one image */
#define GOT_SYMBOL "_GLOBAL_OFFSET_TABLE_"

/* ud2: the first bytes of a function that must not be run. */
static const unsigned char trap_code[2] = { 0x0f, 0x0b };

uint32_t fnp_link_add(struct fnp_link *link, const struct fnp_piece *piece)
{
    assert(link->n_pieces < link->max_pieces);
    link->pieces[link->n_pieces] = *piece;
    return link->n_pieces++;
}

/* Bytes of one GOT entry. */
static size_t got_entry(const struct fnp_link *link)
{
    return link->elf->is32 ? 4 : 8;
}

/* "my.o: .text+0x12: " and the sentence's rest, for errors about one relocation. */
#define FAIL_AT(link, piece, rela, format, ...)                                        \
    fnp_err_set((link)->err, FNP_INPUT, "%s: %s+%#llx: " format, (link)->elf->path,    \
                (link)->elf->sections[(piece)->section].name,                          \
                (unsigned long long)(rela)->offset, __VA_ARGS__)

/* May code refer to this section's bytes?  Others become traps, nothing follows them. */
static bool is_loadable(const struct fnp_elf_section *section)
{
    if (!(section->flags & SHF_ALLOC) || (section->flags & SHF_TLS)) {
        return false;
    }
    switch (section->type) {
    case SHT_INIT_ARRAY:
    case SHT_FINI_ARRAY:
    case SHT_PREINIT_ARRAY:
    case SHT_NOTE:
    case SHT_RELA:
    case SHT_SYMTAB:
    case SHT_STRTAB:
    case SHT_NULL:
        return false;
    default:
        return true;
    }
}

static uint8_t section_group(uint64_t flags)
{
    if (flags & SHF_EXECINSTR) {
        return flags & SHF_WRITE ? FNP_GROUP_MIXED : FNP_GROUP_CODE;
    }
    return flags & SHF_WRITE ? FNP_GROUP_DATA : FNP_GROUP_CONST;
}

/* The section's piece; adding it puts its relocations on the list of work. */
static uint32_t reach_section(struct fnp_link *link, uint32_t index)
{
    const struct fnp_elf_section *section = &link->elf->sections[index];

    if (link->section_piece[index] == FNP_PIECE_NONE) {
        link->section_piece[index] =
            fnp_link_add(link, &(struct fnp_piece){
                                   .bytes = section->bytes,
                                   .size = section->size,
                                   .align = section->align,
                                   .section = index,
                                   .group = section_group(section->flags),
                                   .is_code = section->flags & SHF_EXECINSTR,
                               });
    }
    return link->section_piece[index];
}

static uint32_t reach_got(struct fnp_link *link)
{
    if (link->got == FNP_PIECE_NONE) {
        link->got = fnp_link_add(link, &(struct fnp_piece){
                                           .name = GOT_SYMBOL,
                                           .size = got_entry(link),
                                           .align = got_entry(link),
                                           .group = FNP_GROUP_CONST,
                                       });
    }
    return link->got;
}

/* COMMON: value is the alignment; a damaged one is reported by the layout. */
static uint32_t add_common(struct fnp_link *link, const struct fnp_elf_symbol *symbol)
{
    return fnp_link_add(link, &(struct fnp_piece){
                                  .name = symbol->name,
                                  .size = symbol->size,
                                  .align = symbol->value ? symbol->value : 1,
                                  .group = FNP_GROUP_DATA,
                              });
}

static void place_undefined(struct fnp_link *link, const struct fnp_elf_symbol *symbol,
                            struct fnp_place *place)
{
    place->kind = FNP_PLACE_PIECE;
    if (strcmp(symbol->name, GOT_SYMBOL) == 0) {
        place->piece = reach_got(link);
        return;
    }
    place->piece = fnp_link_define(link, symbol->name, true);
    if (place->piece != FNP_PIECE_NONE) {
        return;
    }
    if (symbol->bind == STB_WEAK) {
        place->kind = FNP_PLACE_WEAK;
        return;
    }
    place->piece = fnp_link_trap(link, symbol->name);
}

static void place_defined(struct fnp_link *link, const struct fnp_elf_symbol *symbol,
                          struct fnp_place *place)
{
    place->kind = FNP_PLACE_PIECE;
    /* What the contract says about a global name wins over the object. */
    if (symbol->bind != STB_LOCAL) {
        place->piece = fnp_link_define(link, symbol->name, false);
    }
    if (place->piece != FNP_PIECE_NONE) {
        return;
    }
    if (symbol->place == FNP_ELF_ABSOLUTE) {
        place->kind = FNP_PLACE_NUMBER;
        place->value = symbol->value;
    } else if (symbol->place == FNP_ELF_COMMON) {
        place->piece = add_common(link, symbol);
    } else if (symbol->type == STT_GNU_IFUNC) {
        place->piece = fnp_link_trap(
            link, fnp_arena_printf(link->scratch, "IFUNC %s", symbol->name));
    } else if (symbol->type == STT_TLS ||
               !is_loadable(&link->elf->sections[symbol->section])) {
        place->piece = fnp_link_trap(link, symbol->name);
    } else {
        place->piece = reach_section(link, symbol->section);
        place->value = symbol->value;
    }
}

static struct fnp_place *reach_symbol(struct fnp_link *link, uint32_t index)
{
    const struct fnp_elf_symbol *symbol = &link->elf->symbols[index];
    struct fnp_place *place = &link->places[index];

    if (place->kind != FNP_PLACE_UNSEEN) {
        return place;
    }
    if (index == 0) { /* the null symbol: a relocation against nothing */
        place->kind = FNP_PLACE_NUMBER;
    } else if (index == link->entry_symbol) {
        place->kind = FNP_PLACE_PIECE;
        place->piece = reach_section(link, symbol->section);
        place->value = symbol->value;
    } else if (symbol->place == FNP_ELF_UNDEFINED) {
        place_undefined(link, symbol, place);
    } else {
        place_defined(link, symbol, place);
    }
    return place;
}

static bool covers(const struct fnp_elf_symbol *symbol, uint32_t section,
                   uint64_t offset)
{
    return symbol->place == FNP_ELF_SECTION && symbol->section == section &&
           symbol->type == STT_FUNC && offset >= symbol->value &&
           offset - symbol->value < symbol->size && symbol->size >= sizeof(trap_code);
}

/*
 * Thread-local storage cannot be had here.  A function that uses it is barred: it
 * begins with a trap, so that only calling it is an error.  The entry itself, or code
 * outside every function, is refused.
 */
static enum fnp_status bar_function(struct fnp_link *link,
                                    const struct fnp_piece *piece,
                                    const struct fnp_elf_rela *rela,
                                    const struct fnp_reloc_type *type)
{
    const struct fnp_elf *elf = link->elf;
    uint32_t found = 0;

    if (link->barred_last &&
        covers(&elf->symbols[link->barred_last], piece->section, rela->offset)) {
        return FNP_OK;
    }
    for (uint32_t i = 1; i < elf->n_symbols; i++) {
        if (!covers(&elf->symbols[i], piece->section, rela->offset)) {
            continue;
        }
        if (piece->section == link->entry_section &&
            covers(&elf->symbols[i], piece->section, link->entry_offset)) {
            found = 0;
            break;
        }
        link->places[i].barred = true;
        found = i;
    }
    link->barred_last = found;
    if (found == 0) {
        return FAIL_AT(link, piece, rela,
                       "thread-local \"%s\" (%s); code that uses thread-local storage "
                       "cannot be run here",
                       elf->symbols[rela->symbol].name, type->name);
    }
    return FNP_OK;
}

/* A field that holds part of an absolute address narrower than 64 bits? */
static bool is_narrow(const struct fnp_reloc_type *type, const struct fnp_place *place)
{
    return type->form == FNP_RELOC_ABSOLUTE && type->width < 8 &&
           place->kind == FNP_PLACE_PIECE;
}

static enum fnp_status collect_rela(struct fnp_link *link,
                                    const struct fnp_piece *piece,
                                    const struct fnp_elf_rela *rela)
{
    const struct fnp_reloc_type *type = fnp_reloc_find(rela->type, link->elf->is32);

    if (!type) {
        return FAIL_AT(link, piece, rela,
                       "relocation type %u does not belong into a relocatable object",
                       rela->type);
    }
    if (type->form == FNP_RELOC_NOTHING) {
        return FNP_OK;
    }
    if (!piece->bytes || rela->offset > piece->size ||
        type->width > piece->size - rela->offset) {
        return FAIL_AT(link, piece, rela, "damaged: %s lies outside the section",
                       type->name);
    }
    if (rela->symbol >= link->elf->n_symbols) {
        return FAIL_AT(link, piece, rela, "damaged: there is no symbol %u",
                       rela->symbol);
    }
    if (type->form == FNP_RELOC_TLS) {
        return bar_function(link, piece, rela, type);
    }

    struct fnp_place *place = reach_symbol(link, rela->symbol);

    if (fnp_reloc_wants_got(type)) {
        (void)reach_got(link);
    }
    if (fnp_reloc_wants_slot(type) && place->slot == 0) {
        link->slots[link->n_slots++] = rela->symbol;
        place->slot = link->n_slots;
    }
    if (type->form == FNP_RELOC_PC && place->kind == FNP_PLACE_WEAK &&
        place->piece == FNP_PIECE_NONE) {
        place->piece = fnp_link_trap(link, link->elf->symbols[rela->symbol].name);
    }
    link->low |= is_narrow(type, place);
    return FNP_OK;
}

/* A walk over the relocations of one piece. */
typedef enum fnp_status (*rela_visit)(struct fnp_link *link,
                                      const struct fnp_piece *piece,
                                      const struct fnp_elf_rela *rela);

static enum fnp_status each_rela(struct fnp_link *link, uint32_t index,
                                 rela_visit visit)
{
    const struct fnp_elf_section *sections = link->elf->sections;
    /* A copy: collecting adds pieces, but never changes this one. */
    const struct fnp_piece piece = link->pieces[index];

    if (piece.section == 0) {
        return FNP_OK;
    }
    for (uint32_t i = sections[piece.section].relas; i; i = sections[i].next_relas) {
        size_t count = fnp_elf_n_relas(link->elf, &sections[i]);

        for (size_t k = 0; k < count; k++) {
            struct fnp_elf_rela rela = fnp_elf_rela(link->elf, &sections[i], k);
            enum fnp_status status = visit(link, &piece, &rela);

            if (status != FNP_OK) {
                return status;
            }
        }
    }
    return FNP_OK;
}

enum fnp_status fnp_link_collect(struct fnp_link *link)
{
    const struct fnp_elf *elf = link->elf;
    /* Each section and each symbol becomes at most one piece; then the GOT and [0]. */
    uint32_t most;
    enum fnp_status status = FNP_OK;

    if (__builtin_add_overflow(elf->n_sections, elf->n_symbols + 2ull, &most)) {
        return fnp_err_set(link->err, FNP_INPUT, "%s: too many symbols", elf->path);
    }
    link->pieces = fnp_arena_array(link->scratch, most, sizeof(*link->pieces));
    link->max_pieces = most;
    link->n_pieces = 1;
    link->section_piece =
        fnp_arena_array(link->scratch, elf->n_sections, sizeof(*link->section_piece));
    link->places =
        fnp_arena_array(link->scratch, elf->n_symbols, sizeof(*link->places));
    link->slots = fnp_arena_array(link->scratch, elf->n_symbols, sizeof(*link->slots));

    (void)reach_section(link, link->entry_section);
    for (uint32_t i = 1; status == FNP_OK && i < link->n_pieces; i++) {
        status = each_rela(link, i, collect_rela);
    }
    if (link->got && link->n_slots) {
        link->pieces[link->got].size = (uint64_t)link->n_slots * got_entry(link);
    }
    return status;
}

/* Alignments are powers of two. */
static uint64_t round_up(uint64_t value, uint64_t align)
{
    return (value + align - 1) & ~(align - 1);
}

/* What a message calls the piece. */
static const char *piece_name(const struct fnp_link *link,
                              const struct fnp_piece *piece)
{
    return piece->name ? piece->name : link->elf->sections[piece->section].name;
}

/* Give one piece the next free offset of its group. */
static enum fnp_status place_piece(struct fnp_link *link, struct fnp_piece *piece,
                                   uint64_t *end)
{
    if (piece->align > ALIGN_MAX || (piece->align & (piece->align - 1))) {
        return fnp_err_set(link->err, FNP_INPUT,
                           "%s: %s wants an alignment of %llu; a power of two up to "
                           "64 KiB can be had",
                           link->elf->path, piece_name(link, piece),
                           (unsigned long long)piece->align);
    }
    piece->offset = round_up(*end, piece->align);
    if (piece->size > IMAGE_MAX || piece->offset + piece->size > IMAGE_MAX) {
        return fnp_err_set(link->err, FNP_INPUT,
                           "%s: what is reached needs more than 64 MiB, %llu bytes of "
                           "it for %s",
                           link->elf->path, (unsigned long long)piece->size,
                           piece_name(link, piece));
    }
    *end = piece->offset + piece->size;
    return FNP_OK;
}

static const unsigned group_prot[FNP_N_GROUPS] = {
    [FNP_GROUP_CODE] = FNP_PROT_R | FNP_PROT_X,
    [FNP_GROUP_MIXED] = FNP_PROT_R | FNP_PROT_W | FNP_PROT_X,
    [FNP_GROUP_CONST] = FNP_PROT_R,
    [FNP_GROUP_DATA] = FNP_PROT_R | FNP_PROT_W,
    [FNP_GROUP_TRAP] = 0,
};

/* Allocate the bytes of the group that fills [start, end) and hand them out. */
static void make_segment(struct fnp_link *link, struct fnp_arena *arena,
                         struct fnp_image *image, unsigned group, uint64_t start,
                         uint64_t end)
{
    struct fnp_segment *segment = &image->segments[image->n_segments++];
    bool is_code = group_prot[group] & FNP_PROT_X;

    segment->addr = start;
    segment->len = round_up(end - start, PAGE);
    segment->prot = group_prot[group];
    segment->bytes = fnp_arena_alloc(arena, segment->len);
    memset(segment->bytes, is_code ? 0xcc : 0, segment->len);
    for (uint32_t i = 1; i < link->n_pieces; i++) {
        if (link->pieces[i].group == group) {
            link->pieces[i].out = segment->bytes + (link->pieces[i].offset - start);
        }
    }
}

enum fnp_status fnp_link_layout(struct fnp_link *link, struct fnp_arena *arena,
                                struct fnp_image *image)
{
    uint64_t starts[FNP_N_GROUPS], ends[FNP_N_GROUPS], end = 0;

    for (unsigned group = 0; group < FNP_N_GROUPS; group++) {
        starts[group] = ends[group] = end;
        for (uint32_t i = 1; i < link->n_pieces; i++) {
            enum fnp_status status = FNP_OK;

            if (link->pieces[i].group == group) {
                status = place_piece(link, &link->pieces[i], &ends[group]);
            }
            if (status != FNP_OK) {
                return status;
            }
        }
        if (ends[group] != starts[group]) {
            end = round_up(ends[group], PAGE) + PAGE;
        }
    }
    for (unsigned group = 0; group < FNP_N_GROUPS; group++) {
        if (ends[group] != starts[group]) {
            make_segment(link, arena, image, group, starts[group], ends[group]);
        }
    }
    return FNP_OK;
}

static uint64_t piece_addr(const struct fnp_link *link, uint32_t piece)
{
    return link->base + link->pieces[piece].offset;
}

/* S of the psABI; `runs_there` for a direct reference relative to the instruction. */
static uint64_t symbol_addr(const struct fnp_link *link, const struct fnp_place *place,
                            bool runs_there)
{
    switch ((enum fnp_place_kind)place->kind) {
    case FNP_PLACE_PIECE:
        return piece_addr(link, place->piece) + place->value;
    case FNP_PLACE_NUMBER:
        return place->value;
    case FNP_PLACE_WEAK:
        return runs_there && place->piece ? piece_addr(link, place->piece) : 0;
    case FNP_PLACE_UNSEEN:
        break;
    }
    return 0;
}

/* The addend that stands where the result goes, sign-extended. */
static uint64_t stored_addend(const struct fnp_piece *piece,
                              const struct fnp_elf_rela *rela,
                              const struct fnp_reloc_type *type)
{
    const unsigned unused = 64u - 8u * type->width;
    uint64_t addend = 0;

    memcpy(&addend, piece->bytes + rela->offset, type->width);
    return unused < 64 ? (uint64_t)((int64_t)(addend << unused) >> unused) : 0;
}

/*
 * i386 code without a base register wants the address of the slot, not its distance
 * from the GOT: the ModRM byte before the field says mod 0, rm 5 (psABI i386, 4.4).
 */
static bool is_absolute_slot(const struct fnp_link *link, const struct fnp_piece *piece,
                             const struct fnp_elf_rela *rela,
                             const struct fnp_reloc_type *type)
{
    return link->elf->is32 && type->form == FNP_RELOC_SLOT_GOT && piece->is_code &&
           rela->offset > 0 && (piece->bytes[rela->offset - 1] & 0xc7) == 0x05;
}

static enum fnp_status apply_rela(struct fnp_link *link, const struct fnp_piece *piece,
                                  const struct fnp_elf_rela *rela)
{
    const struct fnp_reloc_type *type = fnp_reloc_find(rela->type, link->elf->is32);

    if (type->form == FNP_RELOC_NOTHING || type->form == FNP_RELOC_TLS) {
        return FNP_OK;
    }

    const struct fnp_elf_symbol *symbol = &link->elf->symbols[rela->symbol];
    const struct fnp_place *place = &link->places[rela->symbol];
    uint64_t got = link->got ? piece_addr(link, link->got) : 0;
    const struct fnp_reloc_terms terms = {
        .symbol = symbol_addr(link, place, type->form == FNP_RELOC_PC),
        .addend = rela->has_addend ? rela->addend : stored_addend(piece, rela, type),
        .place = link->base + piece->offset + rela->offset,
        .slot = place->slot ? got + (place->slot - 1ull) * got_entry(link) : 0,
        .got = is_absolute_slot(link, piece, rela, type) ? 0 : got,
        .size = symbol->size,
    };
    uint64_t value = fnp_reloc_value(type, &terms);

    if (!fnp_reloc_fits(type, value)) {
        return FAIL_AT(link, piece, rela, "%s against \"%s\" does not hold %#llx",
                       type->name, symbol->name, (unsigned long long)value);
    }
    memcpy(piece->out + rela->offset, &value, type->width);
    return FNP_OK;
}

/* Put the trap in front of every function that must not be run. */
static void write_bars(const struct fnp_link *link)
{
    for (uint32_t i = 1; link->barred_last && i < link->elf->n_symbols; i++) {
        const struct fnp_elf_symbol *symbol = &link->elf->symbols[i];

        if (link->places[i].barred) {
            const struct fnp_piece *piece =
                &link->pieces[link->section_piece[symbol->section]];

            if (piece->size >= sizeof(trap_code) &&
                symbol->value <= piece->size - sizeof(trap_code)) {
                memcpy(piece->out + symbol->value, trap_code, sizeof(trap_code));
            }
        }
    }
}

enum fnp_status fnp_link_relocate(struct fnp_link *link, uint64_t base)
{
    enum fnp_status status = FNP_OK;

    link->base = base;
    for (uint32_t i = 1; i < link->n_pieces; i++) {
        const struct fnp_piece *piece = &link->pieces[i];

        if (piece->size && piece->bytes) {
            memcpy(piece->out, piece->bytes, piece->size);
        } else if (piece->size) {
            memset(piece->out, 0, piece->size);
        }
    }
    for (uint32_t i = 0; i < link->n_slots; i++) {
        uint64_t addr = symbol_addr(link, &link->places[link->slots[i]], false);

        memcpy(link->pieces[link->got].out + i * got_entry(link), &addr, sizeof(addr));
    }
    for (uint32_t i = 1; status == FNP_OK && i < link->n_pieces; i++) {
        status = each_rela(link, i, apply_rela);
    }
    write_bars(link);
    return status;
}
