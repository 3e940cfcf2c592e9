/* SPDX-License-Identifier: MIT */
/*
 * contract.h - what a kernel promises, as data
 *
 * A contract is read from one section of an INI file, from the same keys given as
 * options, or guessed from a symbol's name.  It knows nothing about files being
 * loaded, cases or checks.
 *
 * Depends on: base, report/rules.h (slugs in `allow`), x86/cpuid.h (features).
 */
#ifndef FNP_SUBJECT_CONTRACT_H
#define FNP_SUBJECT_CONTRACT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/status.h"
#include "base/str.h"
#include "report/rules.h"
#include "x86/cpuid.h"

enum {
    FNP_MAX_PARAMS = 12,
    FNP_MAX_BUFS = 3,
    FNP_MAX_VALUES = 3,
    FNP_MAX_LIST = 64,
    FNP_MAX_VALUE_LIST = 256 /* every byte */
};

/* A buffer's role; the case keys dst, src and third are named after it. */
enum fnp_role {
    FNP_DST,   /* first buffer the kernel may write */
    FNP_SRC,   /* first buffer it only reads */
    FNP_THIRD, /* the next one, either kind */
};

enum fnp_op {
    FNP_OP_COPY,
    FNP_OP_MOVE,
    FNP_OP_SET,
    FNP_OP_ZERO,
    FNP_OP_REF
};
enum fnp_abi {
    FNP_ABI_SYSV64,
    FNP_ABI_MS64,
    FNP_ABI_I386,
    FNP_ABI_REGPARM3,
    FNP_ABI_REGS
};
enum fnp_overlap {
    FNP_OVERLAP_NONE,
    FNP_OVERLAP_ANY,
    FNP_OVERLAP_FORWARD,  /* dst may lie below src (a forward copy is right) */
    FNP_OVERLAP_BACKWARD, /* dst may lie above src */
    FNP_OVERLAP_SAME,     /* dst == src or disjoint */
};
enum fnp_returns {
    FNP_RETURNS_NONE,
    FNP_RETURNS_DST,
    FNP_RETURNS_DST_N, /* dst + n */
    FNP_RETURNS_ZERO,
    FNP_RETURNS_LEFT,  /* bytes not copied */
    FNP_RETURNS_REF,   /* what the reference returns */
    FNP_RETURNS_VALUE, /* a constant */
};
enum fnp_state_rule {
    FNP_STATE_USER,
    FNP_STATE_PRESERVE,
    FNP_STATE_KERNEL_FPU,
    FNP_STATE_MMX_LIVE,
};
enum fnp_order {
    FNP_ORDER_UNSET,
    FNP_ORDER_DRAINED,
    FNP_ORDER_WEAK
};
enum fnp_writes {
    FNP_WRITES_ANY,
    FNP_WRITES_ONCE,
    FNP_WRITES_ATOMIC
};
enum fnp_faults {
    FNP_FAULTS_FATAL,
    FNP_FAULTS_LEFT
};

enum fnp_param_kind {
    FNP_PARAM_BUF,   /* pointer to a buffer */
    FNP_PARAM_LEN,   /* the size variable, divided by `divisor` */
    FNP_PARAM_VALUE, /* any other number */
    FNP_PARAM_CONST, /* a number written in the prototype */
};

/* One parameter, in the order of the prototype. */
struct fnp_param {
    enum fnp_param_kind kind;
    char name[32];
    uint8_t width; /* bytes of the declared type: 1 2 4 8 */
    bool is_signed;
    uint8_t buf;       /* BUF: index into contract.bufs */
    uint8_t value;     /* VALUE: index 0..2 into case.value */
    uint64_t divisor;  /* LEN: n / divisor is passed; at least 1 */
    uint64_t constant; /* CONST */
    uint8_t
        reg; /* ABI regs: index of the GPR (0 rax 1 rcx 2 rdx 3 rbx 4 rsp 5 rbp 6 rsi 7 rdi 8 r8 ...) */
};

/* One buffer; its length in bytes is mul * n + add. */
struct fnp_buf {
    enum fnp_role role;
    char name[32];
    uint64_t mul, add; /* bytes */
    uint8_t elem;      /* bytes of the declared element type; 1 for void */
    bool writes;       /* the kernel may write it (no const) */
    bool reads;        /* const, or declared inout */
    uint64_t align; /* bytes the caller guarantees, a power of two; elem by default */
};

