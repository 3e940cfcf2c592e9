/* SPDX-License-Identifier: MIT */
/*
 * stub.h - code and words that stand for symbols an object does not define
 *
 * Contents only: where they go and who refers to them is the loaders' business.
 *
 * Depends on: contract, x86/state.h.
 */
#ifndef FNP_SUBJECT_STUB_H
#define FNP_SUBJECT_STUB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "subject/contract.h"

enum {
    FNP_STUB_MAX = 16, /* bytes; stubs and traps are placed at multiples of it */
};

struct fnp_stub {
    unsigned char bytes[FNP_STUB_MAX]; /* code is followed by int3, a word by zeros */
    size_t len;                        /* bytes that count */
    bool is_code;
    uint32_t known; /* bit of the word of known.def that it is; 0: none of them */
};

/* A threshold word of known.def; its bit in a mask is 1 << its index. */
struct fnp_known_word {
    const char *name;
    uint64_t usual, small;
};
extern const struct fnp_known_word fnp_known_words[];
extern const size_t fnp_known_n_words;

/* What reaching a trap runs, should it ever be mapped executable: ud2, then int3. */
extern const unsigned char fnp_stub_trap[FNP_STUB_MAX];

/* `set` and `stub` of the contract, which may be NULL; false: it does not say. */
bool fnp_stub_by_contract(const struct fnp_contract *contract, const char *name,
                          bool is32, struct fnp_stub *out);

/*
 * What known.def has for the name, words with their usual values; false: nothing, or a
 * trap, which fnp_stub_is_trap knows.
 */
bool fnp_stub_built_in(const char *name, bool is32, struct fnp_stub *out);

/* Is it a function that never returns, so that no definition of it is looked for? */
bool fnp_stub_is_trap(const char *name);

/* Does the number of a definition fit the code's width?  FNP_INPUT names the file. */
enum fnp_status fnp_stub_fits(const char *path, const struct fnp_define *define,
                              bool is32, struct fnp_err *err);

/* The code or word of one definition. */
struct fnp_stub fnp_stub_of(const struct fnp_define *define, bool is32);

#endif
