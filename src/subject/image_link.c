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
#include "x86/state.h"

#define PAGE      ((uint64_t)4096)
#define ALIGN_MAX ((uint64_t)64 * 1024)
#define IMAGE_MAX ((uint64_t)64 * 1024 * 1024) /* bytes of content in one image */

/* ud2: the first bytes of a function that must not be run. */
static const unsigned char trap_code[2] = { 0x0f, 0x0b };

/* Room for one more of an array that grows by copying. */
static void *grow(struct fnp_arena *arena, void *list, uint32_t count, uint32_t *room,
                  size_t size)
{
    void *bigger = list;

    if (count == *room) {
        *room = *room ? 2 * *room : 64;
        bigger = fnp_arena_array(arena, *room, size);
        if (count) {
            memcpy(bigger, list, count * size);
        }
    }
    return bigger;
}

uint32_t fnp_link_add(struct fnp_link *link, const struct fnp_piece *piece)
{
    link->pieces = grow(link->scratch, link->pieces, link->n_pieces, &link->max_pieces,
                        sizeof(*link->pieces));
    link->pieces[link->n_pieces] = *piece;
    return link->n_pieces++;
}

/* Bytes of one GOT entry. */
static size_t got_entry(const struct fnp_link *link)
{
    return fnp_word_len(link->is32);
}

static const struct fnp_elf *elf_of(const struct fnp_link *link,
                                    const struct fnp_piece *piece)
{
    return link->modules[piece->module].elf;
}

/* "my.o: .text+0x12: " and the sentence's rest, for errors about one relocation. */
#define FAIL_AT(link, piece, rela, format, ...)                                        \
    fnp_err_set((link)->err, FNP_INPUT, "%s: %s+%#llx: " format,                       \
                elf_of(link, piece)->path,                                             \
                elf_of(link, piece)->sections[(piece)->section].name,                  \
                (unsigned long long)(rela)->offset, __VA_ARGS__)

bool fnp_link_is_loadable(const struct fnp_elf_section *section)
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

uint32_t fnp_link_section(struct fnp_link *link, uint32_t module, uint32_t section)
{
    const struct fnp_elf_section *from = &link->modules[module].elf->sections[section];
    uint32_t *piece = &link->modules[module].section_piece[section];

    if (*piece == FNP_PIECE_NONE) {
        *piece = fnp_link_add(link, &(struct fnp_piece){
                                        .bytes = from->bytes,
                                        .size = from->size,
                                        .align = from->align,
                                        .module = module,
                                        .section = section,
                                        .group = section_group(from->flags),
                                        .is_code = from->flags & SHF_EXECINSTR,
                                    });
    }
    return *piece;
}

