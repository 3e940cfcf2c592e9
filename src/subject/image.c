/* SPDX-License-Identifier: MIT */
/*
 * image.c - load one kernel out of an object: find its entry, link it, name its parts
 *
 * The linking itself is image_link.c's; nothing is mapped or run here.
 */
#include "subject/image.h"

#include <elf.h>
#include <sha256.h>
#include <string.h>

#include "base/nearest.h"
#include "base/str.h"
#include "subject/elf.h"
#include "subject/image_link.h"
#include "subject/image_names.h"
#include "subject/shared.h"

static bool holds_only_lto(const struct fnp_elf *elf)
{
    static const char prefix[] = ".gnu.lto_";

    for (uint32_t i = 1; i < elf->n_sections; i++) {
        if (strncmp(elf->sections[i].name, prefix, sizeof(prefix) - 1) == 0) {
            return true;
        }
    }
    return false;
}

static enum fnp_status no_such_symbol(struct fnp_link *link, const char *name)
{
    const struct fnp_elf *elf = link->modules[0].elf;
    const char **names = fnp_arena_array(link->scratch, elf->n_symbols, sizeof(*names));
    const char *nearest;

    if (holds_only_lto(elf)) {
        return fnp_err_set(link->err, FNP_INPUT,
                           "%s: no symbol \"%s\": the object holds code for link-time "
                           "optimisation only; compile with -fno-lto",
                           elf->path, name);
    }
    if (elf->n_symbols == 0) {
        return fnp_err_set(link->err, FNP_INPUT,
                           "%s: no symbol \"%s\": the object is stripped; name its "
                           "address instead",
                           elf->path, name);
    }
    for (uint32_t i = 1; i < elf->n_symbols; i++) {
        if (elf->symbols[i].name[0] &&
            fnp_elf_rank(elf, &elf->symbols[i]) >= FNP_RANK_LOCAL) {
            names[i] = elf->symbols[i].name;
        }
    }
    nearest = fnp_nearest(name, names, elf->n_symbols);
    if (nearest) {
        return fnp_err_set(link->err, FNP_INPUT,
                           "%s: no symbol \"%s\"; nearest is \"%s\"", elf->path, name,
                           nearest);
    }
    return fnp_err_set(link->err, FNP_INPUT, "%s: no symbol \"%s\"", elf->path, name);
}

/* Why the symbol, although there, is no kernel; NULL: it is one. */
static const char *entry_fault(const struct fnp_elf *elf,
                               const struct fnp_elf_symbol *symbol,
                               enum fnp_elf_rank rank)
{
    switch (rank) {
    case FNP_RANK_UNDEFINED:
        return "is not defined in this object, only used";
    case FNP_RANK_NUMBER:
        return symbol->place == FNP_ELF_COMMON ? "is data (COMMON), not code"
                                               : "is a number, not code";
    case FNP_RANK_DATA:
        return "is data, not code";
    default:
        break;
    }
    if (fnp_elf_is_resolver(elf, symbol)) {
        return "is an IFUNC resolver; name one of the functions it chooses from";
    }
    if (symbol->value >= elf->sections[symbol->section].size ||
        !elf->sections[symbol->section].bytes) {
        return "lies outside its section; the object is damaged";
    }
    return NULL;
}

static enum fnp_status find_symbol(struct fnp_link *link, const char *name)
{
    const struct fnp_elf *elf = link->modules[0].elf;
    enum fnp_elf_rank best = FNP_RANK_NONE;
    uint32_t found = 0;

    for (uint32_t i = 1; i < elf->n_symbols; i++) {
        if (strcmp(elf->symbols[i].name, name) == 0) {
            enum fnp_elf_rank rank = fnp_elf_rank(elf, &elf->symbols[i]);

            if (rank > best) {
                best = rank;
                found = i;
            }
        }
    }
    if (best == FNP_RANK_NONE) {
        return no_such_symbol(link, name);
    }

    const struct fnp_elf_symbol *symbol = &elf->symbols[found];
    const char *fault = entry_fault(elf, symbol, best);

    if (fault) {
        return fnp_err_set(link->err, FNP_INPUT, "%s: \"%s\" %s", elf->path, name,
                           fault);
    }
    link->entry_symbol = found;
    link->entry_section = symbol->section;
    link->entry_offset = symbol->value;
    return FNP_OK;
}

/* `address` counts in .text, or in the first code section of another name. */
static enum fnp_status find_address(struct fnp_link *link)
{
    const struct fnp_elf *elf = link->modules[0].elf;
    const struct fnp_contract *contract = link->contract;
    uint32_t found = 0;

