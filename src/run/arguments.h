/* SPDX-License-Identifier: MIT */
/*
 * arguments.h - where each argument of a call goes, by ABI
 *
 * System V psABI x86-64 3.2.3, Microsoft x64 calling convention, System V psABI i386
 * 2.2.3, and gcc's -mregparm=3 (function_arg_32 in config/i386/i386.cc: a 64-bit
 * argument takes two registers or goes to the stack with all that follow it).
 *
 * Depends on: contract.
 */
#ifndef FNP_RUN_ARGUMENTS_H
#define FNP_RUN_ARGUMENTS_H

#include <stddef.h>
#include <stdint.h>

#include "subject/contract.h"

/* One argument: up to two registers, low word first, or bytes on the stack. */
struct fnp_argument {
    uint8_t reg[2]; /* GPR index, or FNP_NO_REG */
    uint8_t len;    /* bytes on the stack; 0: in registers */
    uint16_t at;    /* of the bytes on the stack, from the return address's end */
};

struct fnp_arguments {
    struct fnp_argument list[FNP_MAX_PARAMS];
    uint16_t first, end; /* stack arguments lie in [first, end) */
};

void fnp_arguments_place(const struct fnp_contract *contract,
                         struct fnp_arguments *out);

/*
 * Bytes from the return address's end on that belong to the callee: the home space of
 * ms64, and the arguments of 32-bit code, which compilers use as variables.
 */
unsigned fnp_arguments_callee_bytes(const struct fnp_contract *contract,
                                    const struct fnp_arguments *arguments);

#endif
