/* SPDX-License-Identifier: MIT */
#include "verify/self/recorded.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "run/context.h"
#include "run/lab.h"
#include "verify/self/single_steps.h"

enum {
    ALL_STEPS = 8000,
    TRIES = 400, /* of a plan, to find cases */
    LONGEST = 2048,
    LOST = 40, /* exit status of a child whose stacks differ */
};

/* ---- set up */

static bool generate(void *arg, size_t kernel, uint64_t i, struct fnp_case *out)
{
    return fnp_plan_case(&((const struct recorded *)arg)->plans[kernel], i, out);
}

static bool screen(void *arg, size_t kernel, uint64_t ignore,
                   const struct fnp_outcome *o)
{
    (void)arg, (void)kernel, (void)ignore, (void)o;
    return false;
}

void recorded_open(struct recorded *r, const struct fnp_request *request)
{
    struct fnp_err err = { "" };

    *r = (struct recorded){ .most_steps = ALL_STEPS };
    if (fnp_kernels_resolve(&r->arena, request, &r->kernels, &err) ||
        fnp_recorder_open(&r->arena, &r->recorder, &err))
        fnp_die("%s", err.text);
    r->plans = fnp_arena_array(&r->arena, r->kernels.count, sizeof(*r->plans));
    for (size_t i = 0; i < r->kernels.count; i++)
        fnp_plan_make(&r->arena, &r->kernels.list[i], 1, FNP_BUDGET_QUICK,
                      &r->plans[i]);
    r->config = (struct fnp_pool_config){ .jobs = 1,
                                          .generate = generate,
                                          .screen = screen,
                                          .arg = r,
                                          .kernels = r->kernels.list,
                                          .n_kernels = r->kernels.count };
    fnp_recorder_join(r->recorder, &r->config);
    if (fnp_pool_open(&r->config, &r->pool, &err))
        fnp_die("%s", err.text);
}

void recorded_close(struct recorded *r)
{
    fnp_pool_close(r->pool);
    fnp_recorder_close(r->recorder);
    fnp_arena_release(&r->arena);
}

void recorded_aim(struct recorded *r, size_t i)
{
    fnp_recorder_aim(r->recorder, &r->kernels.list[i], i, FNP_TRANSLATE_FULL);
}

size_t recorded_cases(const struct recorded *r, size_t i, struct fnp_case *out,
                      size_t count)
{
    const struct fnp_plan *plan = &r->plans[i];
    size_t n = 0;

    for (uint64_t at = 0; at < plan->count && at < TRIES && n < count; at++) {
        struct fnp_case c;

        if (!fnp_plan_case(plan, at, &c) || c.huge || c.repeat ||
            (plan->contract->has_n &&
             ((n && c.n == out[n - 1].n) || c.n > LONGEST || c.n < n * 40u)))
            continue;
        out[n++] = c;
    }
    return n;
}

/* ---- the same end */

static bool same_diffs(const struct fnp_diff *a, const struct fnp_diff *b, size_t count)
{
    bool same = true;

    for (size_t i = 0; i < count; i++)
        same =
            same && a[i].count == b[i].count &&
            (a[i].count == 0 || (a[i].hash == b[i].hash && a[i].first == b[i].first));
    return same;
}

/* Bytes of buffers, of what is around them, and of the caller's frame. */
static const char *other_bytes(const struct fnp_outcome *a, const struct fnp_outcome *b)
{
    return !same_diffs(a->body, b->body, FNP_MAX_BUFS)         ? "buffers"
           : !same_diffs(a->head, b->head, FNP_MAX_BUFS)       ? "before buffers"
           : !same_diffs(a->tail, b->tail, FNP_MAX_BUFS)       ? "behind buffers"
           : !same_diffs(a->far_off, b->far_off, FNP_MAX_BUFS) ? "far from buffers"
           : !same_diffs(&a->frame, &b->frame, 1)              ? "the caller's frame"
                                                               : NULL;
}

/* A system call has its own idea of rcx and r11 (SDM vol. 2B, SYSCALL). */
static const char *other_registers(const struct fnp_outcome *a,
                                   const struct fnp_outcome *b)
{
    /* SYSENTER comes back from somewhere else, with other registers. */
    if (a->end == FNP_END_SYSCALL && a->fault.rip != b->fault.rip)
        return NULL;
    for (unsigned i = 0; i < FNP_N_GPRS; i++) {
        if (a->end == FNP_END_SYSCALL && (i == FNP_RCX || i == FNP_R11))
            continue;
        if (a->out.gpr[i] != b->out.gpr[i])
            return fnp_gpr_names[i];
    }
    return NULL;
}