/* Sizes n a case may have: the list when count > 0, else least:most:step. */
struct fnp_sizes {
    uint64_t list[FNP_MAX_LIST];
    size_t count;
    uint64_t least;
    uint64_t most; /* UINT64_MAX: only the budget limits */
    uint64_t step; /* at least 1; n = least + k * step */
};

struct fnp_value_list {
    uint64_t item[FNP_MAX_VALUE_LIST];
    size_t count; /* 0: any */
};

/* `set = NAME:NUMBER ...` (a data word) and `stub = NAME[:NUMBER] ...` (returns it). */
struct fnp_define {
    const char *name;
    uint64_t value;
    bool is_stub;
    bool has_value; /* of a stub: false leaves every register alone */
};

struct fnp_allow {
    enum fnp_rule rule;
    const char *symbol; /* NULL: anywhere */
    uint64_t offset;
    bool has_offset;
    const char *reason; /* NULL: none given */
};

/* Texts are owned by the arena the contract was read into. */
struct fnp_contract {
    const char *name;       /* section name, or the subject as it was named */
    const char *read_from;  /* "x.ini", "builtin", "options", "guessed:memcpy" */
    const char *guess;      /* the word it was guessed from; NULL: declared */
    const char *guess_rest; /* left-over words of the symbol, NULL: none */
    const char *object;     /* path, NULL: none */
    const char *symbol;
    uint64_t address;
    bool has_address;
    const char *proto; /* as written */
    enum fnp_op op;
    const char *ref; /* op = ref: SYMBOL or FILE:SYMBOL */
    struct fnp_param params[FNP_MAX_PARAMS];
    size_t n_params;
    struct fnp_buf bufs[FNP_MAX_BUFS];
    size_t n_bufs;
    size_t n_values;
    bool has_n; /* false: all extents are constant, n is never written */
    bool
        returns_pointer; /* the prototype's own return type; void gives FNP_RETURNS_NONE by default */
    bool returns_void;
    struct fnp_sizes sizes;
    enum fnp_overlap overlap;
    enum fnp_returns returns;
    uint8_t returns_reg; /* GPR index, 0 (rax) by default */
    uint64_t returns_value;
    uint8_t returns_width; /* bytes compared: of the declared type */
    enum fnp_abi abi;
    bool is32;    /* code for a 32-bit segment: words of 4 bytes, eax ... edi */
    bool has_abi; /* written, not the default */
    bool has_clobbers;
    uint32_t clobbers;        /* GPR mask by the index above */
    uint32_t clobbers_vector; /* the same for xmm/ymm registers, halves together */
    enum fnp_state_rule state;
    uint64_t redzone;       /* bytes; by default what the ABI grants */
    uint64_t reads_aligned; /* 0: exact; else whole aligned blocks of so many bytes */
    enum fnp_writes writes;
    uint64_t writes_atomic; /* bytes */
    enum fnp_faults faults;
    enum fnp_order order;
    const char *drain;
    struct fnp_value_list values[FNP_MAX_VALUES];
    bool has_cpu;
    fnp_features cpu; /* declared; x86/cpuid.h */
    const char *cc, *cflags;
    struct fnp_define defines[FNP_MAX_LIST];
    size_t n_defines;
    struct fnp_allow allows[16];
    size_t n_allows;
    const char *box;      /* "n=0:8192 dst=0:63", NULL: none */
    const char *cases;    /* folder of .case files, NULL: none */
    const char *origin;   /* where the kernel comes from, for people; NULL: not said */
    const char *promises; /* weakening keys as written, for the summary; NULL: none */
    const char *expect;   /* specimens: the slug it must show, NULL: none */
    const char *twin; /* specimens: the section of its correct sibling, NULL: none */
};

/* `redzone` when neither it nor a profile is written. */
uint64_t fnp_contract_usual_redzone(const struct fnp_contract *c);

/* The buffer with this role, or NULL. */
const struct fnp_buf *fnp_contract_buf(const struct fnp_contract *c,
                                       enum fnp_role role);

/* "dst", "src" or "third": buffers by their roles, not by the contract's words. */
const char *fnp_role_label(unsigned role);

