/* SPDX-License-Identifier: MIT */
/*
 * dynamic_symbols.c - the symbols of a shared object, and the versions they are of
 *
 * .symtab is preferred, since it has local and hidden ones; .dynsym is found without
 * section headers.
 */
#include <string.h>

#include "subject/dynamic_internal.h"

#define VERSION_HIDDEN 0x8000u
#define VERSIONS_MAX   0x8000u
#define VERSION_FIRST  2u /* 0 is local, 1 has no name */

#define DAMAGED(r, ...) fnp_err_set((r)->err, FNP_INPUT, "%s: damaged: " __VA_ARGS__)

/* A symbol table and what belongs to it. */
struct table {
    const char *name;           /* for sentences */
    const unsigned char *bytes; /* NULL: there is none */
    uint64_t count;
    const char *strings; /* ends with NUL */
    uint64_t n_strings;
    const unsigned char
        *versym;           /* an Elf64_Half each; NULL: versions are in the names */
    const char **versions; /* names by index; NULL with versym NULL */
};

static uint32_t half_word(const unsigned char *at)
{
    uint32_t value;

    memcpy(&value, at, sizeof(value));
    return value;
}

/* 32-bit number i of an array at vaddr; false where the file holds none. */
static bool number_at(const struct fnp_dyn *dyn, uint64_t vaddr, uint64_t i,
                      uint32_t *out)
{
    const unsigned char *at = fnp_dyn_bytes(dyn, vaddr + 4 * i, 4);

    if (at) {
        *out = half_word(at);
    }
    return at != NULL;
}

/* The symbols a GNU hash table knows, and those before them; 0: it is damaged. */
static uint64_t count_by_gnu_hash(const struct fnp_dyn_reader *r)
{
    uint64_t at = r->entry[FNP_DYN_GNU_HASH];
    uint32_t n_buckets, first, n_bloom, last = 0, link = 0;

    if (!number_at(r->dyn, at, 0, &n_buckets) || !number_at(r->dyn, at, 1, &first) ||
        !number_at(r->dyn, at, 2, &n_bloom)) {
        return 0;
    }
    uint64_t buckets = at + 16 + (uint64_t)n_bloom * r->sizes->word;
    uint64_t chains = buckets + 4ull * n_buckets;

    for (uint32_t i = 0; i < n_buckets; i++) {
        uint32_t bucket;

        if (!number_at(r->dyn, buckets, i, &bucket)) {
            return 0;
        }
        last = bucket > last ? bucket : last;
    }
    if (last < first) {
        return first;
    }
    /* The last chain ends with an odd number. */
    for (; number_at(r->dyn, chains, last - first, &link) && !(link & 1); last++) {
        if (last == UINT32_MAX) {
            return 0;
        }
    }
    return link & 1 ? last + 1ull : 0;
}

/* One more than the largest symbol a relocation names. */
static uint64_t count_by_relocs(const struct fnp_dyn_reader *r)
{
    uint64_t count = 0;

    for (size_t t = 0; t < FNP_DYN_TABLES; t++) {
        const struct fnp_dyn_relocs *relocs = &r->dyn->relocs[t];
        size_t record = relocs->has_addend ? r->sizes->rela : r->sizes->rel;

        for (size_t i = 0; i < relocs->count; i++) {
            Elf64_Rela rela = fnp_wide_rela(relocs->bytes + i * record,
                                            relocs->has_addend, r->dyn->is32);
            uint64_t symbol = ELF64_R_SYM(rela.r_info);

            count = symbol && symbol >= count ? symbol + 1 : count;
        }
    }
    return count;
}

static uint64_t count_symbols(const struct fnp_dyn_reader *r)
{
    uint64_t named = count_by_relocs(r), count = 0;
    uint32_t chains;

    if (r->entry[FNP_DYN_HASH] &&
        number_at(r->dyn, r->entry[FNP_DYN_HASH], 1, &chains)) {
        count = chains;
    } else if (r->entry[FNP_DYN_GNU_HASH]) {
        count = count_by_gnu_hash(r);
    }
    return count > named ? count : named;
}

