/* SPDX-License-Identifier: MIT */
/*
 * builtin.h - the shipped kernels: relocatable objects and their contracts, as data
 *
 * embed.S, made by the build, holds them with .incbin, so that none of their symbols
 * exists in the tool itself.
 *
 * Depends on: nothing.
 */
#ifndef FNP_KERNELS_BUILTIN_H
#define FNP_KERNELS_BUILTIN_H

#include <stddef.h>

struct fnp_builtin_object {
    const char *file;    /* source as contracts.ini names it: "copy_page_sse2.S" */
    const char *variant; /* behind the kernel's name: "", ".i386", ".gcc-O2.i386" */
    const char *unbuilt; /* the compiler that was not there, so no bytes; else NULL */
    const unsigned char *bytes, *end;
};

/* Ends with a row whose file is NULL. */
extern const struct fnp_builtin_object fnp_builtin_objects[];

/* contracts.ini, not NUL-terminated. */
extern const char fnp_builtin_contracts[], fnp_builtin_contracts_end[];

#endif
