/* SPDX-License-Identifier: MIT */
/*
 * dynamic.c - headers and dynamic section of a shared object, trusting nothing in it
 *
 * It needs no section headers, so files that lost them are read, too.
 */
#include "subject/dynamic.h"

#include <string.h>

#include "subject/dynamic_internal.h"

#define PAGE      ((uint64_t)4096)
#define LOADS_MAX 64 /* no linker makes more than ten */

static const int64_t tags[FNP_N_DYN_ENTRIES] = {
#define DYN_ENTRY(NAME) [FNP_DYN_##NAME] = DT_##NAME,
    FNP_DYN_ENTRIES(DYN_ENTRY)
#undef DYN_ENTRY
};

/* Packed relocations of Android's linker: REL, RELA, RELR. */
static const int64_t android_tags[] = { 0x6000000f, 0x60000011, 0x6fffe000 };

bool fnp_dyn_is(const struct fnp_object *object)
{
    const unsigned char *bytes = object->bytes;
    Elf32_Ehdr file; /* as far as e_machine both classes are alike */

    if (object->len < sizeof(file) || memcmp(bytes, ELFMAG, SELFMAG) != 0 ||
        bytes[EI_DATA] != ELFDATA2LSB) {
        return false;
    }
    memcpy(&file, bytes, sizeof(file));
    return file.e_type == ET_DYN &&
           ((bytes[EI_CLASS] == ELFCLASS64 && file.e_machine == EM_X86_64) ||
            (bytes[EI_CLASS] == ELFCLASS32 && file.e_machine == EM_386));
}

bool fnp_dyn_in_file(const struct fnp_dyn_reader *r, uint64_t offset, uint64_t len)
{
    return len <= r->object->len && offset <= r->object->len - len;
}

const struct fnp_dyn_load *fnp_dyn_load_at(const struct fnp_dyn *dyn, uint64_t vaddr,
                                           uint64_t len)
{
    for (size_t i = 0; i < dyn->n_loads; i++) {
        const struct fnp_dyn_load *load = &dyn->loads[i];

        if (vaddr >= load->vaddr && len <= load->memsz &&
            vaddr - load->vaddr <= load->memsz - len) {
            return load;
        }
    }
    return NULL;
}

const unsigned char *fnp_dyn_bytes(const struct fnp_dyn *dyn, uint64_t vaddr,
                                   uint64_t len)
{
    const struct fnp_dyn_load *load = fnp_dyn_load_at(dyn, vaddr, len);

    if (!load || len > load->filesz || vaddr - load->vaddr > load->filesz - len) {
        return NULL;
    }
    return load->bytes + (vaddr - load->vaddr);
}

/* The sentence's rest after "FILE: damaged: ". */
#define DAMAGED(r, ...) fnp_err_set((r)->err, FNP_INPUT, "%s: damaged: " __VA_ARGS__)

static unsigned prot_of(uint32_t flags)
{
    return (flags & PF_R ? FNP_PROT_R : 0u) | (flags & PF_W ? FNP_PROT_W : 0u) |
           (flags & PF_X ? FNP_PROT_X : 0u);
}

static enum fnp_status add_load(struct fnp_dyn_reader *r, const Elf64_Phdr *header)
{
    struct fnp_dyn *dyn = r->dyn;
    const struct fnp_dyn_load *last =
        dyn->n_loads ? &dyn->loads[dyn->n_loads - 1] : NULL;
    uint64_t most = r->dyn->is32 ? UINT32_MAX - PAGE : UINT64_MAX - PAGE;

    if (header->p_memsz == 0) {
        return FNP_OK;
    }
    if (dyn->n_loads == LOADS_MAX) {
        return DAMAGED(r, "more than %d segments to load", dyn->path, LOADS_MAX);
    }
    if (header->p_filesz > header->p_memsz ||
        !fnp_dyn_in_file(r, header->p_offset, header->p_filesz)) {
        return DAMAGED(r, "segment %zu lies outside the file", dyn->path, dyn->n_loads);
    }
    if (header->p_vaddr > most || header->p_memsz > most - header->p_vaddr ||
        (last && header->p_vaddr < last->vaddr + last->memsz)) {
        return DAMAGED(r, "segment %zu overlaps another one or no address", dyn->path,
                       dyn->n_loads);
    }
    dyn->loads[dyn->n_loads++] = (struct fnp_dyn_load){
        .vaddr = header->p_vaddr,
        .memsz = header->p_memsz,
        .filesz = header->p_filesz,
        .bytes = r->object->bytes + header->p_offset,
        .prot = prot_of(header->p_flags),
    };
    return FNP_OK;
}