/* Set out[i] for every version that the file defines. */
static enum fnp_status read_versions(struct fnp_dyn_reader *r,
                                     const struct table *table, const char **out)
{
    uint64_t at = r->entry[FNP_DYN_VERDEF], count = r->entry[FNP_DYN_VERDEFNUM];

    for (uint64_t i = 0; at && i < count && i < VERSIONS_MAX; i++) {
        const unsigned char *bytes = fnp_dyn_bytes(r->dyn, at, sizeof(Elf64_Verdef));
        const unsigned char *aux_bytes = NULL;
        Elf64_Verdef def = { 0 };
        Elf64_Verdaux aux = { 0 };

        if (bytes) {
            memcpy(&def, bytes, sizeof(def));
            aux_bytes = fnp_dyn_bytes(r->dyn, at + def.vd_aux, sizeof(aux));
        }
        if (aux_bytes) {
            memcpy(&aux, aux_bytes, sizeof(aux));
        }
        if (!aux_bytes || def.vd_ndx >= VERSIONS_MAX ||
            aux.vda_name >= table->n_strings) {
            return DAMAGED(r, "version %llu has no readable name", r->dyn->path,
                           (unsigned long long)i);
        }
        out[def.vd_ndx] = table->strings + aux.vda_name;
        if (def.vd_next == 0) {
            break;
        }
        at += def.vd_next;
    }
    return FNP_OK;
}

/* "name@VERSION" or "name@@VERSION", as linkers write into .symtab. */
static void split_name(struct fnp_dyn_reader *r, struct fnp_dyn_symbol *symbol)
{
    const char *at = strchr(symbol->name, '@');

    if (!at || at == symbol->name || !at[1]) {
        return;
    }
    symbol->is_default = at[1] == '@';
    symbol->version = at + 1 + symbol->is_default;
    symbol->name = fnp_arena_text(r->arena, symbol->name, (size_t)(at - symbol->name));
}

static void look_up_version(const struct table *table, uint64_t i,
                            struct fnp_dyn_symbol *symbol)
{
    uint16_t version;

    memcpy(&version, table->versym + 2 * i, sizeof(version));
    if (symbol->is_defined && (version & ~VERSION_HIDDEN) >= VERSION_FIRST) {
        symbol->version = table->versions[version & ~VERSION_HIDDEN];
        symbol->is_default = !(version & VERSION_HIDDEN) || !symbol->version;
    }
}

static enum fnp_status read_symbol(struct fnp_dyn_reader *r, const struct table *table,
                                   uint64_t i, struct fnp_dyn_symbol *out)
{
    Elf64_Sym symbol = fnp_wide_sym(table->bytes + i * r->sizes->sym, r->dyn->is32);

    if (symbol.st_name >= table->n_strings) {
        return DAMAGED(r, "symbol %llu of %s has no readable name", r->dyn->path,
                       (unsigned long long)i, table->name);
    }
    *out = (struct fnp_dyn_symbol){
        .name = table->strings + symbol.st_name,
        .value = symbol.st_value,
        .size = symbol.st_size,
        .bind = ELF64_ST_BIND(symbol.st_info),
        .type = ELF64_ST_TYPE(symbol.st_info),
        .is_defined = symbol.st_shndx != SHN_UNDEF && symbol.st_shndx != SHN_COMMON,
        .is_number = symbol.st_shndx == SHN_ABS,
        .is_default = true,
    };
    if (table->versym) {
        look_up_version(table, i, out);
    } else {
        split_name(r, out);
    }
    return FNP_OK;
}

static enum fnp_status read_table(struct fnp_dyn_reader *r, const struct table *table,
                                  struct fnp_dyn_symbol **out, size_t *count)
{
    enum fnp_status status = FNP_OK;

    if (table->n_strings == 0 || table->strings[table->n_strings - 1] != 0) {
        return DAMAGED(r, "the names of %s are not in the file", r->dyn->path,
                       table->name);
    }
    *out = fnp_arena_array(r->arena, table->count, sizeof(**out));
    *count = table->count;
    for (uint64_t i = 0; status == FNP_OK && i < table->count; i++) {
        status = read_symbol(r, table, i, &(*out)[i]);
    }
    return status;
}

