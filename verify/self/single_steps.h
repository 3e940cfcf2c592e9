/* SPDX-License-Identifier: MIT */
/*
 * single_steps.h - the steps of a kernel's case as the CPU itself makes them
 *
 * A child of its own runs the case natively under ptrace, which stops it before every
 * instruction: slow, and independent of everything in src/trace but the decoder that
 * tells a repeated string instruction, which is one step.
 *
 * Depends on: kernel, case, x86/state.h.
 */
#ifndef FNP_VERIFY_SELF_SINGLE_STEPS_H
#define FNP_VERIFY_SELF_SINGLE_STEPS_H

#include "subject/case.h"
#include "subject/kernel.h"
#include "x86/state.h"

/* What stood in the registers before an instruction. */
struct single_step {
    uint64_t addr;
    uint64_t gpr[FNP_N_GPRS];
    uint64_t flags; /* FNP_FLAGS_STATUS */
};

/* At most `most` steps into out, which holds so many; returns how many it were. */
size_t single_steps(const struct fnp_kernel *k, const struct fnp_case *c,
                    struct single_step *out, size_t most);

#endif
