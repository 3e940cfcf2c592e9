/* SPDX-License-Identifier: MIT */
/*
 * case.h - one call of a kernel as a value: sizes, placement, contents, CPU state
 *
 * Text ("v1 n=4093 dst=13 ...", defaults omitted) and the byte record v1 are two
 * spellings of the same struct; on canonical cases they are a bijection.  Decoding
 * never depends on the machine or on a contract.
 *
 * Depends on: base, report/rules.h (what a saved case expects).
 */
#ifndef FNP_SUBJECT_CASE_H
#define FNP_SUBJECT_CASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "base/str.h"
#include "report/rules.h"

enum fnp_place {
    FNP_PLACE_MID,   /* between redzones, far from the guards */
    FNP_PLACE_END,   /* as near the back guard page as the alignment allows */
    FNP_PLACE_START, /* as near the front guard page as the alignment allows */
    FNP_PLACE_CROSS, /* a page boundary runs through the middle of the block */
    FNP_N_PLACES,
};
enum fnp_field {
    FNP_FIELD_HIGH,
    FNP_FIELD_LOW,
    FNP_FIELD_SPLIT31,
    FNP_N_FIELDS
};
enum fnp_huge {
    FNP_HUGE_WINDOW, /* only the first window of a huge buffer is mapped */
    FNP_HUGE_ALIAS,  /* all of it, as one piece of memory again and again */
    FNP_N_HUGES
};
enum fnp_relation {
    FNP_REL_NONE,     /* dst and src are disjoint, in fields of their own */
    FNP_REL_DISTANCE, /* dst = src + distance */
    FNP_REL_LAP,      /* |distance| bytes overlap; > 0: dst above src, < 0: below */
    FNP_N_RELATIONS,
};
enum fnp_fill {
    FNP_FILL_POS, /* position-coded: every 8 bytes tell where they came from */
    FNP_FILL_ZERO,
    FNP_FILL_ONES,
    FNP_FILL_RANDOM,
    FNP_FILL_SNAN, /* signalling NaNs as double, float and 80-bit patterns */
    FNP_FILL_DENORMAL,
    FNP_FILL_UNNORMAL, /* 80-bit unnormals, pseudo-denormals, pseudo-infinities */
    FNP_FILL_INF,
    FNP_FILL_TAME, /* no NaN, denormal or infinity, whatever 4 or 8 bytes are looked at */
    FNP_FILL_SPECIAL, /* every class of values of each format, both signs, in turn */
    FNP_N_FILLS,
};
enum fnp_upper {
    FNP_UPPER_JUNK,
    FNP_UPPER_ZERO,
    FNP_UPPER_ONES,
    FNP_N_UPPERS
};

/* State of the x87 unit at entry, behind the numbers of live registers. */
enum fnp_x87 {
    FNP_X87_MMX = 9, /* all eight live as MMX registers */
    FNP_X87_PENDING, /* four live, and an invalid operation that nobody has handled yet */
    FNP_N_X87,
};

/*
 * Junk streams from here on are all zeros.  A stream's remainder is the phase of the
 * stack at entry, in units of 16 bytes within 64.
 */
enum {
    FNP_JUNK_ZEROS = 252,
    FNP_STACK_PHASES = 4,
};

#define FNP_MXCSR_DEFAULT 0x1f80u
#define FNP_FCW_DEFAULT   0x037fu

/*
 * Zero-initialised is not quite the default case: mxcsr and fcw have the hardware's
 * defaults; use fnp_case_default().  Roles index the arrays: dst, src, third.
 */
struct fnp_case {
    uint64_t n;        /* the size variable */
    uint8_t offset[3]; /* 0: not given; k: k - 1 is the address modulo 64 */
    uint8_t place[3];  /* enum fnp_place */
    uint8_t line[3];   /* 0..63: 64-byte line within a page, for place MID */
    uint8_t relation;  /* enum fnp_relation */
    int32_t distance;  /* see relation; 0 unless relation != NONE */
    uint8_t field;     /* enum fnp_field */
    uint8_t huge;      /* enum fnp_huge; of buffers of 2^31 bytes and more */
    uint8_t fill;      /* enum fnp_fill */
    uint32_t seed;     /* of contents: source bytes, old destination bytes */
    uint64_t value[3]; /* value parameters; the first of op = set is the fill value */
    uint8_t upper;     /* enum fnp_upper: unused upper halves of arguments */
    uint8_t junk;      /* stream of the junk in caller-saved and sentinel registers */
    uint8_t repeat; /* 0..7 further calls on the same buffers, CPU state carried on */
    uint16_t mxcsr; /* at entry */
    uint16_t fcw;   /* x87 control word at entry */
    uint8_t x87;    /* 0 empty; 1..8 registers live; or one of enum fnp_x87 */
    uint8_t ymm;    /* 1: upper YMM halves hold data at entry */
};