/* PT_LOADs, PT_GNU_RELRO; where the dynamic section is goes to `dynamic`. */
static enum fnp_status read_segments(struct fnp_dyn_reader *r, Elf64_Phdr *dynamic)
{
    struct fnp_dyn *dyn = r->dyn;
    enum fnp_status status = FNP_OK;

    if (r->file.e_phnum == 0 || r->file.e_phentsize != r->sizes->phdr ||
        !fnp_dyn_in_file(r, r->file.e_phoff, r->file.e_phnum * r->sizes->phdr)) {
        return DAMAGED(r, "the program headers are not in the file", dyn->path);
    }
    dyn->loads = fnp_arena_array(r->arena, LOADS_MAX, sizeof(*dyn->loads));
    for (size_t i = 0; status == FNP_OK && i < r->file.e_phnum; i++) {
        Elf64_Phdr header = fnp_wide_phdr(
            r->object->bytes + r->file.e_phoff + i * r->sizes->phdr, dyn->is32);

        if (header.p_type == PT_LOAD) {
            status = add_load(r, &header);
        } else if (header.p_type == PT_DYNAMIC) {
            *dynamic = header;
        } else if (header.p_type == PT_GNU_RELRO) {
            dyn->relro_lo = header.p_vaddr;
            dyn->relro_hi = header.p_vaddr + header.p_memsz;
        }
    }
    if (status != FNP_OK) {
        return status;
    }
    if (dyn->n_loads == 0) {
        return DAMAGED(r, "nothing in it is to be loaded", dyn->path);
    }
    const struct fnp_dyn_load *last = &dyn->loads[dyn->n_loads - 1];

    dyn->lo = dyn->loads[0].vaddr & ~(PAGE - 1);
    dyn->hi = (last->vaddr + last->memsz + PAGE - 1) & ~(PAGE - 1);
    if (dyn->hi - dyn->lo > FNP_IMAGE_SPAN) {
        return fnp_err_set(r->err, FNP_INPUT,
                           "%s: its segments span %llu MiB of addresses; %u can be had",
                           dyn->path,
                           (unsigned long long)(dyn->hi - dyn->lo) / 0x100000,
                           FNP_IMAGE_SPAN / 0x100000);
    }
    return FNP_OK;
}

static enum fnp_status read_entries(struct fnp_dyn_reader *r, const Elf64_Phdr *dynamic)
{
    uint64_t count = dynamic->p_filesz / r->sizes->dyn;

    if (!fnp_dyn_in_file(r, dynamic->p_offset, dynamic->p_filesz)) {
        return DAMAGED(r, "the dynamic section lies outside the file", r->dyn->path);
    }
    for (uint64_t i = 0; i < count; i++) {
        Elf64_Dyn entry = fnp_wide_dyn(
            r->object->bytes + dynamic->p_offset + i * r->sizes->dyn, r->dyn->is32);

        if (entry.d_tag == DT_NULL) {
            break;
        }
        for (size_t k = 0; k < FNP_ARRAY_LEN(android_tags); k++) {
            if (entry.d_tag == android_tags[k]) {
                return fnp_err_set(r->err, FNP_INPUT,
                                   "%s: its relocations are packed for Android's "
                                   "linker, which is not read; link with "
                                   "--pack-dyn-relocs=none",
                                   r->dyn->path);
            }
        }
        for (size_t k = 0; k < FNP_N_DYN_ENTRIES; k++) {
            if (entry.d_tag == tags[k]) {
                r->entry[k] = entry.d_un.d_val;
            }
        }
    }
    return FNP_OK;
}

