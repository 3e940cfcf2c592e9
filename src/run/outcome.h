/* SPDX-License-Identifier: MIT */
/*
 * outcome.h - everything observed while one case ran; no judgement in it
 *
 * Plain data without pointers, so that a worker can hand it to the supervisor
 * through shared memory.
 *
 * Depends on: case, contract (roles), x86/state.h.
 */
#ifndef FNP_RUN_OUTCOME_H
#define FNP_RUN_OUTCOME_H

#include <stdbool.h>
#include <stdint.h>

#include "subject/case.h"
#include "subject/contract.h"
#include "x86/state.h"

/* Case limits of this build's fields, for planners. */
#define FNP_FIELD_N_MAX (512u * 1024) /* bytes of one buffer in an ordinary case */
#define FNP_LARGE_N_MAX (6u << 20)    /* of a large one: constants from the code only */
#define FNP_HUGE32_N_MAX                                                               \
    0x98000000u /* of a buffer in 32-bit code: from the last low field to 4 GiB */
#define FNP_HUGE_N_MIN                                                                 \
    (1ull << 31) /* buffers at least this long run through a window, or aliased */
#define FNP_ALIAS_N_MAX                                                                \
    (5632ull << 20) /* of an aliased one: what is reserved behind a field holds it */

/* How the call ended. */
enum fnp_end {
    FNP_END_RETURNED,
    FNP_END_FAULT, /* a signal; see fault */
    FNP_END_HANG,  /* the time limit of one case; fault.rip says where it was */
    FNP_END_SYSCALL, /* it made a system call, which did not take effect; fault.rip, fault.addr = number */
    FNP_END_DIED, /* the worker process did not survive it; fault.sig says how */
    FNP_END_SKIPPED, /* the case cannot be laid out (too large, wrong field): nothing ran */
};

/* What a faulting address belongs to. */
enum fnp_region {
    FNP_REGION_UNKNOWN,
    FNP_REGION_GUARD,  /* guard or gap of the field of buffer `role` */
    FNP_REGION_SOURCE, /* write to a read-only field of buffer `role` */
    FNP_REGION_HUGE, /* inside buffer `role`, beyond the mapped window of a huge case */
    FNP_REGION_STACK_LOW,  /* guard below the kernel's stack */
    FNP_REGION_STACK_HIGH, /* guard above the caller's frame */
    FNP_REGION_IMAGE,      /* the kernel's own code or data */
    FNP_REGION_TRAP, /* an undefined symbol's stub; `symbol` index unknown here, use rip/addr */
    FNP_REGION_REFUSED, /* the same for what the loader cannot give (IFUNC, TLS) */
    FNP_REGION_TOOL,    /* memory of fencepost itself, its TLS included */
    FNP_REGION_TRUNCATED, /* a buffer's address cut to 32 bits (or sign-extended from there) */
    FNP_REGION_NONCANONICAL, /* #GP: no address; also privileged instructions, alignment */
};

enum fnp_access {
    FNP_ACCESS_UNKNOWN,
    FNP_ACCESS_READ,
    FNP_ACCESS_WRITE,
    FNP_ACCESS_EXEC
};

struct fnp_fault {
    int sig;        /* SIGSEGV SIGBUS SIGILL SIGFPE SIGTRAP SIGSYS ...; 0: none */
    int code;       /* si_code */
    uint64_t rip;   /* of the faulting instruction */
    uint64_t addr;  /* valid unless region is NONCANONICAL */
    uint8_t access; /* enum fnp_access */
    uint8_t region; /* enum fnp_region */
    uint8_t role;   /* of GUARD, SOURCE, HUGE, TRUNCATED */
    bool by_ret;    /* a ret took its target from the kernel's stack */
    int64_t offset; /* addr - start of that buffer */
};

/* Did the instruction at rip access addr as data?  Otherwise addr says nothing or is code. */
static inline bool fnp_fault_is_data(const struct fnp_fault *fault)
{
    return fault->access == FNP_ACCESS_READ || fault->access == FNP_ACCESS_WRITE;
}

/* Bytes of one range that are not what they should be. */
struct fnp_diff {
    uint64_t count; /* 0: all right */
    int64_t
        first; /* offset of the first one from the start of the buffer (may be negative) */
    int64_t last;   /* offset of the last one */
    uint64_t stale; /* how many of `count` still hold what was there before the call */
    uint8_t want[16]; /* from `first` on */
    uint8_t got[16];
    uint8_t n_bytes; /* of want and got that are valid */
    uint64_t hash;   /* of all differing bytes and their places */
};

/* Where a buffer stood. */
struct fnp_placed {
    uint64_t addr;
    uint64_t len; /* bytes, by the contract */
    uint64_t
        mapped; /* bytes of the buffer that lie in its field; < len for huge cases */
    uint64_t lo, hi; /* accessible field [lo, hi) */
    bool present;
    bool read_only;
};

struct fnp_outcome {
    struct fnp_case c;
    uint8_t end; /* enum fnp_end */
    bool full;   /* full state captured */
    bool
        huge; /* a buffer ends at its window: a correct kernel faults with REGION_HUGE */
    bool judged_bytes; /* the byte comparisons below were made */
    struct fnp_fault fault;
    struct fnp_placed buf[FNP_MAX_BUFS]; /* by role */
    struct fnp_state in, out;
    struct fnp_diff body
        [FNP_MAX_BUFS]; /* outputs: against the reference; inputs: against what they held */
    struct fnp_diff head[FNP_MAX_BUFS]; /* redzone before the buffer */
    struct fnp_diff tail[FNP_MAX_BUFS]; /* redzone after it */
    struct fnp_diff far_off
        [FNP_MAX_BUFS]; /* rest of the field; only known at slice end or when thorough */
    struct fnp_diff
        frame; /* caller's frame and stack arguments, or, with offsets below 0, what lies below the red zone; offset 0 is the first stack argument */
    struct fnp_diff
        tool; /* checksum of fencepost's own writable memory; only when thorough */
    uint64_t want_return; /* what the contract's `returns` makes of this case */
    bool has_want_return;
    uint64_t ref_return; /* op = ref: the reference's result */
    uint8_t ref_end;     /* op = ref: how the reference ended */
    bool ref_strayed;    /* op = ref: it wrote outside of its buffers */
    uint64_t fill_value; /* op = set: the byte */
};

/* Are edx:eax the result, as the i386 psABI returns integers of 64 bits? */
static inline bool fnp_result_is_pair(const struct fnp_contract *c)
{
    return c->is32 && c->returns_width > 4 && c->abi != FNP_ABI_REGS &&
           c->returns_reg == FNP_RAX;
}

/* What a call returned, out of its registers. */
static inline uint64_t fnp_result(const struct fnp_contract *c, const uint64_t *gpr)
{
    return fnp_result_is_pair(c) ? gpr[FNP_RDX] << 32 | (uint32_t)gpr[FNP_RAX]
                                 : gpr[c->returns_reg & 15];
}

#endif
