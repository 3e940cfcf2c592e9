/* SPDX-License-Identifier: MIT */
/*
 * image_stub.c - code and words that stand for symbols an object does not define
 *
 * It makes pieces; where they go and who refers to them is image_link.c's business.
 */
#include <elf.h>
#include <string.h>

#include "subject/image_link.h"
#include "x86/state.h"

#define STUB_ALIGN 16

/* Functions that compilers call for reasons of their own and that just return. */
static const char *const returning[] = {
    "__x86_return_thunk",
    "__fentry__",
    "mcount",
    "_mcount",
    "__cyg_profile_func_enter",
    "__cyg_profile_func_exit",
};

/* Indirect branches through a register; the register's name follows. */
static const char *const branching[] = {
    "__x86_indirect_thunk_",
    "__x86_indirect_call_thunk_",
    "__x86_indirect_jump_thunk_",
    "__llvm_retpoline_",
};

static uint32_t add_code(struct fnp_link *link, const char *name,
                         const unsigned char *code, size_t len)
{
    unsigned char *bytes = fnp_arena_alloc(link->scratch, STUB_ALIGN);

    memset(bytes, 0xcc, STUB_ALIGN);
    memcpy(bytes, code, len);
    return fnp_link_add(link, &(struct fnp_piece){
                                  .name = name,
                                  .bytes = bytes,
                                  .size = STUB_ALIGN,
                                  .align = STUB_ALIGN,
                                  .group = FNP_GROUP_CODE,
                                  .is_code = true,
                              });
}

static const unsigned char ret = 0xc3;

/* mov $value,%rax; ret */
static uint32_t add_value_stub(struct fnp_link *link, const char *name, uint64_t value)
{
    unsigned char code[11] = { 0x48, 0xb8 };

    memcpy(code + 2, &value, sizeof(value));
    code[10] = 0xc3;
    return add_code(link, name, code, sizeof(code));
}

/* jmp *%reg */
static uint32_t add_branch(struct fnp_link *link, const char *name, unsigned reg)
{
    const unsigned char code[3] = { 0x41, 0xff, (unsigned char)(0xe0 | (reg & 7)) };

    return reg < 8 ? add_code(link, name, code + 1, 2) : add_code(link, name, code, 3);
}

static uint32_t add_word(struct fnp_link *link, const char *name, uint64_t value)
{
    unsigned char *bytes = fnp_arena_alloc(link->scratch, sizeof(value));

    memcpy(bytes, &value, sizeof(value));
    return fnp_link_add(link, &(struct fnp_piece){
                                  .name = name,
                                  .bytes = bytes,
                                  .size = sizeof(value),
                                  .align = sizeof(value),
                                  .group = FNP_GROUP_DATA,
                              });
}

static uint32_t by_contract(struct fnp_link *link, const char *name)
{
    const struct fnp_contract *contract = link->contract;

    for (size_t i = 0; contract && i < contract->n_defines; i++) {
        const struct fnp_define *define = &contract->defines[i];

        if (strcmp(define->name, name) == 0) {
            if (!define->is_stub) {
                return add_word(link, name, define->value);
            }
            return define->has_value ? add_value_stub(link, name, define->value)
                                     : add_code(link, name, &ret, sizeof(ret));
        }
    }
    return FNP_PIECE_NONE;
}

static uint32_t by_custom(struct fnp_link *link, const char *name)
{
    for (size_t i = 0; i < FNP_ARRAY_LEN(returning); i++) {
        if (strcmp(name, returning[i]) == 0) {
            return add_code(link, name, &ret, 1);
        }
    }
    for (size_t i = 0; i < FNP_ARRAY_LEN(branching); i++) {
        size_t len = strlen(branching[i]);

        if (strncmp(name, branching[i], len) != 0) {
            continue;
        }
        for (unsigned reg = 0; reg < FNP_N_GPRS; reg++) {
            if (strcmp(name + len, fnp_gpr_names[reg]) == 0) {
                return add_branch(link, name, reg);
            }
        }
    }
    return FNP_PIECE_NONE;
}

uint32_t fnp_link_define(struct fnp_link *link, const char *name, bool built_in)
{
    uint32_t piece = by_contract(link, name);

    return piece == FNP_PIECE_NONE && built_in ? by_custom(link, name) : piece;
}

uint32_t fnp_link_trap(struct fnp_link *link, const char *name)
{
    /* ud2, for whoever maps it executable all the same. */
    static const unsigned char trap[FNP_TRAP_LEN] = {
        0x0f, 0x0b, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc,
        0xcc, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc, 0xcc,
    };

    return fnp_link_add(link, &(struct fnp_piece){
                                  .name = name[0] ? name : "(unnamed)",
                                  .bytes = trap,
                                  .size = FNP_TRAP_LEN,
                                  .align = FNP_TRAP_LEN,
                                  .group = FNP_GROUP_TRAP,
                                  .is_code = true,
                              });
}
