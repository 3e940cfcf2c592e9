/* SPDX-License-Identifier: MIT */
/*
 * shared_link.c - lay a shared object out and do its dynamic linker's work
 *
 * It maps nothing and runs nothing, constructors and resolvers least of all, and it
 * trusts no address in the file.
 */
#include "subject/shared_link.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

#include "subject/elf_wide.h"
#include "subject/stub.h"

#define PAGE ((uint64_t)4096)

static const char tls_name[] = "thread-local storage";

enum fnp_dynreloc_form {
    FORM_NOTHING,  /* also of copies: what would be copied is in another file */
    FORM_ABSOLUTE, /* S + A */
    FORM_SYMBOL,   /* S */
    FORM_CALL,     /* S, and code will run to it */
    FORM_BASE,     /* B + A */
    FORM_PC,       /* S + A - P */
    FORM_SIZE,     /* Z + A */
    FORM_IFUNC,    /* what the resolver at B + A returns: a trap */
    FORM_TLS,      /* a trap */
};

struct dynreloc {
    bool is32;
    uint32_t number;
    uint8_t width; /* bytes */
    uint8_t form;  /* enum fnp_dynreloc_form */
    const char *name;
};

#define IS32_X86_64 false
#define IS32_386    true

static const struct dynreloc dynrelocs[] = {
#define DYNRELOC(MACHINE, TYPE, width, FORM)                                           \
    { IS32_##MACHINE, R_##MACHINE##_##TYPE, width, FORM_##FORM,                        \
      "R_" #MACHINE "_" #TYPE },
#include "subject/dynreloc.def"
#undef DYNRELOC
};

static const struct dynreloc *find_type(bool is32, uint64_t number)
{
    for (size_t i = 0; i < FNP_ARRAY_LEN(dynrelocs); i++) {
        if (dynrelocs[i].is32 == is32 && dynrelocs[i].number == number) {
            return &dynrelocs[i];
        }
    }
    return NULL;
}

/* ---- symbols */

bool fnp_shared_is_code(const struct fnp_dyn *dyn, const struct fnp_dyn_symbol *symbol)
{
    const struct fnp_dyn_load *load;

    if (!symbol->is_defined || symbol->is_number || symbol->type == STT_TLS ||
        symbol->type == STT_OBJECT || symbol->type == STT_SECTION ||
        symbol->type == STT_FILE) {
        return false;
    }
    load = fnp_dyn_load_at(dyn, symbol->value, 1);
    return load && (load->prot & FNP_PROT_X) &&
           fnp_dyn_bytes(dyn, symbol->value, 1) != NULL;
}

/* Does `name` mean the symbol?  `base_len` counts up to its version. */
static bool is_named(const struct fnp_dyn_symbol *symbol, const char *name,
                     size_t base_len)
{
    const char *version = name + base_len;

    if (strcmp(symbol->name, name) == 0) {
        return true;
    }
    if (!*version || !symbol->version || strncmp(symbol->name, name, base_len) != 0 ||
        symbol->name[base_len] != 0) {
        return false;
    }
    version += version[1] == '@' ? 2 : 1;
    return strcmp(symbol->version, version) == 0;
}

/* How well the symbol answers to a name that fits; 0: not at all. */
static unsigned rank_of(const struct fnp_dyn *dyn, const struct fnp_dyn_symbol *symbol)
{
    if (symbol->type == STT_SECTION || symbol->type == STT_FILE) {
        return 0;
    }
    if (!symbol->is_defined) {
        return 1;
    }
    return 2u + 8u * fnp_shared_is_code(dyn, symbol) + 4u * symbol->is_default +
           (symbol->bind == STB_LOCAL  ? 0u
            : symbol->bind == STB_WEAK ? 1u
                                       : 2u);
}

const struct fnp_dyn_symbol *fnp_shared_find(const struct fnp_dyn *dyn,
                                             const char *name)
{
    const struct fnp_dyn_symbol *found = NULL;
    size_t base_len = strcspn(name, "@");
    unsigned best = 0;

    for (size_t i = 0; name[0] && i < dyn->n_symbols; i++) {
        if (is_named(&dyn->symbols[i], name, base_len)) {
            unsigned rank = rank_of(dyn, &dyn->symbols[i]);

            if (rank > best) {
                best = rank;
                found = &dyn->symbols[i];
            }
        }
    }
    return found;
}

/* ---- what the loader adds */

/* A place in an area, named; its address in the image.  The areas never get full. */
static uint64_t add(struct fnp_shared_link *link, enum fnp_shared_area_id id,
                    const struct fnp_stub *stub, const char *name)
{
    struct fnp_shared_area *area = &link->areas[id];
    uint64_t addr = link->bias + area->vaddr + area->used;

    if (stub) {
        memcpy(area->bytes + area->used, stub->bytes, FNP_STUB_MAX);
    }
    area->used += FNP_STUB_MAX;
    link->made[link->n_made++] = (struct fnp_symbol){
        .name = name[0] ? name : "(unnamed)",
        .addr = addr,
        .size = FNP_STUB_MAX,
        .is_code = id != FNP_AREA_WORDS,
        .is_trap = id == FNP_AREA_TRAPS,
    };
    return addr;
}

static uint64_t add_trap(struct fnp_shared_link *link, const char *name)
{
    return add(link, FNP_AREA_TRAPS, NULL, name);
}

/* What the contract, or we, put in the place of `name`. */
static bool add_stub(struct fnp_shared_link *link, const char *name, bool built_in,
                     uint64_t *addr)
{
    struct fnp_stub stub;

    if (!fnp_stub_by_contract(link->contract, name, link->dyn->is32, &stub) &&
        !(built_in && fnp_stub_built_in(name, link->dyn->is32, &stub))) {
        return false;
    }
    for (size_t i = 0; link->contract && i < link->contract->n_defines; i++) {
        link->used[i] |= strcmp(link->contract->defines[i].name, name) == 0;
    }
    *addr = add(link, stub.is_code ? FNP_AREA_CODE : FNP_AREA_WORDS, &stub, name);
    return true;
}

static uint64_t bind_symbol(struct fnp_shared_link *link,
                            const struct fnp_dyn_symbol *symbol)
{
    uint64_t addr = 0;

    if (symbol->is_defined && symbol->type == STT_GNU_IFUNC) {
        return add_stub(link, symbol->name, false, &addr)
                   ? addr
                   : add_trap(link,
                              fnp_arena_printf(link->arena, "IFUNC %s", symbol->name));
    }
    if (symbol->type == STT_TLS) {
        return add_trap(link, tls_name);
    }
    if (symbol->is_defined) {
        return symbol->value + (symbol->is_number ? 0 : link->bias);
    }
    if (add_stub(link, symbol->name, true, &addr) || symbol->bind == STB_WEAK) {
        return addr;
    }
    return add_trap(link, symbol->name);
}

/* S of the psABI. */
static uint64_t symbol_addr(struct fnp_shared_link *link, uint64_t i)
{
    if (i == 0) {
        return 0;
    }
    if (!link->is_bound[i]) {
        link->bound[i] = bind_symbol(link, &link->dyn->bound[i]);
        link->is_bound[i] = true;
    }
    return link->bound[i];
}

/* The trap for an IFUNC that only its resolver's address tells. */
static uint64_t resolver_trap(struct fnp_shared_link *link, uint64_t resolver)
{
    const struct fnp_dyn *dyn = link->dyn;

    for (size_t i = 0; i < dyn->n_symbols; i++) {
        if (dyn->symbols[i].type == STT_GNU_IFUNC && dyn->symbols[i].is_defined &&
            dyn->symbols[i].value == resolver) {
            return bind_symbol(link, &dyn->symbols[i]);
        }
    }
    return add_trap(link, fnp_arena_printf(link->arena, "IFUNC at %#llx",
                                           (unsigned long long)resolver));
}

/* ---- relocations */

/* One relocation with what it is about. */
struct site {
    const struct dynreloc *type;
    unsigned char *field; /* in link->bytes */
    uint64_t vaddr;
    uint64_t symbol; /* index */
    uint64_t addend;
};

/* S for code that runs there: an undefined weak symbol is a trap, too. */
static uint64_t call_addr(struct fnp_shared_link *link, uint64_t symbol)
{
    uint64_t addr = symbol_addr(link, symbol);

    return addr || symbol == 0 ? addr : add_trap(link, link->dyn->bound[symbol].name);
}

static uint64_t value_of(struct fnp_shared_link *link, const struct site *site)
{

    switch ((enum fnp_dynreloc_form)site->type->form) {
    case FORM_ABSOLUTE:
        return symbol_addr(link, site->symbol) + site->addend;
    case FORM_SYMBOL:
        return symbol_addr(link, site->symbol);
    case FORM_CALL:
        return call_addr(link, site->symbol);
    case FORM_BASE:
        return link->bias + site->addend;
    case FORM_PC:
        return call_addr(link, site->symbol) + site->addend -
               (link->bias + site->vaddr);
    case FORM_SIZE:
        return site->addend + (site->symbol ? link->dyn->bound[site->symbol].size : 0);
    case FORM_IFUNC:
        return resolver_trap(link, site->addend);
    case FORM_TLS:
        return add_trap(link, tls_name);
    case FORM_NOTHING:
        break;
    }
    return 0;
}

/* Does a field of four bytes stand for the value?  In 32-bit code all of them do. */
static bool fits(const struct fnp_shared_link *link, const struct dynreloc *type,
                 uint64_t value)
{
    return link->dyn->is32 || type->width != 4 || value <= UINT32_MAX ||
           value >= (uint64_t)INT32_MIN;
}

static enum fnp_status relocate(struct fnp_shared_link *link, const Elf64_Rela *rela,
                                bool has_addend)
{
    const struct fnp_dyn *dyn = link->dyn;
    struct site site = {
        .type = find_type(dyn->is32, ELF64_R_TYPE(rela->r_info)),
        .vaddr = rela->r_offset,
        .symbol = ELF64_R_SYM(rela->r_info),
        .addend = (uint64_t)rela->r_addend,
    };
    uint64_t value;

    if (!site.type) {
        return fnp_err_set(link->err, FNP_INPUT,
                           "%s: %#llx: relocation type %llu has no place in a shared "
                           "object",
                           dyn->path, (unsigned long long)site.vaddr,
                           (unsigned long long)ELF64_R_TYPE(rela->r_info));
    }
    if (site.type->form == FORM_NOTHING) {
        return FNP_OK;
    }
    if (!fnp_dyn_load_at(dyn, site.vaddr, site.type->width)) {
        return fnp_err_set(link->err, FNP_INPUT,
                           "%s: damaged: %s at %#llx lies outside the segments",
                           dyn->path, site.type->name, (unsigned long long)site.vaddr);
    }
    site.field = link->bytes + (site.vaddr - dyn->lo);
    if (!has_addend) {
        memcpy(&site.addend, site.field, site.type->width);
    }
    value = value_of(link, &site);
    if (!fits(link, site.type, value)) {
        return fnp_err_set(link->err, FNP_INPUT, "%s: %#llx: %s does not hold %#llx",
                           dyn->path, (unsigned long long)site.vaddr, site.type->name,
                           (unsigned long long)value);
    }
    memcpy(site.field, &value, site.type->width);
    return FNP_OK;
}

static enum fnp_status apply_tables(struct fnp_shared_link *link)
{
    const struct fnp_dyn *dyn = link->dyn;
    const struct fnp_wide_sizes *sizes = fnp_wide_sizes(dyn->is32);
    enum fnp_status status = FNP_OK;

    for (size_t t = 0; t < FNP_DYN_TABLES; t++) {
        const struct fnp_dyn_relocs *relocs = &dyn->relocs[t];
        size_t record = relocs->has_addend ? sizes->rela : sizes->rel;

        for (size_t i = 0; status == FNP_OK && i < relocs->count; i++) {
            Elf64_Rela rela = fnp_wide_rela(relocs->bytes + i * record,
                                            relocs->has_addend, dyn->is32);

            status = relocate(link, &rela, relocs->has_addend);
        }
    }
    return status;
}

/* A word of DT_RELR: B is added to what the file holds there. */
static bool rebase(struct fnp_shared_link *link, uint64_t vaddr)
{
    const struct fnp_dyn *dyn = link->dyn;
    size_t width = fnp_wide_sizes(dyn->is32)->word;
    uint64_t value;

    if (!fnp_dyn_load_at(dyn, vaddr, width)) {
        return false;
    }
    value = link->bias + fnp_wide_word(link->bytes + (vaddr - dyn->lo), dyn->is32);
    memcpy(link->bytes + (vaddr - dyn->lo), &value, width);
    return true;
}

/* DT_RELR: an even word is an address, an odd one a map of the words that follow. */
static enum fnp_status apply_relr(struct fnp_shared_link *link)
{
    const struct fnp_dyn *dyn = link->dyn;
    uint64_t width = fnp_wide_sizes(dyn->is32)->word, next = 0;
    bool ok = true;

    for (size_t i = 0; ok && i < dyn->n_relr; i++) {
        uint64_t word = fnp_wide_word(dyn->relr + i * width, dyn->is32);

        if (!(word & 1)) {
            ok = rebase(link, word);
            next = word + width;
            continue;
        }
        for (uint64_t bit = 1; ok && bit < 8 * width; bit++) {
            if (word >> bit & 1) {
                ok = rebase(link, next + (bit - 1) * width);
            }
        }
        next += (8 * width - 1) * width;
    }
    return ok ? FNP_OK
              : fnp_err_set(link->err, FNP_INPUT,
                            "%s: damaged: DT_RELR leads out of the segments",
                            dyn->path);
}

/* ---- definitions of what the file itself defines */

/* `set` of a word in the file; `vaddr` and `width` were found. */
static enum fnp_status patch(struct fnp_shared_link *link,
                             const struct fnp_define *define, uint64_t vaddr,
                             uint64_t width)
{
    const struct fnp_dyn_load *load = fnp_dyn_load_at(link->dyn, vaddr, width);
    const char *path = link->dyn->path;

    if (!load || (load->prot & FNP_PROT_X)) {
        return fnp_err_set(link->err, FNP_INPUT, "%s: set = %s: it is no data word",
                           path, define->name);
    }
    if (width < 8 && define->value >> (8 * width)) {
        return fnp_err_set(
            link->err, FNP_INPUT, "%s: set = %s:%llu: the word has %llu bytes", path,
            define->name, (unsigned long long)define->value, (unsigned long long)width);
    }
    memcpy(link->bytes + (vaddr - link->dyn->lo), &define->value, width);
    return FNP_OK;
}

static enum fnp_status patch_word(struct fnp_shared_link *link,
                                  const struct fnp_define *define,
                                  const struct fnp_dyn_symbol *symbol)
{
    uint64_t word = fnp_wide_sizes(link->dyn->is32)->word;

    if (symbol->type == STT_TLS || symbol->is_number || symbol->size > 8 ||
        (symbol->size & (symbol->size - 1))) {
        return fnp_err_set(link->err, FNP_INPUT, "%s: set = %s: it is no data word",
                           link->dyn->path, define->name);
    }
    return patch(link, define, symbol->value, symbol->size ? symbol->size : word);
}

/* Calls within the file go straight to the function, so its first bytes change. */
static enum fnp_status patch_code(struct fnp_shared_link *link,
                                  const struct fnp_define *define,
                                  const struct fnp_dyn_symbol *symbol)
{
    const struct fnp_stub stub = fnp_stub_of(define, link->dyn->is32);

    if (!fnp_shared_is_code(link->dyn, symbol) ||
        !fnp_dyn_load_at(link->dyn, symbol->value, stub.len) ||
        (symbol->size && symbol->size < stub.len)) {
        return fnp_err_set(link->err, FNP_INPUT,
                           "%s: stub = %s: it is no function of %zu bytes and more",
                           link->dyn->path, define->name, stub.len);
    }
    memcpy(link->bytes + (symbol->value - link->dyn->lo), stub.bytes, stub.len);
    return FNP_OK;
}

/* `set = 0xADDR:NUMBER` names a word of a stripped file. */
static bool is_address(const char *name, uint64_t *vaddr)
{
    char *end;

    if (name[0] != '0' || name[1] != 'x' || !name[2]) {
        return false;
    }
    *vaddr = strtoull(name, &end, 16);
    return *end == 0;
}

static enum fnp_status apply_defines(struct fnp_shared_link *link)
{
    const struct fnp_contract *contract = link->contract;
    enum fnp_status status = FNP_OK;

    for (size_t i = 0; contract && status == FNP_OK && i < contract->n_defines; i++) {
        const struct fnp_define *define = &contract->defines[i];
        const struct fnp_dyn_symbol *symbol = fnp_shared_find(link->dyn, define->name);
        uint64_t vaddr;

        if (!define->is_stub && is_address(define->name, &vaddr)) {
            status = patch(link, define, vaddr, fnp_wide_sizes(link->dyn->is32)->word);
        } else if (!symbol || !symbol->is_defined || symbol->type == STT_GNU_IFUNC) {
            continue;
        } else {
            status = define->is_stub ? patch_code(link, define, symbol)
                                     : patch_word(link, define, symbol);
        }
        link->used[i] = true;
    }
    return status;
}

/* Do the definitions that changed anything fit the code's width? */
static enum fnp_status check_defines(const struct fnp_shared_link *link)
{
    const struct fnp_contract *contract = link->contract;
    enum fnp_status status = FNP_OK;

    for (size_t i = 0; contract && !status && i < contract->n_defines; i++) {
        status = link->used[i] ? fnp_stub_fits(link->dyn->path, &contract->defines[i],
                                               link->dyn->is32, link->err)
                               : FNP_OK;
    }
    return status;
}

/* ---- layout */

/* Relocations that may need something added; those that only add a base are many. */
static size_t count_needy(const struct fnp_dyn *dyn)
{
    const struct fnp_wide_sizes *sizes = fnp_wide_sizes(dyn->is32);
    size_t count = 0;

    for (size_t t = 0; t < FNP_DYN_TABLES; t++) {
        const struct fnp_dyn_relocs *relocs = &dyn->relocs[t];
        size_t record = relocs->has_addend ? sizes->rela : sizes->rel;

        for (size_t i = 0; i < relocs->count; i++) {
            Elf64_Rela rela = fnp_wide_rela(relocs->bytes + i * record,
                                            relocs->has_addend, dyn->is32);
            const struct dynreloc *type =
                find_type(dyn->is32, ELF64_R_TYPE(rela.r_info));

            count += !type || type->form != FORM_BASE;
        }
    }
    return count;
}

static enum fnp_status open_areas(struct fnp_shared_link *link)
{
    const struct fnp_dyn *dyn = link->dyn;
    size_t n_relocs = count_needy(dyn);
    uint64_t vaddr = dyn->hi + PAGE;

    for (size_t i = 0; i < FNP_N_AREAS; i++) {
        struct fnp_shared_area *area = &link->areas[i];

        area->vaddr = vaddr;
        /* Each symbol needs one place at most, each relocation one more. */
        area->cap = (dyn->n_bound + n_relocs + 1) * FNP_STUB_MAX;
        area->cap = (area->cap + PAGE - 1) & ~(size_t)(PAGE - 1);
        area->bytes = fnp_arena_alloc(link->arena, area->cap);
        vaddr += area->cap + PAGE;
    }
    if (vaddr - dyn->lo > FNP_IMAGE_SPAN) {
        return fnp_err_set(link->err, FNP_INPUT,
                           "%s: no room is left behind its segments", dyn->path);
    }
    link->made = fnp_arena_array(link->scratch, dyn->n_bound + n_relocs + 1,
                                 sizeof(*link->made));
    link->bound = fnp_arena_array(link->scratch, dyn->n_bound, sizeof(*link->bound));
    link->is_bound =
        fnp_arena_array(link->scratch, dyn->n_bound, sizeof(*link->is_bound));
    return FNP_OK;
}

/* One past the last page with the protection of the first, from `page` on. */
static size_t run_end(const unsigned char *prots, size_t n_pages, size_t page)
{
    size_t end = page + 1;

    while (end < n_pages && prots[end] == prots[page]) {
        end++;
    }
    return end;
}

#define NOT_MAPPED 0xff

/* Protection of every page; pages that two segments share get what both ask for. */
static unsigned char *page_prots(const struct fnp_shared_link *link, size_t n_pages)
{
    const struct fnp_dyn *dyn = link->dyn;
    unsigned char *prots = fnp_arena_alloc(link->scratch, n_pages);
    /* Rounded as the dynamic linker does. */
    uint64_t relro_lo = dyn->relro_lo & ~(PAGE - 1);
    uint64_t relro_hi = dyn->relro_hi & ~(PAGE - 1);

    memset(prots, NOT_MAPPED, n_pages);
    for (size_t i = 0; i < dyn->n_loads; i++) {
        const struct fnp_dyn_load *load = &dyn->loads[i];
        size_t first = (load->vaddr - dyn->lo) / PAGE;
        size_t last = (load->vaddr + load->memsz - 1 - dyn->lo) / PAGE;

        for (size_t page = first; page <= last; page++) {
            unsigned prot = prots[page] == NOT_MAPPED ? 0u : prots[page];

            prots[page] = (unsigned char)(prot | load->prot);
        }
    }
    for (size_t page = 0; page < n_pages; page++) {
        uint64_t vaddr = dyn->lo + page * PAGE;

        if (vaddr >= relro_lo && vaddr < relro_hi && prots[page] != NOT_MAPPED) {
            prots[page] &= (unsigned char)~FNP_PROT_W;
        }
    }
    return prots;
}

static enum fnp_status add_segment(struct fnp_shared_link *link,
                                   struct fnp_image *image,
                                   const struct fnp_segment *segment)
{
    if (image->n_segments == FNP_ARRAY_LEN(image->segments)) {
        return fnp_err_set(link->err, FNP_INPUT,
                           "%s: its pages change their protection more than %zu times",
                           link->dyn->path, FNP_ARRAY_LEN(image->segments));
    }
    image->segments[image->n_segments++] = *segment;
    return FNP_OK;
}

static enum fnp_status add_file_segments(struct fnp_shared_link *link,
                                         struct fnp_image *image)
{
    const struct fnp_dyn *dyn = link->dyn;
    size_t n_pages = (dyn->hi - dyn->lo) / PAGE;
    const unsigned char *prots = page_prots(link, n_pages);
    enum fnp_status status = FNP_OK;

    for (size_t page = 0; status == FNP_OK && page < n_pages;) {
        size_t end = run_end(prots, n_pages, page);

        if (prots[page] != NOT_MAPPED) {
            status = add_segment(link, image,
                                 &(struct fnp_segment){
                                     .addr = link->bias + dyn->lo + page * PAGE,
                                     .len = (end - page) * PAGE,
                                     .prot = prots[page],
                                     .bytes = link->bytes + page * PAGE,
                                 });
        }
        page = end;
    }
    return status;
}

static enum fnp_status add_areas(struct fnp_shared_link *link, struct fnp_image *image)
{
    static const unsigned prots[FNP_N_AREAS] = {
        [FNP_AREA_CODE] = FNP_PROT_R | FNP_PROT_X,
        [FNP_AREA_WORDS] = FNP_PROT_R | FNP_PROT_W,
        [FNP_AREA_TRAPS] = 0,
    };
    enum fnp_status status = FNP_OK;

    for (size_t i = 0; status == FNP_OK && i < FNP_N_AREAS; i++) {
        const struct fnp_shared_area *area = &link->areas[i];

        for (size_t at = 0; i == FNP_AREA_TRAPS && at < area->used;
             at += FNP_STUB_MAX) {
            memcpy(area->bytes + at, fnp_stub_trap, FNP_STUB_MAX);
        }
        if (area->used) {
            status = add_segment(link, image,
                                 &(struct fnp_segment){
                                     .addr = link->bias + area->vaddr,
                                     .len = (area->used + PAGE - 1) & ~(PAGE - 1),
                                     .prot = prots[i],
                                     .bytes = area->bytes,
                                 });
        }
    }
    return status;
}

enum fnp_status fnp_shared_link(struct fnp_shared_link *link, struct fnp_image *image)
{
    const struct fnp_dyn *dyn = link->dyn;
    enum fnp_status status = open_areas(link);

    if (status != FNP_OK) {
        return status;
    }
    link->bytes = fnp_arena_alloc(link->arena, dyn->hi - dyn->lo);
    for (size_t i = 0; i < dyn->n_loads; i++) {
        if (dyn->loads[i].filesz) {
            memcpy(link->bytes + (dyn->loads[i].vaddr - dyn->lo), dyn->loads[i].bytes,
                   dyn->loads[i].filesz);
        }
    }
    status = apply_relr(link);
    status = status ? status : apply_tables(link);
    status = status ? status : apply_defines(link);
    status = status ? status : check_defines(link);
    status = status ? status : add_file_segments(link, image);
    return status ? status : add_areas(link, image);
}