static enum fnp_status read_dynsym(struct fnp_dyn_reader *r)
{
    struct table table = { .name = ".dynsym", .count = count_symbols(r) };
    enum fnp_status status;

    if (table.count == 0) {
        return FNP_OK;
    }
    if (table.count <= r->object->len / r->sizes->sym) {
        table.bytes = fnp_dyn_bytes(r->dyn, r->entry[FNP_DYN_SYMTAB],
                                    table.count * r->sizes->sym);
    }
    if (!table.bytes ||
        (r->entry[FNP_DYN_SYMENT] && r->entry[FNP_DYN_SYMENT] != r->sizes->sym)) {
        return DAMAGED(r, "%llu dynamic symbols are not in the file", r->dyn->path,
                       (unsigned long long)table.count);
    }
    table.strings = (const char *)fnp_dyn_bytes(r->dyn, r->entry[FNP_DYN_STRTAB],
                                                r->entry[FNP_DYN_STRSZ]);
    table.n_strings = table.strings ? r->entry[FNP_DYN_STRSZ] : 0;
    if (r->entry[FNP_DYN_VERSYM] && table.n_strings) {
        table.versym = fnp_dyn_bytes(r->dyn, r->entry[FNP_DYN_VERSYM], 2 * table.count);
        table.versions =
            fnp_arena_array(r->arena, VERSIONS_MAX, sizeof(*table.versions));
        status = read_versions(r, &table, table.versions);
        if (status != FNP_OK) {
            return status;
        }
    }
    return read_table(r, &table, &r->dyn->bound, &r->dyn->n_bound);
}

/* Section header i; the table was checked to be inside the file. */
static Elf64_Shdr section_at(const struct fnp_dyn_reader *r, uint64_t i)
{
    return fnp_wide_shdr(r->object->bytes + r->file.e_shoff + i * r->sizes->shdr,
                         r->dyn->is32);
}

/* .symtab if the file has one; then dyn->symbols is set. */
static enum fnp_status read_symtab(struct fnp_dyn_reader *r)
{
    Elf64_Shdr found = { 0 }, names;

    if (r->file.e_shoff == 0 || r->file.e_shnum == 0) {
        return FNP_OK;
    }
    if (r->file.e_shentsize != r->sizes->shdr ||
        !fnp_dyn_in_file(r, r->file.e_shoff, r->file.e_shnum * r->sizes->shdr)) {
        return DAMAGED(r, "the section headers are not in the file", r->dyn->path);
    }
    for (uint64_t i = 1; i < r->file.e_shnum && found.sh_type != SHT_SYMTAB; i++) {
        found = section_at(r, i);
    }
    if (found.sh_type != SHT_SYMTAB) {
        return FNP_OK;
    }
    names = section_at(r, found.sh_link < r->file.e_shnum ? found.sh_link : 0);
    if (!fnp_dyn_in_file(r, found.sh_offset, found.sh_size) ||
        found.sh_size % r->sizes->sym != 0 || names.sh_type != SHT_STRTAB ||
        !fnp_dyn_in_file(r, names.sh_offset, names.sh_size)) {
        return DAMAGED(r, ".symtab is no table of symbols", r->dyn->path);
    }
    const struct table table = {
        .name = ".symtab",
        .bytes = r->object->bytes + found.sh_offset,
        .count = found.sh_size / r->sizes->sym,
        .strings = (const char *)r->object->bytes + names.sh_offset,
        .n_strings = names.sh_size,
    };
    return read_table(r, &table, &r->dyn->symbols, &r->dyn->n_symbols);
}

enum fnp_status fnp_dyn_read_symbols(struct fnp_dyn_reader *r)
{
    enum fnp_status status = read_dynsym(r);

    status = status ? status : read_symtab(r);
    if (!status && !r->dyn->symbols) {
        r->dyn->symbols = r->dyn->bound;
        r->dyn->n_symbols = r->dyn->n_bound;
    }
    return status;
}
