/* SPDX-License-Identifier: MIT */
/*
 * image_resolve.c - what each symbol of a link means, across the objects that take part
 *
 * Local symbols stay with their object; names are shared, as in a static linker: a strong
 * definition wins over COMMON, COMMON over a weak one, and of equal ones the first.
 */
#include <assert.h>
#include <elf.h>
#include <string.h>

#include "subject/image_link.h"
#include "subject/stub.h"

/* How a definition competes with others of its name; more wins. */
enum strength {
    STRENGTH_NONE,
    STRENGTH_WEAK,
    STRENGTH_COMMON,
    STRENGTH_STRONG,
};

static enum strength strength(const struct fnp_elf_symbol *symbol)
{
    if (symbol->place == FNP_ELF_UNDEFINED) {
        return STRENGTH_NONE;
    }
    if (symbol->place == FNP_ELF_COMMON) {
        return STRENGTH_COMMON;
    }
    return symbol->bind == STB_WEAK ? STRENGTH_WEAK : STRENGTH_STRONG;
}

static const struct fnp_elf_symbol *definition(const struct fnp_link *link,
                                               const struct fnp_global *global)
{
    return &link->modules[global->module].elf->symbols[global->symbol];
}

/* ---- names */

static uint32_t hash_name(const char *name)
{
    uint32_t hash = 5381;

    for (; *name; name++) {
        hash = hash * 33 + (unsigned char)*name;
    }
    return hash % FNP_GLOBAL_HEADS;
}

/* The entry of a name, made when there is none. */
static uint32_t find_global(struct fnp_link *link, const char *name)
{
    uint32_t *head = &link->heads[hash_name(name)];

    for (uint32_t i = *head; i; i = link->globals[i].next) {
        if (strcmp(link->globals[i].name, name) == 0) {
            return i;
        }
    }
    assert(link->n_globals < link->max_globals);
    link->globals[link->n_globals] =
        (struct fnp_global){ .name = name, .next = *head, .align = 1 };
    *head = link->n_globals;
    return link->n_globals++;
}

/* Room for `more` names, and for number 0, which is none. */
static void reserve_globals(struct fnp_link *link, uint32_t more)
{
    uint32_t room = 2 * (link->n_globals + more + 1);
    struct fnp_global *bigger;

    if (link->max_globals - link->n_globals > more) {
        return;
    }
    bigger = fnp_arena_array(link->scratch, room, sizeof(*bigger));
    if (link->n_globals) {
        memcpy(bigger, link->globals, link->n_globals * sizeof(*bigger));
    }
    link->globals = bigger;
    link->max_globals = room;
    link->n_globals += link->n_globals == 0;
}

/* A module's symbol competes for its name. */
static void offer(struct fnp_link *link, uint32_t module, uint32_t symbol)
{
    const struct fnp_elf_symbol *from = &link->modules[module].elf->symbols[symbol];
    struct fnp_global *global = &link->globals[link->modules[module].globals[symbol]];
    enum strength mine = strength(from);
    enum strength best =
        global->symbol ? strength(definition(link, global)) : STRENGTH_NONE;

    if (mine > best) {
        global->module = module;
        global->symbol = symbol;
    }
    if (mine == STRENGTH_COMMON) {
        global->size = from->size > global->size ? from->size : global->size;
        global->align = from->value > global->align ? from->value : global->align;
    }
}

enum fnp_status fnp_link_add_module(struct fnp_link *link, const struct fnp_elf *elf)
{
    const uint32_t index = link->n_modules;
    const uint32_t n = elf->n_symbols;
    struct fnp_module *module;

