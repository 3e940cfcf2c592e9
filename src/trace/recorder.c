/* SPDX-License-Identifier: MIT */
#include "trace/recorder.h"

#include <signal.h>
#include <string.h>
#include <sys/mman.h>

#include "run/context.h"
#include "run/gate.h"
#include "run/lab.h"

enum {
    /* Each is one new target of an indirect branch; far more than a kernel has. */
    MAX_MISSES = 2000
};

static const char damaged[] = "the kernel wrote into the recorder's memory";

struct fnp_recorder {
    struct fnp_cache high, low;
    struct fnp_pool_region regions[4];
    struct fnp_arena scratch; /* what was made for the kernel */
    struct fnp_cache *cache;  /* the one of its width */
    struct fnp_translation *translation;
    const struct fnp_kernel *kernel;
    size_t index;
};

/* A kernel that strays must not change what the next one runs on. */
static void protect(const struct fnp_cache *cache, struct fnp_pool_region out[2])
{
    out[0] =
        (struct fnp_pool_region){ cache->code, FNP_CACHE_CODE, PROT_READ | PROT_EXEC };
    out[1] = (struct fnp_pool_region){ cache->table, fnp_cache_table_len(), PROT_READ };
}

enum fnp_status fnp_recorder_open(struct fnp_arena *arena, struct fnp_recorder **out,
                                  struct fnp_err *err)
{
    struct fnp_recorder *r = fnp_arena_alloc(arena, sizeof(*r));
    enum fnp_status status = fnp_cache_map(&r->high, &r->low, err);

    protect(&r->high, r->regions);
    protect(&r->low, r->regions + 2);
    *out = r;
    return status;
}

void fnp_recorder_close(struct fnp_recorder *r)
{
    fnp_arena_release(&r->scratch);
}

void fnp_recorder_join(struct fnp_recorder *r, struct fnp_pool_config *config)
{
    config->regions = r->regions;
    config->n_regions = FNP_ARRAY_LEN(r->regions);
}

void fnp_recorder_aim(struct fnp_recorder *r, const struct fnp_kernel *kernel,
                      size_t index, enum fnp_translation_mode mode)
{
    const struct fnp_image *image = &kernel->image;

    fnp_arena_release(&r->scratch);
    r->scratch = (struct fnp_arena){ 0 };
    r->cache = image->entry >> 32 ? &r->high : &r->low;
    r->kernel = kernel;
    r->index = index;
    r->translation = fnp_translate(&r->scratch, r->cache, image, mode);
    fnp_translation_let_out(r->translation,
                            image->is32 ? fnp_gate_return(FNP_GATE_KERNEL)
                                        : (uint64_t)(uintptr_t)fnp_return_point);
}

static size_t record_len(bool is32)
{
    return is32 ? sizeof(struct fnp_log32) : sizeof(struct fnp_log64);
}

/* False when the pointer is not where stubs can have left it: the kernel changed it. */
static bool take_log(const struct fnp_recorder *r, struct fnp_log *log)
{
    const struct fnp_image *image = &r->kernel->image;
    size_t len = record_len(image->is32);
    uint64_t used = r->cache->data->log - (uint64_t)(uintptr_t)r->cache->log;

    log->is32 = image->is32;
    log->records = r->cache->log;
    log->count = used <= FNP_CACHE_LOG ? used / len : 0;
    log->span = image->entry & ~(uint64_t)(FNP_IMAGE_SPAN - 1);
    return used <= FNP_CACHE_LOG && used % len == 0;
}

/* Is it in what the guard behind the log keeps? */
static bool in_guard(const struct fnp_recorder *r, uint64_t addr)
{
    return addr - ((uint64_t)(uintptr_t)r->cache->log + FNP_CACHE_LOG) <
           FNP_CACHE_GUARD;
}

/* What made the run end that is none of the kernel's doing. */
static enum fnp_recorded reason(const struct fnp_recorder *r,
                                const struct fnp_outcome *outcome, struct fnp_log *log,
                                enum fnp_stop *stop)
{
    const struct fnp_fault *fault = &outcome->fault;
    struct fnp_stop_at at = { .stop = FNP_STOP_NONE };

