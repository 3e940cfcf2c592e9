/* SPDX-License-Identifier: MIT */
/*
 * draft.h - the keys of a contract as they were written, before they mean anything
 *
 * Shared by contract.c (completing), contract_keys.c (one row per key) and guess.c;
 * everybody else uses contract.h.
 *
 * Depends on: contract.
 */
#ifndef FNP_SUBJECT_DRAFT_H
#define FNP_SUBJECT_DRAFT_H

#include <stdbool.h>
#include <stddef.h>

#include "subject/contract.h"

/*
 * Every key, in the order in which keys are applied: the prototype first, because
 * others name its parameters; a profile before the keys that override it.
 */
#define FNP_CONTRACT_KEYS(KEY)                                                         \
    KEY(proto)                                                                         \
    KEY(profile)                                                                       \
    KEY(op)                                                                            \
    KEY(object)                                                                        \
    KEY(symbol)                                                                        \
    KEY(address)                                                                       \
    KEY(sizes)                                                                         \
    KEY(align)                                                                         \
    KEY(overlap)                                                                       \
    KEY(returns)                                                                       \
    KEY(abi)                                                                           \
    KEY(clobbers)                                                                      \
    KEY(state)                                                                         \
    KEY(redzone)                                                                       \
    KEY(order)                                                                         \
    KEY(drain)                                                                         \
    KEY(reads)                                                                         \
    KEY(writes)                                                                        \
    KEY(faults)                                                                        \
    KEY(values)                                                                        \
    KEY(cpu)                                                                           \
    KEY(set)                                                                           \
    KEY(stub)                                                                          \
    KEY(cc)                                                                            \
    KEY(cflags)                                                                        \
    KEY(box)                                                                           \
    KEY(cases)                                                                         \
    KEY(allow)                                                                         \
    KEY(origin)                                                                        \
    KEY(expect)                                                                        \
    KEY(twin)                                                                          \
    KEY(like)

enum fnp_contract_key_id {
#define KEY(name) FNP_KEY_##name,
    FNP_CONTRACT_KEYS(KEY)
#undef KEY
    FNP_N_CONTRACT_KEYS,
};

/* One key as written; value NULL: not given.  `where` begins every error about it. */
struct fnp_draft_key {
    const char *value;
    const char *where;
};

struct fnp_contract_draft {
    struct fnp_arena *arena;
    const char *name, *read_from;
    const char *where; /* "x.ini:12: [name]": for errors about the whole section */
    const char *guess, *guess_rest;
    bool is32; /* the object is 32-bit; what `abi` says comes first */
    struct fnp_draft_key keys[FNP_N_CONTRACT_KEYS];
};

/* The id of a key name, or FNP_N_CONTRACT_KEYS. */
enum fnp_contract_key_id fnp_contract_key_find(const char *name);

/* Does `like` take this key over?  Not what names one kernel or waives one finding. */
bool fnp_contract_key_inherited(enum fnp_contract_key_id id);

/* The longest line a contract file may have. */
enum {
    FNP_INI_LINE_MAX = 199
};

/*
 * Apply the written keys one after another to a contract with defaults.  What one
 * key says alone is checked here; whether keys fit together is checked by finish.
 */
enum fnp_status fnp_contract_apply(const struct fnp_contract_draft *draft,
                                   struct fnp_contract *c, struct fnp_err *err);

/* A contract that promises nothing but what holds without any key. */
void fnp_contract_defaults(struct fnp_contract *c);

/* `overlap` when it is not written. */
enum fnp_overlap fnp_contract_usual_overlap(enum fnp_op op);

/* The contract's promises as one text that is the same for kernels promised the same,
 * whatever they are called and wherever they come from. */
char *fnp_contract_essence(struct fnp_arena *arena, const struct fnp_contract *c);

/* The words of a key, indexed by its enum; "" is a value that cannot be written. */
struct fnp_words {
    const char *const *list;
    size_t count;
};
extern const struct fnp_words fnp_op_names, fnp_abi_names, fnp_overlap_names,
    fnp_returns_names, fnp_state_names, fnp_order_names, fnp_writes_names,
    fnp_faults_names;

#endif
