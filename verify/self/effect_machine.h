/* SPDX-License-Identifier: MIT */
/*
 * effect_machine.h - run one instruction natively, from any state, and see what it did
 *
 * Memory is four slots, each with an edge in its middle; what lies on one side of an edge
 * can be taken away.  It knows nothing of what instructions should do.
 *
 * Depends on: x86/state.h, effect_layout.h.
 */
#ifndef FNP_VERIFY_SELF_EFFECT_MACHINE_H
#define FNP_VERIFY_SELF_EFFECT_MACHINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "verify/self/effect_layout.h"
#include "x86/state.h"

enum {
    EFFECT_XLEN = 4096, /* of an XSAVE image, in its standard form */
    EFFECT_SLOT_LEN = 2 * SLOT_HALF
};

/* All that an instruction can see and change. */
struct effect_state {
    uint64_t gpr[FNP_N_GPRS];
    uint64_t flags;
    unsigned char x[EFFECT_XLEN];
    unsigned char memory[N_SLOTS][EFFECT_SLOT_LEN];
};

/* What of a slot is taken away while the instruction runs. */
struct effect_away {
    unsigned slot;
    bool high;   /* what lies from the edge on, else what lies below it */
    bool writes; /* only writing is */
    bool whole;  /* both sides */
};

struct effect_end {
    int sig; /* 0: it ran to its end */
    uint64_t addr;
    bool known; /* addr says where */
};

/* Map everything; once. */
void effect_machine_open(void);

/* Memory that instructions can touch, and its contents before. */
struct effect_end effect_machine_run(const unsigned char *code, size_t len, bool is32,
                                     const struct effect_state *before,
                                     const struct effect_away *away,
                                     struct effect_state *after);

/* A part of the XSAVE image: 2 AVX, 5 opmasks, 6 and 7 ZMM. */
unsigned effect_machine_offset(unsigned part);

#endif
