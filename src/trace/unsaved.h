/* SPDX-License-Identifier: MIT */
/*
 * unsaved.h - registers that are lost on every way, as the code alone shows
 *
 * A register is lost for certain when an instruction gives it a new value and no way to
 * that instruction has read the old one, so that nothing has it any more.  Calls may read
 * everything.  Whatever could have been a rescue counts as one.
 *
 * Depends on: walk.
 */
#ifndef FNP_TRACE_UNSAVED_H
#define FNP_TRACE_UNSAVED_H

#include "trace/walk.h"

struct fnp_unsaved {
    unsigned reg;  /* GPR number */
    uint64_t insn; /* that writes it */
};

/* The first of the registers in the mask `kept` that is lost; false: none is. */
bool fnp_unsaved_find(const struct fnp_walk *walk, uint16_t kept,
                      struct fnp_unsaved *out);

#endif
