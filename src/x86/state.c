/* SPDX-License-Identifier: MIT */
/*
 * state.c - the names of the general registers
 *
 * From state.def, the only list.
 */
#include "x86/state.h"

const char *const fnp_gpr_names[FNP_N_GPRS] = {
#define GPR(NAME, name, low) #name,
#include "x86/state.def"
#undef GPR
};

const char *const fnp_gpr_names_32[FNP_N_GPRS] = {
#define GPR(NAME, name, low) #low,
#include "x86/state.def"
#undef GPR
};