    if (!contract || !contract->has_address) {
        return fnp_err_set(link->err, FNP_INPUT,
                           "%s: neither a symbol nor an address is given", elf->path);
    }
    for (uint32_t i = 1; i < elf->n_sections; i++) {
        const struct fnp_elf_section *section = &elf->sections[i];
        bool is_text = strcmp(section->name, ".text") == 0;

        if ((section->flags & SHF_EXECINSTR) && section->bytes && section->size &&
            (found == 0 || is_text)) {
            found = i;
            if (is_text) {
                break;
            }
        }
    }
    if (found == 0) {
        return fnp_err_set(link->err, FNP_INPUT, "%s: the object holds no code",
                           elf->path);
    }
    if (contract->address >= elf->sections[found].size) {
        return fnp_err_set(link->err, FNP_INPUT,
                           "%s: address %#llx is beyond the end of %s (%#llx bytes)",
                           elf->path, (unsigned long long)contract->address,
                           elf->sections[found].name,
                           (unsigned long long)elf->sections[found].size);
    }
    link->entry_section = found;
    link->entry_offset = contract->address;
    return FNP_OK;
}

static void hash_number(SHA256_CTX *hash, uint64_t number)
{
    SHA256_Update(hash, (const uint8_t *)&number, sizeof(number));
}

static const struct fnp_piece *entry_piece(const struct fnp_link *link)
{
    return &link->pieces[link->modules[0].section_piece[link->entry_section]];
}

/*
 * Hash what was laid out, relocated for slot 0.  The names of traps count: two kernels
 * that call different functions are not equal.
 */
static void hash_image(const struct fnp_link *link, struct fnp_image *image)
{
    SHA256_CTX hash;
    uint8_t digest[SHA256_DIGEST_LENGTH];
    struct fnp_str text = fnp_str_over(image->code, sizeof(image->code));
    const struct fnp_piece *entry = entry_piece(link);

    SHA256_Init(&hash);
    hash_number(&hash, entry->offset + link->entry_offset);
    for (uint32_t i = 1; i < link->n_pieces; i++) {
        const struct fnp_piece *piece = &link->pieces[i];

        hash_number(&hash, piece->group);
        hash_number(&hash, piece->offset);
        hash_number(&hash, piece->size);
        if (piece->group == FNP_GROUP_TRAP) {
            SHA256_Update(&hash, (const uint8_t *)piece->name, strlen(piece->name));
        } else if (piece->size && (piece->bytes || i == link->got)) {
            SHA256_Update(&hash, piece->out, piece->size);
        }
    }
    SHA256_Final(digest, &hash);
    fnp_str_add(&text, "sha256:");
    fnp_str_add_hex(&text, digest, sizeof(digest));
}

/* Should the module's symbol i be seen in reports? */
static bool is_shown(const struct fnp_module *module, uint32_t i)
{
    const struct fnp_elf_symbol *symbol = &module->elf->symbols[i];

    return symbol->place == FNP_ELF_SECTION && symbol->name[0] &&
           symbol->type != STT_SECTION && symbol->type != STT_FILE &&
           strncmp(symbol->name, ".L", 2) != 0 &&
           module->section_piece[symbol->section] != FNP_PIECE_NONE &&
           symbol->value <= module->elf->sections[symbol->section].size;
}

static struct fnp_named name_symbol(const struct fnp_link *link,
                                    struct fnp_arena *arena,
                                    const struct fnp_module *module, uint32_t i)
{
    const struct fnp_elf_symbol *symbol = &module->elf->symbols[i];
    const struct fnp_piece *piece =
        &link->pieces[module->section_piece[symbol->section]];
    uint64_t room = piece->size - symbol->value;
    bool barred = module->barred[i];
    bool is_entry = module == link->modules && i == link->entry_symbol;

    return (struct fnp_named){
        .symbol = {
            .name = barred ? fnp_arena_printf(arena, "%s (uses thread-local storage)",
                                              symbol->name)
                           : symbol->name,
            .addr = link->base + piece->offset + symbol->value,
            .size = symbol->size < room ? symbol->size : room,
            .is_code = piece->is_code && symbol->type != STT_OBJECT,
            .is_trap = barred,
        },
        .rank = is_entry ? 0u
                         : 1u + (symbol->type == STT_NOTYPE) * 2u +
                               (symbol->bind == STB_LOCAL),
    };
}

static struct fnp_named name_piece(const struct fnp_link *link, struct fnp_arena *arena,
                                   const struct fnp_piece *piece)
{
    return (struct fnp_named){
        .symbol = {
            .name = fnp_arena_text(arena, piece->name, strlen(piece->name)),
            .addr = link->base + piece->offset,
            .size = piece->size,
            .is_code = piece->is_code,
            .is_trap = piece->group == FNP_GROUP_TRAP,
        },
        .rank = 1,
    };
}

static void collect_symbols(const struct fnp_link *link, struct fnp_arena *arena,
                            struct fnp_image *image)
{
    size_t most = link->n_pieces + 1;
    struct fnp_named *list;
    size_t n = 0;

