/* SPDX-License-Identifier: MIT */
/*
 * elf.c - read the tables of a relocatable ELF object, trusting nothing in it
 *
 * It looks at headers, names, symbols and relocation tables, never at code, and
 * copies no content.
 */
#include "subject/elf.h"

#include <elf.h>
#include <stdbool.h>
#include <string.h>

#include "subject/elf_wide.h"

/* Large COMMON of the medium code model, psABI 4.2. */
#define SHN_LARGE_COMMON 0xff02

/* What is known while reading. */
struct reader {
    const struct fnp_object *object;
    struct fnp_arena *arena;
    struct fnp_elf *elf;
    struct fnp_err *err;
    const struct fnp_wide_sizes *sizes; /* of the file's class */
    uint32_t names;                     /* section with the section names */
    uint64_t table;                     /* file offset of the section headers */
    uint64_t n_relas;                   /* so far, in all sections */
};

static bool in_file(const struct reader *r, uint64_t offset, uint64_t len)
{
    return len <= r->object->len && offset <= r->object->len - len;
}

/* Section header i; the table was checked to be inside the file. */
static Elf64_Shdr header_at(const struct reader *r, uint64_t i)
{
    return fnp_wide_shdr(r->object->bytes + r->table + i * r->sizes->shdr,
                         r->elf->is32);
}

static enum fnp_status read_file_header(struct reader *r)
{
    const char *path = r->object->path;
    const char *what = fnp_object_unsupported(r->object);
    Elf64_Ehdr file;

    if (what) {
        return fnp_err_set(r->err, FNP_INPUT, "%s: %s", path, what);
    }
    file = fnp_wide_ehdr(r->object->bytes, r->elf->is32);
    if (file.e_shoff == 0) {
        return fnp_err_set(r->err, FNP_INPUT, "%s: the object has no sections", path);
    }
    if (file.e_shentsize != r->sizes->shdr ||
        !in_file(r, file.e_shoff, r->sizes->shdr)) {
        return fnp_err_set(r->err, FNP_INPUT,
                           "%s: damaged: the section headers are not in the file",
                           path);
    }
    r->table = file.e_shoff;

    /* With 65,280 sections and more the true numbers stand in section header 0. */
    Elf64_Shdr first = header_at(r, 0);
    uint64_t count = file.e_shnum ? file.e_shnum : first.sh_size;
    uint64_t names = file.e_shstrndx == SHN_XINDEX ? first.sh_link : file.e_shstrndx;

    if (count == 0 || count > r->object->len / r->sizes->shdr ||
        !in_file(r, r->table, count * r->sizes->shdr) || names >= count) {
        return fnp_err_set(r->err, FNP_INPUT,
                           "%s: damaged: %llu section headers do not fit into the file",
                           path, (unsigned long long)count);
    }
    r->names = (uint32_t)names;
    r->elf->n_sections = (uint32_t)count;
    r->elf->sections = fnp_arena_array(r->arena, count, sizeof(*r->elf->sections));
    return FNP_OK;
}

static enum fnp_status read_section(struct reader *r, uint32_t i)
{
    Elf64_Shdr header = header_at(r, i);
    bool has_bytes = header.sh_type != SHT_NOBITS && header.sh_type != SHT_NULL;

    if (has_bytes && !in_file(r, header.sh_offset, header.sh_size)) {
        return fnp_err_set(r->err, FNP_INPUT,
                           "%s: damaged: section %u lies outside the file",
                           r->object->path, i);
    }
    if (header.sh_addralign & (header.sh_addralign - 1)) {
        return fnp_err_set(r->err, FNP_INPUT,
                           "%s: damaged: the alignment of section %u is %#llx",
                           r->object->path, i, (unsigned long long)header.sh_addralign);
    }
    r->elf->sections[i] = (struct fnp_elf_section){
        .name = "",
        .type = header.sh_type,
        .info = header.sh_info,
        .link = header.sh_link,
        .flags = header.sh_flags,
        .size = header.sh_type == SHT_NULL ? 0 : header.sh_size,
        .align = header.sh_addralign ? header.sh_addralign : 1,
        .bytes = has_bytes ? r->object->bytes + header.sh_offset : NULL,
    };
    return FNP_OK;
}

/* The string at `offset`, or NULL unless it ends within the table. */
static const char *text_at(const struct fnp_elf_section *table, uint32_t offset)
{
    if (table->type != SHT_STRTAB || offset >= table->size ||
        table->bytes[table->size - 1] != 0) {
        return NULL;
    }
    return (const char *)table->bytes + offset;
}

static enum fnp_status name_sections(struct reader *r)
{
    const struct fnp_elf_section *names = &r->elf->sections[r->names];

    for (uint32_t i = 1; i < r->elf->n_sections; i++) {
        const char *name = text_at(names, header_at(r, i).sh_name);

        if (!name) {
            return fnp_err_set(r->err, FNP_INPUT,
                               "%s: damaged: section %u has no readable name",
                               r->object->path, i);
        }
        r->elf->sections[i].name = name;
    }
    return FNP_OK;
}