/* Length of a buffer in bytes for a case size n; saturates at UINT64_MAX. */
uint64_t fnp_buf_len(const struct fnp_buf *buf, uint64_t n);

/* May a case have this n? */
bool fnp_sizes_allow(const struct fnp_sizes *sizes, uint64_t n);

/* Every size of the contract clipped to [.., limit]: is there at least one? */
bool fnp_sizes_any(const struct fnp_sizes *sizes, uint64_t limit);

/*
 * The key names of the INI format, for help, tests and the nearest-name sentence.
 * Written but not kept as such: `profile = linux` stands for state = preserve and
 * redzone = 0, which keys of their own override; `like` is resolved by the file.
 */
extern const char *const fnp_contract_keys[];
extern const size_t fnp_contract_n_keys;

/*
 * Set defaults (everything zero, step 1 ...), then apply keys
 * one by one in any order, then complete: parse the prototype, fit `align`,
 * `values`, `sizes` to it, and check that everything agrees.
 * `where` is "file:line" or "--key" and begins every error sentence.
 */
struct fnp_contract_draft;
struct fnp_contract_draft *fnp_contract_draft(struct fnp_arena *arena, const char *name,
                                              const char *origin);
/* A draft with the same keys, to be changed without changing the first one. */
struct fnp_contract_draft *
fnp_contract_draft_copy(const struct fnp_contract_draft *draft);
enum fnp_status fnp_contract_key(struct fnp_contract_draft *draft, const char *key,
                                 const char *value, const char *where,
                                 struct fnp_err *err);
/* On success `out` is complete and valid; its texts live in the draft's arena. */
enum fnp_status fnp_contract_finish(struct fnp_contract_draft *draft,
                                    struct fnp_contract *out, struct fnp_err *err);

/*
 * Read a whole INI file: one contract per section, in file order.  A section whose
 * name is a glob (`[*]`, `[__memmove_*]`) is no contract but gives defaults to those
 * it matches, the later one wins; `like = SECTION` takes over all keys of another one
 * except those that name one kernel (see fnp_contract_key_inherited in draft.h).  A file may hold
 * patterns only: they serve functions that no section is about.  Paths stay as
 * written; `dir` in the result is the file's folder, against which `object` counts.
 * A damaged or unreadable file is FNP_INPUT with file:line.
 */
struct fnp_ini;
struct fnp_contract_file {
    const char *path;
    const char *dir;
    struct fnp_contract *contracts;
    struct fnp_contract_draft **drafts; /* what each of them was made from */
    size_t count;
    const struct fnp_ini *ini; /* all sections, patterns too */
};
enum fnp_status fnp_contract_read(struct fnp_arena *arena, const char *path,
                                  struct fnp_contract_file *out, struct fnp_err *err);
/* The keys that the file's patterns have for this name; *any: at least one matched. */
enum fnp_status fnp_contract_patterns(const struct fnp_contract_file *file,
                                      const char *name,
                                      struct fnp_contract_draft *draft, bool *any,
                                      struct fnp_err *err);
/* The same from memory; `path` is only for messages and `dir`. */
enum fnp_status fnp_contract_parse(struct fnp_arena *arena, const char *path,
                                   const char *text, size_t len,
                                   struct fnp_contract_file *out, struct fnp_err *err);

/*
 * Guess a draft from a symbol name (or from the word given with --as): the words of
 * the name split at '_' and '.', longest well-known word wins.  NULL when no word
 * is known.  Further keys may be applied to it before fnp_contract_finish.
 */
struct fnp_contract_draft *fnp_contract_guess(struct fnp_arena *arena,
                                              const char *symbol, const char *as);
/* Is it a word that few other functions are called by, unlike "copy" or "clear"? */
bool fnp_guess_is_telling(const char *word);
/* The well-known words, for messages. */
extern const char *const fnp_guess_words[];
extern const size_t fnp_guess_n_words;

/* One key's value as a contract file would have it; empty when it says nothing. */
void fnp_contract_value(const struct fnp_contract *c, const char *key,
                        struct fnp_str *out);

/* Write the contract as an INI section that reads back to the same contract. */
char *fnp_contract_ini(struct fnp_arena *arena, const struct fnp_contract *c);

#endif
