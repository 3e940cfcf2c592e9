/* SPDX-License-Identifier: MIT */
/*
 * cover.h - how often each instruction of a kernel ran in its recorded cases
 *
 * Beside the counts stands the code that could run: what direct branches reach from the
 * entry, what indirect ones reached in some case, and all entries of the jump tables that
 * were used.  Functions that never return (an abort) are not looked into.
 *
 * A block is a run of instructions that are entered at the first and left behind the
 * last.  An edge leads from a block's last instruction to another block: both ways of a
 * branch, the target of a jump or a call, each known one of an indirect jump, and what
 * follows when another block begins there.  Where a return goes is none.
 *
 * Depends on: insns, recorder, jump_table.
 */
#ifndef FNP_TRACE_COVER_H
#define FNP_TRACE_COVER_H

#include "trace/insns.h"
#include "trace/recorder.h"

struct fnp_cover;

/* Nothing ran yet.  The result is owned by the arena; `insns` are borrowed. */
struct fnp_cover *fnp_cover_make(struct fnp_arena *arena, struct fnp_insns *insns);

/* Count one log, however it ended. */
void fnp_cover_add(struct fnp_cover *cover, const struct fnp_log *log);

struct fnp_cover_counts {
    size_t blocks, blocks_run;
    size_t edges, edges_run;
    bool more; /* an indirect jump may have targets that are not known */
};

struct fnp_cover_counts fnp_cover_counts(const struct fnp_cover *cover);

/* How many blocks have not run: cheaper, for whoever asks after each case. */
size_t fnp_cover_missing(const struct fnp_cover *cover);

struct fnp_cover_insn {
    uint64_t addr;
    uint64_t count; /* how often it ran */
    uint64_t taken; /* of a branch: how often it went to its target */
    uint64_t target;
    uint8_t len;
    uint8_t flow;  /* enum fnp_flow */
    bool is_start; /* a block begins here */
    bool is_end;   /* ... ends here */
    bool is_direct;
};

/* The instructions that are known, by address; owned by the arena. */
struct fnp_cover_insn *fnp_cover_insns(const struct fnp_cover *cover,
                                       struct fnp_arena *arena, size_t *count);

/*
 * A way back that a loop has: `from` jumps to `head`, which lies before it.  For each
 * time that the loop was entered: how often was it gone?
 */
struct fnp_cover_loop {
    uint64_t from, head;
    uint64_t none, once, more; /* entries */
};

/* Those that are ways back of loops, in the order they were found. */
struct fnp_cover_loop *fnp_cover_loops(const struct fnp_cover *cover,
                                       struct fnp_arena *arena, size_t *count);

/* An indirect jump or call. */
struct fnp_cover_indirect {
    uint64_t addr;
    size_t targets, targets_run; /* that are known */
    bool is_bounded;             /* they are all of its table */
};

struct fnp_cover_indirect *fnp_cover_indirects(const struct fnp_cover *cover,
                                               struct fnp_arena *arena, size_t *count);

#endif