static size_t rela_len(const struct fnp_elf *elf, const struct fnp_elf_section *relas)
{
    const struct fnp_wide_sizes *sizes = fnp_wide_sizes(elf->is32);

    return relas->type == SHT_RELA ? sizes->rela : sizes->rel;
}

/* Chain a relocation section to the section it changes. */
static enum fnp_status chain_relas(struct reader *r, uint32_t i)
{
    struct fnp_elf_section *section = &r->elf->sections[i];
    const size_t len = rela_len(r->elf, section);

    if (section->type == SHT_REL && !r->elf->is32) {
        return fnp_err_set(r->err, FNP_INPUT,
                           "%s: section %s: x86-64 has no relocations without addends",
                           r->object->path, section->name);
    }
    if (section->type != SHT_RELA && section->type != SHT_REL) {
        return FNP_OK;
    }
    /* Tables that share file bytes could cost any amount of time. */
    r->n_relas += section->size / len;
    if (section->info == 0 || section->info >= r->elf->n_sections ||
        section->size % len != 0 || r->n_relas > r->object->len / len) {
        return fnp_err_set(
            r->err, FNP_INPUT,
            "%s: damaged: relocation section %s is no table for a section",
            r->object->path, section->name);
    }
    section->next_relas = r->elf->sections[section->info].relas;
    r->elf->sections[section->info].relas = i;
    return FNP_OK;
}

/* The section of a given type that belongs to `link`, or NULL; link 0: any. */
static const struct fnp_elf_section *find_type(const struct fnp_elf *elf, uint32_t type,
                                               uint32_t link)
{
    for (uint32_t i = 1; i < elf->n_sections; i++) {
        if (elf->sections[i].type == type &&
            (link == 0 || elf->sections[i].link == link)) {
            return &elf->sections[i];
        }
    }
    return NULL;
}

/* Set place and section of a symbol; false when its section index means nothing. */
static bool place_symbol(const struct fnp_elf *elf, const struct fnp_elf_section *wide,
                         uint32_t i, uint32_t index, struct fnp_elf_symbol *out)
{
    switch (index) {
    case SHN_UNDEF:
        out->place = FNP_ELF_UNDEFINED;
        return true;
    case SHN_ABS:
        out->place = FNP_ELF_ABSOLUTE;
        return true;
    case SHN_COMMON:
    case SHN_LARGE_COMMON:
        out->place = FNP_ELF_COMMON;
        return true;
    case SHN_XINDEX:
        if (!wide || (i + 1ull) * sizeof(index) > wide->size) {
            return false;
        }
        memcpy(&index, wide->bytes + i * sizeof(index), sizeof(index));
        break;
    default:
        if (index >= SHN_LORESERVE) {
            return false;
        }
        break;
    }
    out->place = FNP_ELF_SECTION;
    out->section = index;
    return index != 0 && index < elf->n_sections;
}

static enum fnp_status read_symbol(struct reader *r,
                                   const struct fnp_elf_section *table,
                                   const struct fnp_elf_section *wide, uint32_t i)
{
    struct fnp_elf *elf = r->elf;
    struct fnp_elf_symbol *out = &elf->symbols[i];
    const Elf64_Sym symbol = fnp_wide_sym(table->bytes + i * r->sizes->sym, elf->is32);

    *out = (struct fnp_elf_symbol){
        .name = text_at(&elf->sections[table->link], symbol.st_name),
        .value = symbol.st_value,
        .size = symbol.st_size,
        .bind = ELF64_ST_BIND(symbol.st_info),
        .type = ELF64_ST_TYPE(symbol.st_info),
    };
    if (!out->name) {
        return fnp_err_set(r->err, FNP_INPUT,
                           "%s: damaged: symbol %u has no readable name",
                           r->object->path, i);
    }
    if (!place_symbol(elf, wide, i, symbol.st_shndx, out)) {
        return fnp_err_set(
            r->err, FNP_INPUT,
            "%s: damaged: symbol %u (%s) is in section %#x, which is not there",
            r->object->path, i, out->name, symbol.st_shndx);
    }
    if (out->type == STT_SECTION && out->place == FNP_ELF_SECTION &&
        out->name[0] == 0) {
        out->name = elf->sections[out->section].name;
    }
    elf->has_ifunc |= out->type == STT_GNU_IFUNC;
    return FNP_OK;
}

static enum fnp_status read_symbols(struct reader *r)
{
    struct fnp_elf *elf = r->elf;
    const struct fnp_elf_section *table = find_type(elf, SHT_SYMTAB, 0);

    if (!table) {
        return FNP_OK;
    }

    const struct fnp_elf_section *wide =
        find_type(elf, SHT_SYMTAB_SHNDX, (uint32_t)(table - elf->sections));
    uint64_t count = table->size / r->sizes->sym;