    if (n > UINT32_MAX / 8 || link->n_globals > UINT32_MAX / 8) {
        return fnp_err_set(link->err, FNP_INPUT, "%s: too many symbols", elf->path);
    }
    if (index == link->max_modules) {
        uint32_t room = index ? 2 * index : 4;
        struct fnp_module *bigger =
            fnp_arena_array(link->scratch, room, sizeof(*bigger));

        if (index) {
            memcpy(bigger, link->modules, index * sizeof(*bigger));
        }
        link->modules = bigger;
        link->max_modules = room;
    }
    module = &link->modules[link->n_modules++];
    *module = (struct fnp_module){
        .elf = elf,
        .globals = fnp_arena_array(link->scratch, n, sizeof(*module->globals)),
        .section_piece = fnp_arena_array(link->scratch, elf->n_sections,
                                         sizeof(*module->section_piece)),
        .places = fnp_arena_array(link->scratch, n, sizeof(*module->places)),
        .barred = fnp_arena_array(link->scratch, n, sizeof(*module->barred)),
    };
    reserve_globals(link, n);
    for (uint32_t i = 1; i < n; i++) {
        const struct fnp_elf_symbol *symbol = &elf->symbols[i];

        if (symbol->bind != STB_LOCAL && symbol->name[0]) {
            module->globals[i] = find_global(link, symbol->name);
            offer(link, index, i);
        }
    }
    return FNP_OK;
}

enum fnp_status fnp_link_begin(struct fnp_link *link, const struct fnp_elf *elf)
{
    link->path = elf->path;
    link->is32 = elf->is32;
    return fnp_link_add_module(link, elf);
}

void fnp_link_forget(struct fnp_link *link)
{
    for (uint32_t i = 0; i < link->n_modules; i++) {
        struct fnp_module *module = &link->modules[i];

        memset(module->section_piece, 0,
               module->elf->n_sections * sizeof(*module->section_piece));
        if (module->elf->n_symbols) {
            memset(module->places, 0, module->elf->n_symbols * sizeof(*module->places));
            memset(module->barred, 0, module->elf->n_symbols * sizeof(*module->barred));
        }
        module->barred_last = 0;
    }
    for (uint32_t i = 0; i < link->n_globals; i++) {
        link->globals[i].place = (struct fnp_place){ 0 };
    }
}

/* ---- places */

struct fnp_place *fnp_link_place(const struct fnp_link *link, uint32_t module,
                                 uint32_t symbol)
{
    uint32_t global = link->modules[module].globals[symbol];

    return global ? &link->globals[global].place
                  : &link->modules[module].places[symbol];
}

uint64_t fnp_link_size(const struct fnp_link *link, uint32_t module, uint32_t symbol)
{
    const struct fnp_global *global =
        &link->globals[link->modules[module].globals[symbol]];

    if (link->modules[module].globals[symbol] && global->symbol) {
        return definition(link, global)->size;
    }
    return link->modules[module].elf->symbols[symbol].size;
}

/* What the definition of a symbol is, wherever it stands. */
static void place_defined(struct fnp_link *link, uint32_t module, uint32_t index,
                          struct fnp_place *place)
{
    const struct fnp_elf *elf = link->modules[module].elf;
    const struct fnp_elf_symbol *symbol = &elf->symbols[index];

    place->kind = FNP_PLACE_PIECE;
    if (symbol->place == FNP_ELF_ABSOLUTE) {
        place->kind = FNP_PLACE_NUMBER;
        place->value = symbol->value;
    } else if (symbol->type == STT_GNU_IFUNC) {
        place->piece = fnp_link_trap(
            link, fnp_arena_printf(link->scratch, "IFUNC %s", symbol->name));
    } else if (symbol->type == STT_TLS ||
               !fnp_link_is_loadable(&elf->sections[symbol->section])) {
        place->piece = fnp_link_trap(link, symbol->name);
    } else {
        place->piece = fnp_link_section(link, module, symbol->section);
        place->value = symbol->value;
    }
}

/* COMMON: value is the alignment; a damaged one is reported by the layout. */
static uint32_t add_common(struct fnp_link *link, const char *name, uint64_t size,
                           uint64_t align)
{
    return fnp_link_add(link, &(struct fnp_piece){
                                  .name = name,
                                  .size = size,
                                  .align = align ? align : 1,
                                  .group = FNP_GROUP_DATA,
                              });
}

