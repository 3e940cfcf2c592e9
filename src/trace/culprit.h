/* SPDX-License-Identifier: MIT */
/*
 * culprit.h - which step of a log wrote a byte or a register last
 *
 * Depends on: access.
 */
#ifndef FNP_TRACE_CULPRIT_H
#define FNP_TRACE_CULPRIT_H

#include "trace/access.h"

/* What was written; zero is nothing. */
struct fnp_culprit_wanted {
    uint64_t byte; /* an address; 0: none */
    uint16_t regs; /* GPR mask */
};

struct fnp_culprit {
    uint64_t insn;  /* 0: no step did it */
    uint32_t round; /* the how manyth time it ran, from 1 */
};

/* The last step that wrote what is wanted.  False for a damaged log. */
bool fnp_culprit_find(struct fnp_insns *insns, const struct fnp_log *log,
                      const struct fnp_culprit_wanted *wanted, struct fnp_culprit *out);

#endif