/* A table of fixed records: where, how many bytes, and how large the file says one is. */
struct table {
    enum fnp_dyn_entry at, size, record;
    const char *name;
};

static const struct table rel_table = { FNP_DYN_REL, FNP_DYN_RELSZ, FNP_DYN_RELENT,
                                        "DT_REL" };
static const struct table rela_table = { FNP_DYN_RELA, FNP_DYN_RELASZ, FNP_DYN_RELAENT,
                                         "DT_RELA" };
static const struct table relr_table = { FNP_DYN_RELR, FNP_DYN_RELRSZ, FNP_DYN_RELRENT,
                                         "DT_RELR" };

static enum fnp_status read_table(const struct fnp_dyn_reader *r,
                                  const struct table *table, size_t record,
                                  const unsigned char **bytes, size_t *count)
{
    uint64_t at = r->entry[table->at], size = r->entry[table->size];
    uint64_t declared = r->entry[table->record];

    if (at == 0 || size == 0) {
        return FNP_OK;
    }
    *bytes = fnp_dyn_bytes(r->dyn, at, size);
    *count = size / record;
    if (!*bytes || size % record != 0 || (declared && declared != record)) {
        return DAMAGED(r, "%s is no table of relocations", r->dyn->path, table->name);
    }
    return FNP_OK;
}

/* The PLT's relocations; some linkers count them in DT_REL or DT_RELA as well. */
static enum fnp_status read_plt_relocs(struct fnp_dyn_reader *r)
{
    struct fnp_dyn_relocs *out = &r->dyn->relocs[2];
    bool has_addend = r->entry[FNP_DYN_PLTREL] == DT_RELA;
    const struct fnp_dyn_relocs *other = &r->dyn->relocs[has_addend];
    const struct table table = { FNP_DYN_JMPREL, FNP_DYN_PLTRELSZ,
                                 has_addend ? FNP_DYN_RELAENT : FNP_DYN_RELENT,
                                 "DT_JMPREL" };
    size_t record = has_addend ? r->sizes->rela : r->sizes->rel;
    enum fnp_status status = read_table(r, &table, record, &out->bytes, &out->count);

    out->has_addend = has_addend;
    if (other->bytes && out->bytes >= other->bytes &&
        out->bytes < other->bytes + other->count * record) {
        *out = (struct fnp_dyn_relocs){ 0 };
    }
    return status;
}

static enum fnp_status read_relocs(struct fnp_dyn_reader *r)
{
    struct fnp_dyn *dyn = r->dyn;
    enum fnp_status status = read_table(r, &rel_table, r->sizes->rel,
                                        &dyn->relocs[0].bytes, &dyn->relocs[0].count);

    dyn->relocs[1].has_addend = true;
    status = status ? status
                    : read_table(r, &rela_table, r->sizes->rela, &dyn->relocs[1].bytes,
                                 &dyn->relocs[1].count);
    status = status
                 ? status
                 : read_table(r, &relr_table, r->sizes->word, &dyn->relr, &dyn->n_relr);
    return status ? status : read_plt_relocs(r);
}

enum fnp_status fnp_dyn_parse(struct fnp_arena *arena, const struct fnp_object *object,
                              struct fnp_dyn *out, struct fnp_err *err)
{
    struct fnp_dyn_reader r = {
        .arena = arena,
        .object = object,
        .dyn = out,
        .err = err,
    };
    Elf64_Phdr dynamic = { 0 };
    enum fnp_status status;

    *out = (struct fnp_dyn){
        .path = object->path,
        .is32 = object->bytes[EI_CLASS] == ELFCLASS32,
    };
    r.sizes = fnp_wide_sizes(out->is32);
    if (object->len < r.sizes->ehdr) {
        return DAMAGED(&r, "the ELF header is cut short", object->path);
    }
    r.file = fnp_wide_ehdr(object->bytes, out->is32);
    status = read_segments(&r, &dynamic);
    status = status ? status : read_entries(&r, &dynamic);
    status = status ? status : read_relocs(&r);
    return status ? status : fnp_dyn_read_symbols(&r);
}
