/* SPDX-License-Identifier: MIT */
/*
 * check_internal.h - what the check files share: the sink and a few plain facts
 *
 * Only check.c, check_*.c and tracing.c include it.
 *
 * Depends on: check.h, base/str.h.
 */
#ifndef FNP_VERIFY_CHECK_INTERNAL_H
#define FNP_VERIFY_CHECK_INTERNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/str.h"
#include "verify/check.h"
#include "verify/kept.h"

/* One outcome being judged, and where findings go. */
struct fnp_judging {
    const struct fnp_contract *contract;
    const struct fnp_outcome *o;
    struct fnp_finding *out;    /* FNP_CHECK_MAX entries; NULL: only count */
    size_t count;               /* at most FNP_CHECK_MAX */
    struct fnp_finding scratch; /* filled in place of what is not kept */
};

/*
 * A new finding with rule, severity and region set and the rest zero; never NULL.
 * Beyond FNP_CHECK_MAX it is a scratch entry and is not counted.
 */
struct fnp_finding *fnp_judging_add(struct fnp_judging *j, enum fnp_rule rule,
                                    const char *region);

/* Its message as a string to append to. */
struct fnp_str fnp_finding_text(struct fnp_finding *f);

/* A register's findings: reg, want and got in hex of `width` bytes. */
void fnp_finding_register(struct fnp_finding *f, const char *reg, uint64_t want,
                          uint64_t got, unsigned width);

/* "1 byte", "64 bytes" */
void fnp_add_bytes(struct fnp_str *text, uint64_t count);

/* "dst+4096", "dst-8": the buffer's name in the contract and an offset from its start. */
void fnp_add_place(struct fnp_str *text, const struct fnp_contract *contract,
                   unsigned role, int64_t offset);

/* The buffer's name in the contract, else the role's. */
const char *fnp_buf_label(const struct fnp_contract *contract, unsigned role);

/* May the kernel write the buffer with this role? */
bool fnp_role_written(const struct fnp_contract *contract, unsigned role);

/* Region for a place beside or inside a buffer: "dst-head" "dst-body" "dst-tail". */
void fnp_region_beside(char region[24], unsigned role, int64_t offset, uint64_t len);

/*
 * The status word without ES (bit 7) and B (bit 15), which the CPU derives from the
 * exception flags and masks (Intel SDM vol. 1, 8.1.3).
 */
#define FNP_FSW_STATE 0x7f7fu
#define FNP_FSW_TOP   0x3800u

/* Flags that no function may change; DF is judged apart. */
#define FNP_FLAGS_KEPT (FNP_FLAG_AC | FNP_FLAG_NT | FNP_FLAG_TF)

/* XCR0 and XINUSE bit of the upper YMM halves. */
#define FNP_XINUSE_YMM 4u

/* The checks, one function for each row of the table in check.c. */
typedef void fnp_check_fn(struct fnp_judging *j);
fnp_check_fn fnp_judge_reference; /* check_end.c: a reference that is worth nothing */
fnp_check_fn fnp_judge_reference;
fnp_check_fn fnp_judge_end;   /* check_end.c: fault, hang, system call, death */
fnp_check_fn fnp_judge_stray; /* check_memory.c */
fnp_check_fn fnp_judge_frame;
fnp_check_fn fnp_judge_tool;
fnp_check_fn fnp_judge_source;
fnp_check_fn fnp_judge_bytes;
fnp_check_fn fnp_judge_return;
fnp_check_fn fnp_judge_rsp; /* check_state.c */
fnp_check_fn fnp_judge_registers;
fnp_check_fn fnp_judge_segments;
fnp_check_fn fnp_judge_df;
fnp_check_fn fnp_judge_flags;
fnp_check_fn fnp_judge_mmx;
fnp_check_fn fnp_judge_x87;
fnp_check_fn fnp_judge_mxcsr;
fnp_check_fn fnp_judge_vectors;
fnp_check_fn fnp_judge_upper;

#endif
