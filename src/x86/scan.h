/* SPDX-License-Identifier: MIT */
/*
 * scan.h - what a kernel's code says without running it
 *
 * Recursive descent over direct branches from an entry, through Zydis, but not into
 * functions that never return: what they need is not what the kernel needs.  Finds the
 * CPU features the instructions need, constants worth trying as sizes, and whether
 * x87/MMX, AVX or non-temporal stores occur.  It never executes anything.
 *
 * Depends on: cpuid, Zydis.
 */
#ifndef FNP_X86_SCAN_H
#define FNP_X86_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/str.h"
#include "x86/cpuid.h"

enum {
    FNP_SCAN_CONSTANTS = 64,
    FNP_SCAN_WORDS = 32
};

/* Code to scan: bytes[0, len) stand at addr. */
struct fnp_code {
    const unsigned char *bytes; /* borrowed */
    size_t len;
    uint64_t addr;
    bool is32; /* for a 32-bit segment */
    /* Does a function begin at addr that never returns (an abort)?  NULL: none does. */
    bool (*never_returns)(const void *arg, uint64_t addr);
    const void *arg;
};

struct fnp_scan {
    fnp_features needs; /* of the instructions reached */
    bool x87_mmx;       /* any x87 or MMX instruction */
    bool fp; /* any instruction that may alter a value it moves: x87, SSE arithmetic */
    bool mxcsr; /* any instruction that may change MXCSR, its sticky flags included */
    bool vex;   /* any VEX or EVEX instruction on vector or mask registers */
    bool nontemporal; /* any weakly ordered store */
    bool moves_stack; /* any instruction but ret that changes rsp */
    bool indirect;    /* an indirect jump or call was met: the scan is not complete */
    bool privileged;  /* an instruction that faults in user mode */
    const char
        *unlisted; /* an extension met that features.def has no name for; NULL: none */
    size_t n_insns, n_blocks;
    uint64_t constants
        [FNP_SCAN_CONSTANTS]; /* immediates and displacements, deduplicated, ascending */
    size_t n_constants;
    /* What the data words hold that it was linked with; filled in by who links it. */
    uint64_t words[FNP_SCAN_WORDS];
    size_t n_words;
};

/* Undecodable bytes end a path, they are no error. */
void fnp_scan_code(const struct fnp_code *code, uint64_t entry, struct fnp_scan *out);

/*
 * AT&T text of the instruction at addr ("movntq %mm0,(%rdi)"), "(bad)" when it does
 * not decode.  Returns its length in bytes, 0 for "(bad)".
 */
size_t fnp_insn_text(const struct fnp_code *code, uint64_t addr, struct fnp_str *out);

#endif
