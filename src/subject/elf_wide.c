/* SPDX-License-Identifier: MIT */
/*
 * elf_wide.c - records of 32-bit ELF files in their 64-bit form
 *
 * It changes the form of records and judges none of them.
 */
#include "subject/elf_wide.h"

#include <string.h>

static const struct fnp_wide_sizes narrow_sizes = {
    .word = sizeof(Elf32_Addr),
    .ehdr = sizeof(Elf32_Ehdr),
    .phdr = sizeof(Elf32_Phdr),
    .shdr = sizeof(Elf32_Shdr),
    .dyn = sizeof(Elf32_Dyn),
    .sym = sizeof(Elf32_Sym),
    .rel = sizeof(Elf32_Rel),
    .rela = sizeof(Elf32_Rela),
};

static const struct fnp_wide_sizes wide_sizes = {
    .word = sizeof(Elf64_Addr),
    .ehdr = sizeof(Elf64_Ehdr),
    .phdr = sizeof(Elf64_Phdr),
    .shdr = sizeof(Elf64_Shdr),
    .dyn = sizeof(Elf64_Dyn),
    .sym = sizeof(Elf64_Sym),
    .rel = sizeof(Elf64_Rel),
    .rela = sizeof(Elf64_Rela),
};

const struct fnp_wide_sizes *fnp_wide_sizes(bool is32)
{
    return is32 ? &narrow_sizes : &wide_sizes;
}

Elf64_Ehdr fnp_wide_ehdr(const unsigned char *at, bool is32)
{
    Elf64_Ehdr wide;
    Elf32_Ehdr narrow;

    if (!is32) {
        memcpy(&wide, at, sizeof(wide));
        return wide;
    }
    memcpy(&narrow, at, sizeof(narrow));
    wide = (Elf64_Ehdr){
        .e_type = narrow.e_type,
        .e_machine = narrow.e_machine,
        .e_version = narrow.e_version,
        .e_entry = narrow.e_entry,
        .e_phoff = narrow.e_phoff,
        .e_shoff = narrow.e_shoff,
        .e_flags = narrow.e_flags,
        .e_ehsize = narrow.e_ehsize,
        .e_phentsize = narrow.e_phentsize,
        .e_phnum = narrow.e_phnum,
        .e_shentsize = narrow.e_shentsize,
        .e_shnum = narrow.e_shnum,
        .e_shstrndx = narrow.e_shstrndx,
    };
    memcpy(wide.e_ident, narrow.e_ident, sizeof(wide.e_ident));
    return wide;
}

Elf64_Phdr fnp_wide_phdr(const unsigned char *at, bool is32)
{
    Elf64_Phdr wide;
    Elf32_Phdr narrow;

    if (!is32) {
        memcpy(&wide, at, sizeof(wide));
        return wide;
    }
    memcpy(&narrow, at, sizeof(narrow));
    return (Elf64_Phdr){
        .p_type = narrow.p_type,
        .p_flags = narrow.p_flags,
        .p_offset = narrow.p_offset,
        .p_vaddr = narrow.p_vaddr,
        .p_paddr = narrow.p_paddr,
        .p_filesz = narrow.p_filesz,
        .p_memsz = narrow.p_memsz,
        .p_align = narrow.p_align,
    };
}

Elf64_Shdr fnp_wide_shdr(const unsigned char *at, bool is32)
{
    Elf64_Shdr wide;
    Elf32_Shdr narrow;

    if (!is32) {
        memcpy(&wide, at, sizeof(wide));
        return wide;
    }
    memcpy(&narrow, at, sizeof(narrow));
    return (Elf64_Shdr){
        .sh_name = narrow.sh_name,
        .sh_type = narrow.sh_type,
        .sh_flags = narrow.sh_flags,
        .sh_addr = narrow.sh_addr,
        .sh_offset = narrow.sh_offset,
        .sh_size = narrow.sh_size,
        .sh_link = narrow.sh_link,
        .sh_info = narrow.sh_info,
        .sh_addralign = narrow.sh_addralign,
        .sh_entsize = narrow.sh_entsize,
    };
}

Elf64_Dyn fnp_wide_dyn(const unsigned char *at, bool is32)
{
    Elf64_Dyn wide;
    Elf32_Dyn narrow;

    if (!is32) {
        memcpy(&wide, at, sizeof(wide));
        return wide;
    }
    memcpy(&narrow, at, sizeof(narrow));
    return (Elf64_Dyn){ .d_tag = narrow.d_tag, .d_un.d_val = narrow.d_un.d_val };
}

Elf64_Sym fnp_wide_sym(const unsigned char *at, bool is32)
{
    Elf64_Sym wide;
    Elf32_Sym narrow;

    if (!is32) {
        memcpy(&wide, at, sizeof(wide));
        return wide;
    }
    memcpy(&narrow, at, sizeof(narrow));
    return (Elf64_Sym){
        .st_name = narrow.st_name,
        .st_info = narrow.st_info,
        .st_other = narrow.st_other,
        .st_shndx = narrow.st_shndx,
        .st_value = narrow.st_value,
        .st_size = narrow.st_size,
    };
}

Elf64_Rela fnp_wide_rela(const unsigned char *at, bool has_addend, bool is32)
{
    Elf64_Rela wide = { 0 };
    Elf32_Rela narrow = { 0 };

    if (!is32) {
        memcpy(&wide, at, has_addend ? sizeof(Elf64_Rela) : sizeof(Elf64_Rel));
        return wide;
    }
    memcpy(&narrow, at, has_addend ? sizeof(Elf32_Rela) : sizeof(Elf32_Rel));
    return (Elf64_Rela){
        .r_offset = narrow.r_offset,
        .r_info = ELF64_R_INFO((uint64_t)ELF32_R_SYM(narrow.r_info),
                               ELF32_R_TYPE(narrow.r_info)),
        .r_addend = narrow.r_addend,
    };
}

uint64_t fnp_wide_word(const unsigned char *at, bool is32)
{
    uint64_t wide = 0;

    memcpy(&wide, at, is32 ? sizeof(Elf32_Addr) : sizeof(Elf64_Addr));
    return wide;
}
