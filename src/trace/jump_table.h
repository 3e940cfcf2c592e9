/* SPDX-License-Identifier: MIT */
/*
 * jump_table.h - all targets of an indirect jump, from one time that it ran
 *
 * The log has the registers, so that the address of the entry is known, and of the table:
 * the same with index 0.  The bound is that of a compare or a mask which the index went
 * through just before.  Entries are addresses or distances from some place; which one
 * the entry that was used tells.
 *
 * Depends on: insns, recorder, x86/bound.h.
 */
#ifndef FNP_TRACE_JUMP_TABLE_H
#define FNP_TRACE_JUMP_TABLE_H

#include "trace/insns.h"
#include "trace/recorder.h"

enum {
    FNP_JUMP_TABLE_MAX = 1024 /* entries */
};

struct fnp_jump_table {
    uint64_t target[FNP_JUMP_TABLE_MAX]; /* each once, in no order */
    size_t n_targets;
};

/*
 * The table that record i of the log, an indirect jump, went through.  False when there
 * is none, or nothing bounds it: it may have more targets than were seen.
 */
bool fnp_jump_table_find(struct fnp_insns *insns, const struct fnp_log *log, size_t i,
                         struct fnp_jump_table *out);

#endif
