/* SPDX-License-Identifier: MIT */
/*
 * recorder.h - run a case in the recording copy of its kernel's code
 *
 * The case runs in a worker like any other, natively and with every instruction as it
 * is, only that a copy is called (translate.h).  What comes back beside the outcome is
 * the log: all general registers and the flags before each instruction.  It observes; it
 * neither finds accesses nor judges.
 *
 * Depends on: translate, run/pool.h.
 */
#ifndef FNP_TRACE_RECORDER_H
#define FNP_TRACE_RECORDER_H

#include "run/pool.h"
#include "trace/translate.h"

/* Why a log ends. */
enum fnp_recorded {
    FNP_RECORDED_ALL,     /* the kernel returned, or its last instruction faulted */
    FNP_RECORDED_REFUSED, /* `why`: it came to an instruction that is not recorded */
    FNP_RECORDED_SYSCALL, /* it came to a system call */
    FNP_RECORDED_LONG,    /* more instructions than the log holds */
    FNP_RECORDED_NOT,     /* no log: the code cannot be copied, or the worker died */
};

struct fnp_log {
    enum fnp_recorded ended;
    const char *why;     /* what ended it; NULL with ALL */
    uint64_t at;         /* the instruction that `why` is of; 0: it is of none */
    const void *records; /* struct fnp_log64 or, is32, fnp_log32; until the next run */
    size_t count;
    bool is32;
    uint64_t span;  /* added to a record's `at` it gives an address */
    uint64_t after; /* ALL: rcx behind the last instruction, which may be repeated */
};

struct fnp_recorder;

/* Maps the recorder's memory; before the pool is opened.  One at a time. */
enum fnp_status fnp_recorder_open(struct fnp_arena *arena, struct fnp_recorder **out,
                                  struct fnp_err *err);

/* Gives back what was made for the last kernel. */
void fnp_recorder_close(struct fnp_recorder *r);

/* What the pool has to know of it. */
void fnp_recorder_join(struct fnp_recorder *r, struct fnp_pool_config *config);

/* Record kernel `index` of the pool from now on; what was made for the last one goes. */
void fnp_recorder_aim(struct fnp_recorder *r, const struct fnp_kernel *kernel,
                      size_t index, enum fnp_translation_mode mode);

/*
 * Run one case as fnp_pool_run does, in the copy.  False when it did not run to an end
 * (see log->ended); then the outcome says nothing about the kernel, unless that was
 * SYSCALL.  Else it is what the kernel itself would leave: its own addresses in a fault.
 */
bool fnp_recorder_run(struct fnp_recorder *r, struct fnp_pool *pool,
                      const struct fnp_case *c, unsigned flags,
                      struct fnp_outcome *outcome, struct fnp_log *log);

/* Begin the log anew, for whoever runs the copy without a pool. */
void fnp_recorder_rewind(struct fnp_recorder *r);

/* The copy in use, for its blocks. */
const struct fnp_translation *fnp_recorder_translation(const struct fnp_recorder *r);
/* Its coverage bytes, by block, as the runs so far set them (FNP_TRANSLATE_COVER). */
uint8_t *fnp_recorder_cover(const struct fnp_recorder *r);

/*
 * Record i of a log: the address, and the registers in the order of their numbers; or
 * only the mask of the instruction that the next record is of.
 */
struct fnp_record {
    bool is_mask;
    uint64_t addr;
    uint64_t gpr[FNP_N_GPRS]; /* those that 32-bit code has, else 0 */
    uint64_t flags;           /* FNP_FLAG_*: the status flags */
    uint8_t mask[32];         /* is_mask: the register, as far as it goes */
};
void fnp_log_read(const struct fnp_log *log, size_t i, struct fnp_record *out);

#endif
