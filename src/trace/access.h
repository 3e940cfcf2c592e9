/* SPDX-License-Identifier: MIT */
/*
 * access.h - the steps of a log, and the memory that each of them touched
 *
 * Addresses are computed from the registers that the log has before each instruction and
 * from what x86/effect.h says of it; a repeated string instruction is one access to all
 * its bytes, a masked one those of the bytes that its mask lets through.
 *
 * Depends on: insns, recorder.
 */
#ifndef FNP_TRACE_ACCESS_H
#define FNP_TRACE_ACCESS_H

#include "trace/insns.h"
#include "trace/recorder.h"

/* One step: an instruction, with what stood in the registers before it. */
struct fnp_step {
    size_t index; /* 0 is the kernel's first */
    uint64_t addr;
    const struct fnp_effect *effect; /* until the next step */
    const uint64_t *gpr;
    uint64_t flags;
    uint64_t rsp_after; /* of the next step; of the last one as before it */
    bool df;
    bool is_last;
};

/* Bytes [addr, addr + len) that a step read or wrote. */
struct fnp_traced_access {
    uint64_t addr, len;
    uint32_t element; /* bytes of one store or load: len but for string instructions */
    bool read, write;
    bool weak;    /* a weak store */
    bool maybe;   /* not all of it for certain */
    bool unknown; /* where is not known: behind fs or gs, gathers; addr says nothing */
};

struct fnp_steps {
    void (*step)(void *arg, const struct fnp_step *s);
    /* After `step`, for each of its accesses. */
    void (*access)(void *arg, const struct fnp_step *s,
                   const struct fnp_traced_access *a);
    void *arg;
};

/*
 * Go through a log.  False when it names an instruction that is not there, which is a
 * damaged log: the kernel wrote into it.
 */
bool fnp_trace_walk(struct fnp_insns *insns, const struct fnp_log *log,
                    const struct fnp_steps *steps);

#endif
