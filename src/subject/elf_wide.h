/* SPDX-License-Identifier: MIT */
/*
 * elf_wide.h - records of 32-bit ELF files in their 64-bit form
 *
 * Each function reads one record, of either class, from bytes of any alignment; the
 * caller has made sure that they are there.
 *
 * Depends on: nothing.
 */
#ifndef FNP_SUBJECT_ELF_WIDE_H
#define FNP_SUBJECT_ELF_WIDE_H

#include <elf.h>
#include <stdbool.h>
#include <stddef.h>

/* Bytes of each record in the file. */
struct fnp_wide_sizes {
    size_t word, ehdr, phdr, shdr, dyn, sym, rel, rela;
};
const struct fnp_wide_sizes *fnp_wide_sizes(bool is32);

Elf64_Ehdr fnp_wide_ehdr(const unsigned char *at, bool is32);
Elf64_Phdr fnp_wide_phdr(const unsigned char *at, bool is32);
Elf64_Shdr fnp_wide_shdr(const unsigned char *at, bool is32);
Elf64_Dyn fnp_wide_dyn(const unsigned char *at, bool is32);
Elf64_Sym fnp_wide_sym(const unsigned char *at, bool is32);

/* r_info as in an ELF64 file; of a record without addend that is 0. */
Elf64_Rela fnp_wide_rela(const unsigned char *at, bool has_addend, bool is32);

/* A number of the class's width. */
uint64_t fnp_wide_word(const unsigned char *at, bool is32);

#endif