    if (outcome->end == FNP_END_FAULT && fault->sig == SIGTRAP)
        at = fnp_translation_stop(r->translation, fault->rip);
    *stop = (enum fnp_stop)at.stop;
    log->why = at.why;
    log->at = at.addr;
    switch (at.stop) {
    case FNP_STOP_REFUSED:
        return FNP_RECORDED_REFUSED;
    case FNP_STOP_SYSCALL:
        return FNP_RECORDED_SYSCALL;
    default:
        break;
    }
    if ((outcome->end == FNP_END_FAULT && fault->sig == SIGSEGV &&
         in_guard(r, fault->addr)) ||
        outcome->end == FNP_END_HANG) {
        log->why = "more instructions than the log holds";
        return FNP_RECORDED_LONG;
    }
    return FNP_RECORDED_ALL;
}

static bool on_stack(const struct fnp_recorder *r, uint64_t addr)
{
    uint64_t stack = r->kernel->image.is32 ? FNP_STACK_LOW : FNP_STACK_BASE;

    return addr - stack <= FNP_STACK_LEN - 8;
}

/*
 * Tell a fault in the copy as one of the kernel: by its own address, with its own
 * registers.  A jump to what is no address faults behind the push or pop of the call or
 * return that it stands for; the CPU does all of it or nothing (SDM vol. 2, CALL, RET).
 */
static void put_back(struct fnp_recorder *r, const struct fnp_log *log,
                     struct fnp_outcome *outcome)
{
    struct fnp_fault *fault = &outcome->fault;
    uint64_t *rsp = &outcome->out.gpr[FNP_RSP];
    struct fnp_origin_of from = fnp_translation_origin(r->translation, fault->rip);
    const struct fnp_effect *e;

    if (from.addr == 0)
        return;
    /* Some signals have the instruction as their address. */
    if (fault->addr == fault->rip)
        fault->addr = from.addr;
    fault->rip = from.addr;
    e = from.has_left ? fnp_translation_effect(r->translation, from.addr) : NULL;
    if (e && e->flow == FNP_FLOW_RET) {
        *rsp -= fnp_word_len(log->is32) + e->pop_len;
        fault->by_ret = on_stack(r, *rsp);
    } else if (e && e->flow == FNP_FLOW_CALL) {
        *rsp += fnp_word_len(log->is32);
    }
}

/* A system call is told as the fence of the workers tells it. */
static void put_syscall(const struct fnp_log *log, struct fnp_outcome *outcome)
{
    outcome->end = FNP_END_SYSCALL;
    outcome->fault = (struct fnp_fault){ .sig = SIGSYS,
                                         .rip = log->at,
                                         .addr = outcome->out.gpr[FNP_RAX] };
}

/* Did the copy end where the kernel ends?  Code that is not known runs as it is. */
static bool is_whole(struct fnp_recorder *r, const struct fnp_log *log,
                     const struct fnp_outcome *outcome)
{
    const struct fnp_effect *e;
    struct fnp_record last;

    if (outcome->end != FNP_END_RETURNED || log->count == 0)
        return true;
    fnp_log_read(log, log->count - 1, &last);
    e = fnp_translation_effect(r->translation, last.addr);
    return e && e->flow != FNP_FLOW_NEXT && !e->is_direct;
}

/* Judge a run that is over; false: it must be repeated, after a miss. */
static bool is_over(struct fnp_recorder *r, struct fnp_outcome *outcome,
                    struct fnp_log *log)
{
    enum fnp_stop stop = FNP_STOP_NONE;