static const char *other_fault(const struct fnp_fault *a, const struct fnp_fault *b)
{
    if (a->sig == SIGSYS)
        return a->addr != b->addr ? "system call" : NULL;
    return a->sig != b->sig         ? "signal"
           : a->rip != b->rip       ? "instruction"
           : a->addr != b->addr     ? "address"
           : a->access != b->access ? "access"
           : a->region != b->region ? "region"
           : a->by_ret != b->by_ret ? "a return that went astray"
                                    : NULL;
}

/* x87 pointers, which tell where the copy is, are not part of an outcome. */
static const char *other_state(const struct fnp_state *a, const struct fnp_state *b)
{
    return a->rflags != b->rflags                                     ? "flags"
           : a->mxcsr != b->mxcsr                                     ? "mxcsr"
           : a->fcw != b->fcw || a->fsw != b->fsw || a->ftw != b->ftw ? "x87 words"
           : memcmp(a->st, b->st, sizeof(a->st)) != 0                 ? "x87 or MMX"
           : memcmp(a->xmm, b->xmm, sizeof(a->xmm)) != 0              ? "xmm"
           : memcmp(a->ymm_high, b->ymm_high, sizeof(a->ymm_high))    ? "ymm"
           : a->fs_base != b->fs_base || a->gs_base != b->gs_base     ? "segment bases"
           : a->ds != b->ds || a->es != b->es || a->fs != b->fs       ? "selectors"
                                                                      : NULL;
}

static const char *other_end(const struct fnp_outcome *a, const struct fnp_outcome *b)
{
    const char *in = NULL;

    if (a->end != b->end)
        return "the end";
    if (a->end == FNP_END_FAULT || a->end == FNP_END_SYSCALL)
        in = other_fault(&a->fault, &b->fault);
    if (!in)
        in = other_registers(a, b);
    if (!in && a->end == FNP_END_RETURNED)
        in = other_state(&a->out, &b->out);
    return in ? in : other_bytes(a, b);
}

/* ---- the same steps */

static bool is_step(const struct fnp_record *record, const struct single_step *s,
                    bool is32)
{
    bool same = record->addr == s->addr && record->flags == s->flags;

    for (unsigned i = 0; i < (is32 ? FNP_N_GPRS_32 : FNP_N_GPRS); i++)
        same = same && record->gpr[i] == (is32 ? (uint32_t)s->gpr[i] : s->gpr[i]);
    return same;
}

static bool same_steps(struct recorded *r, const struct fnp_kernel *k,
                       const struct fnp_case *c, char why[RECORDED_WHY])
{
    static struct single_step steps[ALL_STEPS];
    size_t n = single_steps(k, c, steps, r->most_steps), i = 0, at = 0;

    for (; at < r->log.count && i < n; at++) {
        struct fnp_record record;

        fnp_log_read(&r->log, at, &record);
        if (record.is_mask)
            continue;
        if (!is_step(&record, &steps[i], r->log.is32)) {
            snprintf(why, RECORDED_WHY, "step %zu of %zu: recorded %llx, stepped %llx",
                     i, n, (unsigned long long)record.addr,
                     (unsigned long long)steps[i].addr);
            return false;
        }
        i++;
    }
    r->n_steps += i;
    snprintf(why, RECORDED_WHY, "%zu steps, %zu records", n, r->log.count);
    if (at < r->log.count)
        return n == r->most_steps;
    /* Nothing is sealed in the child, so it may go on where a worker faults. */
    return n > 0 && (i == n || r->native.end == FNP_END_FAULT);
}

/* ---- the same stack */

static struct fnp_lab lab;

/* The lab makes the frame and what is right below it. */
static void fill_stack(void)
{
    uint64_t end = fnp_context.in_gpr[FNP_RSP] - FNP_BELOW_LEN;

    if (end > lab.stack && end - lab.stack < FNP_STACK_LEN)
        memset((void *)(uintptr_t)lab.stack, 0x5a, end - lab.stack);
}

/* Is it part of an x87 instruction pointer, which must be of the copy? */
static bool is_pointer(const struct recorded *r, const unsigned char *stack, size_t i)
{
    const struct fnp_pool_region *code = r->config.regions;

    for (size_t at = i < 3 ? 0 : i - 3; at <= i; at++) {
        uint32_t word = 0;

        memcpy(&word, stack + at, sizeof(word));
        for (size_t k = 0; k < r->config.n_regions; k++) {
            if (word - (uint32_t)(uintptr_t)code[k].addr < code[k].len)
                return true;
        }
    }
    return false;
}