    for (uint32_t m = 0; m < link->n_modules; m++) {
        most += link->modules[m].elf->n_symbols;
    }
    list = fnp_arena_array(link->scratch, most, sizeof(*list));
    for (uint32_t m = 0; m < link->n_modules; m++) {
        const struct fnp_module *module = &link->modules[m];

        for (uint32_t i = 1; i < module->elf->n_symbols; i++) {
            if (is_shown(module, i)) {
                list[n++] = name_symbol(link, arena, module, i);
            }
        }
    }
    for (uint32_t i = 1; i < link->n_pieces; i++) {
        if (link->pieces[i].name) {
            list[n++] = name_piece(link, arena, &link->pieces[i]);
        }
    }
    if (link->entry_symbol == 0) {
        list[n++] = (struct fnp_named){
            .symbol = fnp_names_entry(link->contract, image->entry),
            .rank = 9,
        };
    }
    fnp_names_give(arena, list, n, image);
}

/* Relocate for the slot; equal code hashes equal in both. */
static enum fnp_status relocate(struct fnp_link *link, unsigned slot,
                                struct fnp_image *image)
{
    uint64_t base = link->low || link->is32 ? FNP_IMAGE_LOW : FNP_IMAGE_HIGH;
    enum fnp_status status = fnp_link_relocate(link, base);

    if (status != FNP_OK) {
        return status;
    }
    hash_image(link, image);
    if (slot != 0) {
        status = fnp_link_relocate(link, base + slot * (uint64_t)FNP_IMAGE_SPAN);
    }
    for (size_t i = 0; i < image->n_segments; i++) {
        image->segments[i].addr += link->base;
    }
    return status;
}

/* NOLINTNEXTLINE(readability-function-size): seven things are needed to load a kernel */
enum fnp_status fnp_image_load(struct fnp_arena *arena, const struct fnp_object *object,
                               const char *symbol, const struct fnp_contract *contract,
                               unsigned slot, struct fnp_image *out,
                               struct fnp_err *err)
{
    struct fnp_arena scratch = { 0 };
    struct fnp_elf elf;
    struct fnp_link link = { .scratch = &scratch, .contract = contract, .err = err };
    enum fnp_status status = FNP_OK;

    if (object->members && symbol) {
        status = fnp_members_select(object, symbol, &object, err);
    }
    *out = (struct fnp_image){ .path = object->path };
    if (status == FNP_OK && fnp_shared_is(object)) {
        return fnp_shared_load(arena, object,
                               &(struct fnp_shared_entry){ symbol, contract, slot },
                               out, err);
    }
    if (status == FNP_OK) {
        status = fnp_elf_parse(&scratch, object, &elf, err);
    }
    if (status == FNP_OK) {
        link.archive = object->siblings;
        status = fnp_link_begin(&link, &elf);
    }
    if (status == FNP_OK) {
        status = symbol ? find_symbol(&link, symbol) : find_address(&link);
    }
    if (status == FNP_OK) {
        status = fnp_link_collect(&link);
    }
    if (status == FNP_OK) {
        status = fnp_link_layout(&link, arena, out);
    }
    if (status == FNP_OK) {
        status = relocate(&link, slot, out);
    }
    if (status == FNP_OK) {
        out->is32 = link.is32;
        out->known = link.known;
        out->entry = link.base + entry_piece(&link)->offset + link.entry_offset;
        out->code_len = link.entry_symbol ? elf.symbols[link.entry_symbol].size : 0;
        collect_symbols(&link, arena, out);
    }
    fnp_arena_release(&scratch);
    return status;
}

static const struct fnp_segment *segment_at(const struct fnp_image *image,
                                            uint64_t addr)
{
    for (size_t i = 0; i < image->n_segments; i++) {
        const struct fnp_segment *segment = &image->segments[i];

        if (addr >= segment->addr && addr - segment->addr < segment->len) {
            return segment;
        }
    }
    return NULL;
}

const struct fnp_symbol *fnp_image_symbol(const struct fnp_image *image, uint64_t addr)
{
    const struct fnp_segment *segment = segment_at(image, addr);
    size_t lo = 0, hi = image->n_symbols;
    const struct fnp_symbol *nearest = NULL;

    if (!segment) {
        return NULL;
    }
    /* symbols[0, lo) are not above addr. */
    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;

        if (image->symbols[mid].addr <= addr) {
            lo = mid + 1;
        } else {
            hi = mid;
        }
    }
    while (lo > 0 && image->symbols[lo - 1].addr >= segment->addr) {
        const struct fnp_symbol *symbol = &image->symbols[--lo];

        /* Of the names of one address the first is the best one. */
        while (lo > 0 && image->symbols[lo - 1].addr == symbol->addr) {
            symbol = &image->symbols[--lo];
        }
        if (addr - symbol->addr < symbol->size) {
            return symbol;
        }
        nearest = nearest ? nearest : symbol;
    }
    return nearest;
}

const unsigned char *fnp_image_bytes(const struct fnp_image *image, uint64_t addr,
                                     size_t *avail)
{
    const struct fnp_segment *segment = segment_at(image, addr);

    if (!segment) {
        return NULL;
    }
    *avail = segment->len - (size_t)(addr - segment->addr);
    return segment->bytes + (addr - segment->addr);
}
