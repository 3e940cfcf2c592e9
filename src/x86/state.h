/* SPDX-License-Identifier: MIT */
/*
 * state.h - the machine state a kernel starts with and leaves behind
 *
 * The GPR order is that of the instruction encoding, so an index is a register
 * number everywhere.  state.def is the only list; asm reads the offsets made from
 * it in run/context.h.
 *
 * Depends on: nothing.
 */
#ifndef FNP_X86_STATE_H
#define FNP_X86_STATE_H

#include <stdbool.h>
#include <stdint.h>

enum fnp_gpr {
#define GPR(NAME, name, low) FNP_##NAME,
#include "x86/state.def"
#undef GPR
    FNP_N_GPRS,
};

enum {
    FNP_N_GPRS_32 = 8
}; /* that 32-bit code has: eax ... edi */

#define FNP_NO_REG 0xffu /* in place of a register's number */

/* "rax" ... "r15" */
extern const char *const fnp_gpr_names[FNP_N_GPRS];
/* "eax" ... "edi", "r8d" ... */
extern const char *const fnp_gpr_names_32[FNP_N_GPRS];

/* Bytes of a pointer and of a word on the stack. */
static inline unsigned fnp_word_len(bool is32)
{
    return is32 ? 4 : 8;
}

/* A register's name in code of the given width. */
static inline const char *fnp_gpr_name(unsigned i, bool is32)
{
    return (is32 ? fnp_gpr_names_32 : fnp_gpr_names)[i];
}

/* RFLAGS bits, Intel SDM vol. 1, 3.4.3. */
enum {
    FNP_FLAG_CF = 0x1,
    FNP_FLAG_PF = 0x4,
    FNP_FLAG_AF = 0x10,
    FNP_FLAG_ZF = 0x40,
    FNP_FLAG_SF = 0x80,
    FNP_FLAG_TF = 0x100,
    FNP_FLAG_IF = 0x200,
    FNP_FLAG_DF = 0x400,
    FNP_FLAG_OF = 0x800,
    FNP_FLAG_NT = 0x4000,
    FNP_FLAG_AC = 0x40000,
    FNP_FLAG_ID = 0x200000,
    FNP_FLAGS_STATUS = 0x8d5, /* OF SF ZF AF PF CF */
};

/* What was captured: the cheap level leaves parts of struct fnp_state unset. */
enum fnp_captured {
    FNP_HAS_GPR = 1,    /* gpr, rflags, fs_base, gs_base, segments, mxcsr, fcw, fsw */
    FNP_HAS_TAGS = 2,   /* ftw, fsw exact (fnstenv or xsave) */
    FNP_HAS_X87 = 4,    /* st */
    FNP_HAS_XMM = 8,    /* xmm */
    FNP_HAS_YMM = 16,   /* ymm_high */
    FNP_HAS_INUSE = 32, /* xinuse */
};

struct fnp_state {
    uint64_t gpr[FNP_N_GPRS];
    uint64_t rflags;
    uint64_t fs_base, gs_base;
    uint16_t ds, es, fs, gs;
    uint32_t mxcsr;
    uint16_t fcw, fsw;
    uint8_t ftw;      /* bit k: physical x87 register k is not empty */
    uint8_t captured; /* enum fnp_captured */
    uint16_t reserved;
    uint64_t xinuse;   /* XGETBV(1); a hint */
    uint8_t st[8][10]; /* ST(i)/MMi in stack order, as FXSAVE stores them */
    uint8_t xmm[16][16];
    uint8_t ymm_high[16][16];
};

#endif