_Noreturn static void stack_child(const struct recorded *r, const struct fnp_kernel *k,
                                  const struct fnp_case *c)
{
    static unsigned char native[FNP_STACK_LEN + 8];
    static struct fnp_outcome outcome;
    struct fnp_err err = { "" };
    const unsigned char *stack;

    for (size_t i = 0; i < r->config.n_regions; i++)
        mprotect(r->config.regions[i].addr, r->config.regions[i].len,
                 r->config.regions[i].prot);
    if (fnp_lab_open(&lab, 60, &err) != FNP_OK)
        _exit(4);
    lab.before_call = fill_stack;
    fnp_lab_load(&lab, k);
    stack = (const unsigned char *)(uintptr_t)lab.stack;
    fnp_lab_run(&lab, c, FNP_MODE_FULL, &outcome);
    memcpy(native, stack, FNP_STACK_LEN);
    fnp_lab_reset_data(&lab);
    fnp_recorder_rewind(r->recorder);
    fnp_lab_enter(&lab, fnp_translation_entry(fnp_recorder_translation(r->recorder)));
    fnp_lab_run(&lab, c, FNP_MODE_FULL, &outcome);
    for (size_t i = 0; i < FNP_STACK_LEN; i++) {
        if (native[i] != stack[i] && !is_pointer(r, stack, i))
            _exit(LOST);
    }
    _exit(0);
}

static bool same_stack(struct recorded *r, const struct fnp_kernel *k,
                       const struct fnp_case *c, char why[RECORDED_WHY])
{
    pid_t pid = fork();
    int status = 0;

    if (pid == 0)
        stack_child(r, k, c);
    waitpid(pid, &status, 0);
    r->n_stacks++;
    snprintf(why, RECORDED_WHY, "another stack: status %x", (unsigned)status);
    return status == 0;
}

enum recorded_answer recorded_try(struct recorded *r, size_t i,
                                  const struct fnp_case *c, unsigned what,
                                  char why[RECORDED_WHY])
{
    const struct fnp_kernel *k = &r->kernels.list[i];
    const char *other;

    why[0] = '\0';
    memset(&r->native, 0, sizeof(r->native));
    memset(&r->copy, 0, sizeof(r->copy));
    fnp_pool_run(r->pool, i, c, 1, FNP_RUN_THOROUGH, &r->native);
    if (!fnp_recorder_run(r->recorder, r->pool, c, FNP_RUN_THOROUGH, &r->copy,
                          &r->log) &&
        r->log.ended != FNP_RECORDED_SYSCALL) {
        snprintf(why, RECORDED_WHY, "%s", r->log.why ? r->log.why : "no reason");
        return RECORDED_NOT;
    }
    other = other_end(&r->native, &r->copy);
    if (other) {
        snprintf(why, RECORDED_WHY,
                 "not the same: %s; ends %d %d, signals %d %d at "
                 "%llx %llx",
                 other, r->native.end, r->copy.end, r->native.fault.sig,
                 r->copy.fault.sig, (unsigned long long)r->native.fault.rip,
                 (unsigned long long)r->copy.fault.rip);
        return RECORDED_DIFFERENT;
    }
    if ((what & RECORDED_STACK) && !same_stack(r, k, c, why))
        return RECORDED_DIFFERENT;
    if ((what & RECORDED_STEPS) && !same_steps(r, k, c, why))
        return RECORDED_DIFFERENT;
    return RECORDED_SAME;
}

/* Does a case's log have this instruction? */
static bool ran(const struct fnp_log *log, uint64_t addr)
{
    for (size_t i = 0; i < log->count; i++) {
        struct fnp_record record;

        fnp_log_read(log, i, &record);
        if (!record.is_mask && record.addr == addr)
            return true;
    }
    return false;
}

bool recorded_cover(struct recorded *r, size_t i, const struct fnp_case *c,
                    char why[RECORDED_WHY])
{
    uint8_t marked[256];
    uint64_t starts[FNP_ARRAY_LEN(marked)];
    const struct fnp_block *blocks;
    size_t n = 0;

    fnp_recorder_aim(r->recorder, &r->kernels.list[i], i, FNP_TRANSLATE_COVER);
    if (!fnp_recorder_run(r->recorder, r->pool, c, 0, &r->copy, &r->log))
        return false;
    blocks = fnp_translation_blocks(fnp_recorder_translation(r->recorder), &n);
    n = n < FNP_ARRAY_LEN(marked) ? n : FNP_ARRAY_LEN(marked);
    memcpy(marked, fnp_recorder_cover(r->recorder), n);
    for (size_t at = 0; at < n; at++)
        starts[at] = blocks[at].start;
    recorded_aim(r, i);
    if (!fnp_recorder_run(r->recorder, r->pool, c, 0, &r->copy, &r->log))
        return false;
    for (size_t at = 0; at < n; at++) {
        if (marked[at] == ran(&r->log, starts[at]))
            continue;
        snprintf(why, RECORDED_WHY, "block %llx: marked %u",
                 (unsigned long long)starts[at], marked[at]);
        return false;
    }
    return true;
}