uint32_t fnp_link_got(struct fnp_link *link)
{
    if (link->got == FNP_PIECE_NONE) {
        link->got = fnp_link_add(link, &(struct fnp_piece){
                                           .name = FNP_GOT_SYMBOL,
                                           .size = got_entry(link),
                                           .align = got_entry(link),
                                           .group = FNP_GROUP_CONST,
                                       });
    }
    return link->got;
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
    struct fnp_module *module = &link->modules[piece->module];
    const struct fnp_elf *elf = module->elf;
    uint32_t found = 0;

    if (module->barred_last &&
        covers(&elf->symbols[module->barred_last], piece->section, rela->offset)) {
        return FNP_OK;
    }
    for (uint32_t i = 1; i < elf->n_symbols; i++) {
        if (!covers(&elf->symbols[i], piece->section, rela->offset)) {
            continue;
        }
        if (piece->module == 0 && piece->section == link->entry_section &&
            covers(&elf->symbols[i], piece->section, link->entry_offset)) {
            found = 0;
            break;
        }
        module->barred[i] = true;
        found = i;
    }
    module->barred_last = found;
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

/* Note what the relocation needs of a symbol that was reached. */
static void use_symbol(struct fnp_link *link, const struct fnp_piece *piece,
                       const struct fnp_elf_rela *rela,
                       const struct fnp_reloc_type *type)
{
    struct fnp_place *place = fnp_link_place(link, piece->module, rela->symbol);

    if (fnp_reloc_wants_got(type)) {
        (void)fnp_link_got(link);
    }
    if (fnp_reloc_wants_slot(type) && place->slot == 0) {
        link->slots = grow(link->scratch, link->slots, link->n_slots, &link->max_slots,
                           sizeof(*link->slots));
        link->slots[link->n_slots++] =
            (struct fnp_symbol_ref){ piece->module, rela->symbol };
        place->slot = link->n_slots;
    }
    if (type->form == FNP_RELOC_PC && place->kind == FNP_PLACE_WEAK &&
        place->piece == FNP_PIECE_NONE) {
        place->piece =
            fnp_link_trap(link, elf_of(link, piece)->symbols[rela->symbol].name);
    }
    link->low |= is_narrow(type, place);
}

static enum fnp_status collect_rela(struct fnp_link *link,
                                    const struct fnp_piece *piece,
                                    const struct fnp_elf_rela *rela)
{
    const struct fnp_reloc_type *type = fnp_reloc_find(rela->type, link->is32);
    const struct fnp_elf *elf = elf_of(link, piece);

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
    if (rela->symbol >= elf->n_symbols) {
        return FAIL_AT(link, piece, rela, "damaged: there is no symbol %u",
                       rela->symbol);
    }
    if (type->form == FNP_RELOC_TLS) {
        return bar_function(link, piece, rela, type);
    }

    enum fnp_status status = fnp_link_reach(link, piece->module, rela->symbol);

    if (status == FNP_OK) {
        use_symbol(link, piece, rela, type);
    }
    return status;
}

/* A walk over the relocations of one piece. */
typedef enum fnp_status (*rela_visit)(struct fnp_link *link,
                                      const struct fnp_piece *piece,
                                      const struct fnp_elf_rela *rela);

static enum fnp_status each_rela(struct fnp_link *link, uint32_t index,
                                 rela_visit visit)
{
    /* A copy: collecting adds pieces, but never changes this one. */
    const struct fnp_piece piece = link->pieces[index];
    const struct fnp_elf *elf = elf_of(link, &piece);
    const struct fnp_elf_section *sections = elf->sections;

    if (piece.section == 0) {
        return FNP_OK;
    }
    for (uint32_t i = sections[piece.section].relas; i; i = sections[i].next_relas) {
        size_t count = fnp_elf_n_relas(elf, &sections[i]);

        for (size_t k = 0; k < count; k++) {
            struct fnp_elf_rela rela = fnp_elf_rela(elf, &sections[i], k);
            enum fnp_status status = visit(link, &piece, &rela);

            if (status != FNP_OK) {
                return status;
            }
        }
    }
    return FNP_OK;
}

/* The entry is what was named, whatever else has its name. */
static void place_entry(struct fnp_link *link)
{
    uint32_t piece = fnp_link_section(link, 0, link->entry_section);

    if (link->entry_symbol) {
        *fnp_link_place(link, 0, link->entry_symbol) = (struct fnp_place){
            .kind = FNP_PLACE_PIECE, .piece = piece, .value = link->entry_offset
        };
    }
}

/* Collect from the start with the modules that are known. */
static enum fnp_status collect_once(struct fnp_link *link)
{
    enum fnp_status status = FNP_OK;

    link->again = false;
    link->low = false;
    link->got = FNP_PIECE_NONE;
    link->n_slots = 0;
    link->n_pieces = 0;
    (void)fnp_link_add(link, &(struct fnp_piece){ 0 });
    fnp_link_forget(link);
    place_entry(link);
    for (uint32_t i = 1; status == FNP_OK && i < link->n_pieces; i++) {
        status = each_rela(link, i, collect_rela);
    }
    return status;
}

/*
 * A module that is found on the way may define better what was placed before, as a
 * strong definition replaces a weak one; so it begins anew until none is found.
 */
enum fnp_status fnp_link_collect(struct fnp_link *link)
{
    enum fnp_status status;

    do {
        status = collect_once(link);
    } while (status == FNP_OK && link->again);
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
    return piece->name ? piece->name
                       : elf_of(link, piece)->sections[piece->section].name;
}

/* Give one piece the next free offset of its group. */
static enum fnp_status place_piece(struct fnp_link *link, struct fnp_piece *piece,
                                   uint64_t *end)
{
    if (piece->align > ALIGN_MAX || (piece->align & (piece->align - 1))) {
        return fnp_err_set(link->err, FNP_INPUT,
                           "%s: %s wants an alignment of %llu; a power of two up to "
                           "64 KiB can be had",
                           elf_of(link, piece)->path, piece_name(link, piece),
                           (unsigned long long)piece->align);
    }
    piece->offset = round_up(*end, piece->align);
    if (piece->size > IMAGE_MAX || piece->offset + piece->size > IMAGE_MAX) {
        return fnp_err_set(link->err, FNP_INPUT,
                           "%s: what is reached needs more than 64 MiB, %llu bytes of "
                           "it for %s",
                           link->path, (unsigned long long)piece->size,
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
    return link->is32 && type->form == FNP_RELOC_SLOT_GOT && piece->is_code &&
           rela->offset > 0 && (piece->bytes[rela->offset - 1] & 0xc7) == 0x05;
}

static enum fnp_status apply_rela(struct fnp_link *link, const struct fnp_piece *piece,
                                  const struct fnp_elf_rela *rela)
{
    const struct fnp_reloc_type *type = fnp_reloc_find(rela->type, link->is32);

    if (type->form == FNP_RELOC_NOTHING || type->form == FNP_RELOC_TLS) {
        return FNP_OK;
    }

    const struct fnp_place *place = fnp_link_place(link, piece->module, rela->symbol);
    uint64_t got = link->got ? piece_addr(link, link->got) : 0;
    const struct fnp_reloc_terms terms = {
        .symbol = symbol_addr(link, place, type->form == FNP_RELOC_PC),
        .addend = rela->has_addend ? rela->addend : stored_addend(piece, rela, type),
        .place = link->base + piece->offset + rela->offset,
        .slot = place->slot ? got + (place->slot - 1ull) * got_entry(link) : 0,
        .got = is_absolute_slot(link, piece, rela, type) ? 0 : got,
        .size = fnp_link_size(link, piece->module, rela->symbol),
    };
    uint64_t value = fnp_reloc_value(type, &terms);

    if (!fnp_reloc_fits(type, value)) {
        return FAIL_AT(link, piece, rela, "%s against \"%s\" does not hold %#llx",
                       type->name, elf_of(link, piece)->symbols[rela->symbol].name,
                       (unsigned long long)value);
    }
    memcpy(piece->out + rela->offset, &value, type->width);
    return FNP_OK;
}

/* Put the trap in front of every function that must not be run. */
static void write_bars(const struct fnp_link *link, const struct fnp_module *module)
{
    for (uint32_t i = 1; module->barred_last && i < module->elf->n_symbols; i++) {
        const struct fnp_elf_symbol *symbol = &module->elf->symbols[i];

        if (module->barred[i]) {
            const struct fnp_piece *piece =
                &link->pieces[module->section_piece[symbol->section]];

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
        uint64_t addr = symbol_addr(
            link, fnp_link_place(link, link->slots[i].module, link->slots[i].symbol),
            false);

        memcpy(link->pieces[link->got].out + i * got_entry(link), &addr,
               got_entry(link));
    }
    for (uint32_t i = 1; status == FNP_OK && i < link->n_pieces; i++) {
        status = each_rela(link, i, apply_rela);
    }
    for (uint32_t i = 0; i < link->n_modules; i++) {
        write_bars(link, &link->modules[i]);
    }
    return status;
}