static void place_local(struct fnp_link *link, uint32_t module, uint32_t index)
{
    const struct fnp_elf_symbol *symbol = &link->modules[module].elf->symbols[index];
    struct fnp_place *place = &link->modules[module].places[index];

    if (symbol->place == FNP_ELF_UNDEFINED) {
        place->kind = FNP_PLACE_PIECE;
        place->piece = fnp_link_trap(link, symbol->name);
    } else if (symbol->place == FNP_ELF_COMMON) {
        place->kind = FNP_PLACE_PIECE;
        place->piece = add_common(link, symbol->name, symbol->size, symbol->value);
    } else {
        place_defined(link, module, index, place);
    }
}

/* Look for the member that defines a name no module has. */
static enum fnp_status pull_member(struct fnp_link *link, const char *name)
{
    const struct fnp_member *member =
        link->archive ? fnp_members_definer(link->archive, name, link->is32) : NULL;

    if (!member) {
        return FNP_OK;
    }
    link->again = true;
    return fnp_link_add_module(link, &member->elf);
}

/* Does what the contract says about a name fit into the code's width? */
static enum fnp_status check_width(const struct fnp_link *link, const char *name)
{
    const struct fnp_contract *contract = link->contract;

    for (size_t i = 0; contract && i < contract->n_defines; i++) {
        if (strcmp(contract->defines[i].name, name) == 0) {
            return fnp_stub_fits(link->path, &contract->defines[i], link->is32,
                                 link->err);
        }
    }
    return FNP_OK;
}

/*
 * In the order of precedence: the contract; what the entry's object defines; what the
 * tool knows; other members; nothing.
 */
static enum fnp_status place_global(struct fnp_link *link, uint32_t index)
{
    const char *name = link->globals[index].name;
    bool is_own = link->globals[index].symbol && link->globals[index].module == 0;
    struct fnp_place place = { .kind = FNP_PLACE_PIECE };
    enum fnp_status status = check_width(link, name);

    place.piece = fnp_link_define(link, name, !is_own);
    if (!status && place.piece == FNP_PIECE_NONE && !link->globals[index].symbol) {
        if (strcmp(name, FNP_GOT_SYMBOL) == 0) {
            place.piece = fnp_link_got(link);
        } else if (link->globals[index].is_wanted) {
            status = pull_member(link, name);
        }
    }
    if (status != FNP_OK) {
        return status;
    }

    const struct fnp_global *global = &link->globals[index];

    if (place.piece != FNP_PIECE_NONE) {
        /* It is what it is. */
    } else if (!global->symbol) {
        place.kind = global->is_wanted ? FNP_PLACE_PIECE : FNP_PLACE_WEAK;
        place.piece = global->is_wanted ? fnp_link_trap(link, name) : FNP_PIECE_NONE;
    } else if (definition(link, global)->place == FNP_ELF_COMMON) {
        place.piece = add_common(link, name, global->size, global->align);
    } else {
        place_defined(link, global->module, global->symbol, &place);
    }
    link->globals[index].place = place;
    return FNP_OK;
}

enum fnp_status fnp_link_reach(struct fnp_link *link, uint32_t module, uint32_t symbol)
{
    struct fnp_place *place = fnp_link_place(link, module, symbol);
    uint32_t global = link->modules[module].globals[symbol];
    bool is_weak = link->modules[module].elf->symbols[symbol].bind == STB_WEAK;

    if (global && !is_weak && !link->globals[global].is_wanted) {
        link->globals[global].is_wanted = true;
        /* Only weak symbols have asked for it before. */
        link->again |= place->kind == FNP_PLACE_WEAK;
    }
    if (place->kind != FNP_PLACE_UNSEEN) {
        return FNP_OK;
    }
    if (symbol == 0) { /* the null symbol: a relocation against nothing */
        place->kind = FNP_PLACE_NUMBER;
    } else if (global) {
        return place_global(link, global);
    } else {
        place_local(link, module, symbol);
    }
    return FNP_OK;
}