struct fnp_case fnp_case_default(void);

/*
 * Bring a case into canonical form: what has no effect is set to its default
 * (line unless MID, src fields when the relation places src, distance 0 with NONE).
 * Idempotent.
 */
void fnp_case_canonical(struct fnp_case *c);

bool fnp_case_equal(const struct fnp_case *a, const struct fnp_case *b);

/* Canonical order: <0, 0, >0; the smaller one is the simpler one to a reader. */
int fnp_case_compare(const struct fnp_case *a, const struct fnp_case *b);

/*
 * dst - src in bytes, 0 without a relation.  A lap counts against dst's length, so
 * both spellings of one placement give one distance.
 */
int64_t fnp_case_distance(const struct fnp_case *c, uint64_t dst_len);

/*
 * "v1 ..." without newline.  `with_n` false leaves n out (constant extents).  A case
 * with every key at its longest needs 277 bytes.
 */
#define FNP_CASE_TEXT_MAX 320
void fnp_case_text(const struct fnp_case *c, bool with_n, struct fnp_str *out);

/*
 * Read the text form, keys in any order; the result is canonical.  Unknown keys,
 * repeated keys and values out of range are FNP_INPUT.
 */
enum fnp_status fnp_case_parse(const char *text, struct fnp_case *out,
                               struct fnp_err *err);

/*
 * Byte record v1 (little endian, offsets fixed for ever).  Decoding is total: any
 * bytes give a canonical case, a missing tail counts as zeros, an extra tail is
 * ignored, zeros are the default case.
 */
enum {
    FNP_CASE_BYTES = 64
};
void fnp_case_decode(const unsigned char *bytes, size_t len, struct fnp_case *out);
/* `c` must be canonical; decode(encode(c)) == c.  Returns the bytes up to the last non-zero one. */
size_t fnp_case_encode(const struct fnp_case *c, unsigned char out[FNP_CASE_BYTES]);

/* The key table, also for help and `--exhaustive`. */
struct fnp_case_key {
    const char *name;
    const char *range; /* as in help: "0..63", "mid|end|start|cross" */
    const char *help;
};
extern const struct fnp_case_key fnp_case_keys[];
extern const size_t fnp_case_n_keys;

/* The index of a key, or fnp_case_n_keys. */
size_t fnp_case_key_find(const char *name, size_t len);

/*
 * Read the value of a key as one number: words by index, `place` and `line` one byte a
 * role, signed keys as int64_t.  Out of range is FNP_INPUT with key and range.
 */
enum fnp_status fnp_case_key_read(size_t key, const char *text, size_t len,
                                  uint64_t *value, struct fnp_err *err);

/* Set a key to a value fnp_case_key_read could have given.  Does not canonicalise. */
void fnp_case_key_set(struct fnp_case *c, size_t key, uint64_t value);

/* The value a case has, given or not, as fnp_case_key_set takes it. */
uint64_t fnp_case_key_value(const struct fnp_case *c, size_t key);

/* The value as the text form writes it. */
void fnp_case_key_text(size_t key, uint64_t value, struct fnp_str *out);

/* Are values of this key plain numbers, so that `lo:hi` makes sense?  *is_signed says how. */
bool fnp_case_key_counts(size_t key, bool *is_signed);

/* A `.case` file (design.md section 4). */
struct fnp_case_file {
    char kernel[256];
    char contract[1024]; /* empty: the one the kernel comes with */
    struct fnp_case c;
    char expect[64];   /* "pass" or SLUG[@region] */
    char seen_on[256]; /* may be empty */
};
enum fnp_status fnp_case_file_read(const char *path, struct fnp_case_file *out,
                                   struct fnp_err *err);
enum fnp_status fnp_case_file_parse(const char *path, const char *text, size_t len,
                                    struct fnp_case_file *out, struct fnp_err *err);
/* The rule it expects, FNP_N_RULES for "pass"; *region within `f`, NULL: any. */
enum fnp_rule fnp_case_file_expects(const struct fnp_case_file *f, const char **region);
void fnp_case_file_text(const struct fnp_case_file *f, bool with_n,
                        struct fnp_str *out);

#endif