    if (table->size % r->sizes->sym != 0 || count > UINT32_MAX ||
        table->link >= elf->n_sections) {
        return fnp_err_set(r->err, FNP_INPUT,
                           "%s: damaged: the symbol table is no table of symbols",
                           r->object->path);
    }
    elf->symbols = fnp_arena_array(r->arena, count, sizeof(*elf->symbols));
    elf->n_symbols = (uint32_t)count;
    for (uint32_t i = 0; i < elf->n_symbols; i++) {
        enum fnp_status status = read_symbol(r, table, wide, i);

        if (status != FNP_OK) {
            return status;
        }
    }
    return FNP_OK;
}

enum fnp_status fnp_elf_parse(struct fnp_arena *arena, const struct fnp_object *object,
                              struct fnp_elf *out, struct fnp_err *err)
{
    struct reader r = { .object = object, .arena = arena, .elf = out, .err = err };

    *out = (struct fnp_elf){ .path = object->path, .is32 = fnp_object_is32(object) };
    r.sizes = fnp_wide_sizes(out->is32);

    enum fnp_status status = read_file_header(&r);

    for (uint32_t i = 0; status == FNP_OK && i < out->n_sections; i++) {
        status = read_section(&r, i);
    }
    if (status == FNP_OK) {
        status = name_sections(&r);
    }
    /* Backwards, so that chains run in file order. */
    for (uint32_t i = out->n_sections; status == FNP_OK && i-- > 1;) {
        status = chain_relas(&r, i);
    }
    return status == FNP_OK ? read_symbols(&r) : status;
}

size_t fnp_elf_n_relas(const struct fnp_elf *elf, const struct fnp_elf_section *relas)
{
    return relas->size / rela_len(elf, relas);
}

struct fnp_elf_rela fnp_elf_rela(const struct fnp_elf *elf,
                                 const struct fnp_elf_section *relas, size_t i)
{
    const bool has_addend = relas->type == SHT_RELA;
    const Elf64_Rela rela =
        fnp_wide_rela(relas->bytes + i * rela_len(elf, relas), has_addend, elf->is32);

    return (struct fnp_elf_rela){
        .offset = rela.r_offset,
        .addend = (uint64_t)rela.r_addend,
        .has_addend = has_addend,
        .type = (uint32_t)ELF64_R_TYPE(rela.r_info),
        .symbol = (uint32_t)ELF64_R_SYM(rela.r_info),
    };
}

enum fnp_elf_rank fnp_elf_rank(const struct fnp_elf *elf,
                               const struct fnp_elf_symbol *symbol)
{
    if (symbol->type == STT_SECTION || symbol->type == STT_FILE) {
        return FNP_RANK_NONE;
    }
    if (symbol->place == FNP_ELF_UNDEFINED) {
        return FNP_RANK_UNDEFINED;
    }
    if (symbol->place != FNP_ELF_SECTION) {
        return FNP_RANK_NUMBER;
    }
    if (!(elf->sections[symbol->section].flags & SHF_EXECINSTR) ||
        symbol->type == STT_OBJECT || symbol->type == STT_TLS) {
        return FNP_RANK_DATA;
    }
    switch (symbol->bind) {
    case STB_LOCAL:
        return FNP_RANK_LOCAL;
    case STB_WEAK:
        return FNP_RANK_WEAK;
    default:
        return FNP_RANK_GLOBAL;
    }
}

bool fnp_elf_is_resolver(const struct fnp_elf *elf, const struct fnp_elf_symbol *symbol)
{
    for (uint32_t i = 1; elf->has_ifunc && i < elf->n_symbols; i++) {
        const struct fnp_elf_symbol *other = &elf->symbols[i];

        if (other->type == STT_GNU_IFUNC && other->place == symbol->place &&
            other->section == symbol->section && other->value == symbol->value) {
            return true;
        }
    }
    return false;
}

bool fnp_elf_is_split(const char *name)
{
    static const char *const suffixes[] = { ".cold", ".constprop.", ".isra.", ".part.",
                                            ".llvm." };

    for (size_t i = 0; i < FNP_ARRAY_LEN(suffixes); i++) {
        if (strstr(name, suffixes[i])) {
            return true;
        }
    }
    return false;
}

bool fnp_elf_is_function(const struct fnp_elf *elf, const struct fnp_elf_symbol *symbol)
{
    if (symbol->place != FNP_ELF_SECTION || symbol->name[0] == 0) {
        return false;
    }

    const struct fnp_elf_section *section = &elf->sections[symbol->section];

    if (!(section->flags & SHF_EXECINSTR) || symbol->value >= section->size) {
        return false;
    }
    /* What gcc splits off a function is no function of its own. */
    if (fnp_elf_is_split(symbol->name)) {
        return false;
    }
    /* Hand-written code often lacks .type; a local label is then just a label. */
    return symbol->type == STT_FUNC || symbol->type == STT_GNU_IFUNC ||
           (symbol->type == STT_NOTYPE && symbol->bind != STB_LOCAL);
}
