/* SPDX-License-Identifier: MIT */
/*
 * footprint.h - what one recorded call did to memory, byte by byte
 *
 * The log of a case is gone through once; what comes out is plain data: for each kind of
 * event how many bytes it concerns, where the first is and which instruction did it in
 * which of its rounds.  An event is an observation: whether a contract allows it is for
 * others to say.
 *
 * Depends on: access, run/outcome.h (where the buffers stood).
 */
#ifndef FNP_TRACE_FOOTPRINT_H
#define FNP_TRACE_FOOTPRINT_H

#include "run/outcome.h"
#include "trace/access.h"

/* Longer buffers are not looked at. */
#define FNP_FOOTPRINT_MAX (256u * 1024)

enum fnp_event {
    FNP_EVENT_WRITE_OUTSIDE, /* in the field of a buffer, in none that may be written */
    FNP_EVENT_SOURCE_WRITE,  /* inside an input */
    FNP_EVENT_READ_OUTSIDE,  /* in the field of a buffer, in none that may be read */
    FNP_EVENT_READ_EARLY, /* inside an output that is not read, before it was written */
    FNP_EVENT_NOT_WRITTEN, /* bytes of an output that no store went to */
    FNP_EVENT_REWRITTEN,   /* bytes of an output that more than one store went to */
    FNP_EVENT_TORN,        /* aligned words of an output stored in parts */
    FNP_EVENT_BELOW_STACK, /* below the stack pointer and its red zone */
    FNP_EVENT_ABOVE_STACK, /* written in the caller's frame, the callee's arguments apart */
    FNP_EVENT_PENDING,     /* of an output, stored weakly and not fenced at the end */
    FNP_EVENT_PENDING_ELSE, /* the same elsewhere, or overwritten by plain stores later */
    FNP_N_EVENTS
};

struct fnp_event_seen {
    uint64_t count; /* distinct bytes; 0: it did not happen */
    int64_t first;  /* offset of the lowest byte from the buffer's start; of stack
                           events from the stack pointer at entry */
    int64_t last;   /* of the highest one */
    uint8_t role;   /* of the buffer */
    bool is_write;  /* BELOW_STACK: something was written there */
    uint64_t insn;  /* that did it first; 0: none did (NOT_WRITTEN) */
    uint32_t round; /* the how manyth time it ran, from 1 */
    uint32_t step;  /* counted from the kernel's first instruction, 0 */
};

struct fnp_footprint {
    enum fnp_recorded ended;
    bool complete; /* the kernel returned: what is missing at the end is missing */
    size_t n_steps;
    struct fnp_event_seen events[FNP_N_EVENTS];
    /* READ_OUTSIDE: aligned blocks of so many bytes that hold bytes of an input would
     * hold all that was read; 0: none of up to a page would. */
    uint64_t block;
    uint64_t weak_insn;  /* the last weak store; 0: none */
    uint64_t fence_insn; /* the last fence behind a weak store; 0: none */
    unsigned
        n_stand_ins;   /* instructions that were left out: privileged, unknown here */
    uint64_t stand_in; /* the first of them */
};

/* What a contract says about bytes that is needed to tell events apart. */
struct fnp_footprint_rules {
    uint64_t redzone;       /* bytes below the stack pointer that are the kernel's */
    uint64_t reads_aligned; /* 0: exact; else whole aligned blocks may be read */
    uint64_t word;          /* bytes of TORN's words; 0: not asked for */
    uint64_t frame_args;    /* bytes above the return address that are the callee's */
    bool is_input[FNP_MAX_BUFS], is_output[FNP_MAX_BUFS];
};

struct fnp_footprints; /* shadow memory and counters, made once */

struct fnp_footprints *fnp_footprints_make(struct fnp_arena *arena);

/*
 * Look at the log of one case, which `outcome` is of.  `insns` are those of the kernel's
 * image.  False for a damaged log.
 */
bool fnp_footprint_of(struct fnp_footprints *shadow, struct fnp_insns *insns,
                      const struct fnp_log *log, const struct fnp_outcome *outcome,
                      const struct fnp_footprint_rules *rules,
                      struct fnp_footprint *out);

#endif