    if (!take_log(r, log)) {
        log->why = damaged;
        return true;
    }
    log->ended = reason(r, outcome, log, &stop);
    if (stop == FNP_STOP_MISS)
        return false;
    /* A stub faults at the guard only, unless what it works with was changed. */
    if (log->ended == FNP_RECORDED_ALL && outcome->end == FNP_END_FAULT &&
        fnp_translation_origin(r->translation, outcome->fault.rip).in_stub) {
        log->ended = FNP_RECORDED_NOT;
        log->why = damaged;
        return true;
    }
    if (log->ended == FNP_RECORDED_SYSCALL)
        put_syscall(log, outcome);
    else if (outcome->end != FNP_END_RETURNED)
        put_back(r, log, outcome);
    if (log->ended == FNP_RECORDED_ALL && !is_whole(r, log, outcome)) {
        log->ended = FNP_RECORDED_NOT;
        log->why = "it runs bytes that are no known instruction";
    }
    log->after = outcome->out.gpr[FNP_RCX];
    fnp_translation_complete(r->translation,
                             outcome->end == FNP_END_RETURNED ? 0 : outcome->fault.rip);
    return true;
}

void fnp_recorder_rewind(struct fnp_recorder *r)
{
    r->cache->data->log = (uint64_t)(uintptr_t)r->cache->log;
}

bool fnp_recorder_run(struct fnp_recorder *r, struct fnp_pool *pool,
                      const struct fnp_case *c, unsigned flags,
                      struct fnp_outcome *outcome, struct fnp_log *log)
{
    *log = (struct fnp_log){ .ended = FNP_RECORDED_NOT };
    for (unsigned misses = 0; misses < MAX_MISSES; misses++) {
        size_t ran;

        fnp_recorder_rewind(r);
        fnp_pool_enter(pool, fnp_translation_entry(r->translation));
        ran = fnp_pool_run(pool, r->index, c, 1, flags, outcome);
        fnp_pool_enter(pool, 0);
        if (ran != 1 || outcome->end == FNP_END_SKIPPED ||
            outcome->end == FNP_END_DIED) {
            log->why = "the worker did not survive it";
            return false;
        }
        if (is_over(r, outcome, log))
            return log->ended == FNP_RECORDED_ALL;
        if (!fnp_translate_more(r->translation))
            break;
    }
    log->ended = FNP_RECORDED_NOT;
    log->why = "two targets of indirect branches cannot be told apart";
    return false;
}

const struct fnp_translation *fnp_recorder_translation(const struct fnp_recorder *r)
{
    return r->translation;
}

uint8_t *fnp_recorder_cover(const struct fnp_recorder *r)
{
    return r->cache->data->cover;
}

/* From what LAHF left in AH and SETO in AL. */
static uint64_t status_flags(uint64_t word)
{
    return (word >> 8 & 0xd5) | (word & 1 ? FNP_FLAG_OF : 0);
}

static void read64(const struct fnp_log64 *record, uint64_t span,
                   struct fnp_record *out)
{
    out->is_mask = record->at & FNP_LOG_MASK;
    if (out->is_mask) {
        memcpy(out->mask, (const char *)record + FNP_LOG_MASK_AT, sizeof(out->mask));
        return;
    }
    out->addr = span + record->at;
    memcpy(out->gpr, record->gpr, sizeof(out->gpr));
    out->flags = status_flags(record->flags);
}

static void read32(const struct fnp_log32 *record, uint64_t span,
                   struct fnp_record *out)
{
    out->is_mask = record->at & FNP_LOG_MASK;
    if (out->is_mask) {
        memcpy(out->mask, (const char *)record + FNP_LOG_MASK_AT, sizeof(out->mask));
        return;
    }
    out->addr = span + record->at;
    for (unsigned i = 0; i < FNP_N_GPRS; i++)
        out->gpr[i] = i < FNP_N_GPRS_32 ? record->gpr[i] : 0;
    out->flags = status_flags(record->flags);
}

void fnp_log_read(const struct fnp_log *log, size_t i, struct fnp_record *out)
{
    const char *at = (const char *)log->records + i * record_len(log->is32);

    if (log->is32)
        read32((const struct fnp_log32 *)(const void *)at, log->span, out);
    else
        read64((const struct fnp_log64 *)(const void *)at, log->span, out);
}
