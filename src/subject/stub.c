/* SPDX-License-Identifier: MIT */
/*
 * stub.c - code and words that stand for symbols an object does not define
 *
 * It knows names and bytes, neither files nor addresses.
 */
#include "subject/stub.h"

#include <string.h>

#include "base/status.h"
#include "x86/state.h"

const unsigned char fnp_stub_trap[FNP_STUB_MAX] = {
    0x0f, 0x0b, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc,
    0xcc, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc,
};

const struct fnp_known_word fnp_known_words[] = {
#define WORD(name, usual, small) { #name, usual, small },
#include "subject/known.def"
};
const size_t fnp_known_n_words = FNP_ARRAY_LEN(fnp_known_words);

_Static_assert(FNP_ARRAY_LEN(fnp_known_words) <= 32, "a mask has 32 bits");

static const char *const trapping[] = {
#define TRAP(name) #name,
#include "subject/known.def"
};

static const char *const returning[] = {
#define RETURN(name) #name,
#include "subject/known.def"
};

static const char *const branching[] = {
#define BRANCH(prefix) #prefix,
#include "subject/known.def"
};

static const char *const thunks[] = {
#define THUNK(prefix) #prefix,
#include "subject/known.def"
};

static struct fnp_stub code_stub(const unsigned char *code, size_t len)
{
    struct fnp_stub stub = { .len = len, .is_code = true };

    memset(stub.bytes, 0xcc, sizeof(stub.bytes));
    memcpy(stub.bytes, code, len);
    return stub;
}

static const unsigned char ret = 0xc3;

/* mov $value,%rax; ret, or with %eax */
static struct fnp_stub value_stub(uint64_t value, bool is32)
{
    unsigned char wide[11] = { 0x48, 0xb8 }, narrow[6] = { 0xb8 };

    memcpy(wide + 2, &value, 8);
    memcpy(narrow + 1, &value, 4);
    wide[10] = narrow[5] = ret;
    return is32 ? code_stub(narrow, sizeof(narrow)) : code_stub(wide, sizeof(wide));
}

/* jmp *%reg */
static struct fnp_stub branch_stub(unsigned reg)
{
    const unsigned char code[3] = { 0x41, 0xff, (unsigned char)(0xe0 | (reg & 7)) };

    return reg < 8 ? code_stub(code + 1, 2) : code_stub(code, 3);
}

/* mov (%esp),%reg; ret */
static struct fnp_stub thunk_stub(unsigned reg)
{
    const unsigned char code[4] = { 0x8b, (unsigned char)(0x04 | reg << 3), 0x24, ret };

    return code_stub(code, sizeof(code));
}

/* A `long` of that code. */
static struct fnp_stub word_stub(uint64_t value, bool is32)
{
    struct fnp_stub word = { .len = fnp_word_len(is32) };

    memcpy(word.bytes, &value, word.len);
    return word;
}

struct fnp_stub fnp_stub_of(const struct fnp_define *define, bool is32)
{
    if (!define->is_stub) {
        return word_stub(define->value, is32);
    }
    return define->has_value ? value_stub(define->value, is32) : code_stub(&ret, 1);
}

enum fnp_status fnp_stub_fits(const char *path, const struct fnp_define *define,
                              bool is32, struct fnp_err *err)
{
    return is32 && define->value > UINT32_MAX
               ? fnp_err_set(err, FNP_INPUT,
                             "%s: %s = %s:%llu does not fit into 32 bits", path,
                             define->is_stub ? "stub" : "set", define->name,
                             (unsigned long long)define->value)
               : FNP_OK;
}

bool fnp_stub_by_contract(const struct fnp_contract *contract, const char *name,
                          bool is32, struct fnp_stub *out)
{
    for (size_t i = 0; contract && i < contract->n_defines; i++) {
        if (strcmp(contract->defines[i].name, name) == 0) {
            *out = fnp_stub_of(&contract->defines[i], is32);
            return true;
        }
    }
    return false;
}

/*
 * The register whose name, but for its first `skip` letters, follows one of the prefixes;
 * FNP_N_GPRS: none.
 */
static unsigned register_named(const char *name, const char *const *prefixes,
                               size_t count, size_t skip, bool is32)
{
    const char *const *registers = is32 ? fnp_gpr_names_32 : fnp_gpr_names;

    for (size_t i = 0; i < count; i++) {
        size_t len = strlen(prefixes[i]);

        for (unsigned reg = 0; reg < (is32 ? 8 : FNP_N_GPRS); reg++) {
            if (strncmp(name, prefixes[i], len) == 0 &&
                strcmp(name + len, registers[reg] + skip) == 0) {
                return reg;
            }
        }
    }
    return FNP_N_GPRS;
}

bool fnp_stub_is_trap(const char *name)
{
    for (size_t i = 0; i < FNP_ARRAY_LEN(trapping); i++) {
        if (strcmp(name, trapping[i]) == 0) {
            return true;
        }
    }
    return false;
}

bool fnp_stub_built_in(const char *name, bool is32, struct fnp_stub *out)
{
    unsigned reg;

    for (size_t i = 0; i < fnp_known_n_words; i++) {
        if (strcmp(name, fnp_known_words[i].name) == 0) {
            *out = word_stub(fnp_known_words[i].usual, is32);
            out->known = 1u << i;
            return true;
        }
    }
    for (size_t i = 0; i < FNP_ARRAY_LEN(returning); i++) {
        if (strcmp(name, returning[i]) == 0) {
            *out = code_stub(&ret, 1);
            return true;
        }
    }
    reg = register_named(name, branching, FNP_ARRAY_LEN(branching), 0, is32);
    if (reg != FNP_N_GPRS) {
        *out = branch_stub(reg);
        return true;
    }
    reg = is32 ? register_named(name, thunks, FNP_ARRAY_LEN(thunks), 1, is32)
               : FNP_N_GPRS;
    if (reg != FNP_N_GPRS) {
        *out = thunk_stub(reg);
        return true;
    }
    return false;
}
