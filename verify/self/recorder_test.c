/* SPDX-License-Identifier: MIT */
/*
 * recorder_test.c - the recorder against the CPU's own single steps
 *
 * Each kernel runs three times: natively, in the recording copy, and under ptrace, which
 * stops it before every instruction.  The log must show the same instructions with the
 * same registers and flags as the steps, and the copy must leave behind what the kernel
 * does: registers, FP state, buffers, or the same fault.
 */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#include "run/lab.h"
#include "subject/kernel.h"
#include "trace/insns.h"
#include "trace/recorder.h"
#include "verify/plan.h"
#include "verify/self/tap.h"

enum {
    MAX_STEPS = 6000,    /* of one case: more would take a second */
    CASES = 3,           /* of one kernel, with different sizes */
    TRIES = 400,         /* of the plan, to find them */
    LEAST_STEPS = 20000, /* of all together, or the test has seen nothing */
};

static struct fnp_kernels kernels;
static struct fnp_plan *plans;
static uint64_t n_compared;

/* ---- single steps */

struct step {
    uint64_t addr;
    uint64_t gpr[FNP_N_GPRS];
    uint64_t flags;
};

static struct step steps[MAX_STEPS];

static void stop_here(void)
{
    fnp_signals_stop_timer();
    raise(SIGSTOP);
}

_Noreturn static void child(const struct fnp_kernel *k, const struct fnp_case *c)
{
    static struct fnp_lab lab;
    static struct fnp_outcome outcome;
    struct fnp_err err = { "" };

    ptrace(PTRACE_TRACEME, 0, NULL, NULL);
    if (fnp_lab_open(&lab, 0, &err) != FNP_OK)
        _exit(4);
    fnp_lab_load(&lab, k);
    lab.before_call = stop_here;
    fnp_lab_run(&lab, c, FNP_MODE_FULL, &outcome);
    _exit(0);
}

static struct step step_of(const struct user_regs_struct *r)
{
    const unsigned long long gpr[FNP_N_GPRS] = { r->rax, r->rcx, r->rdx, r->rbx,
                                                 r->rsp, r->rbp, r->rsi, r->rdi,
                                                 r->r8,  r->r9,  r->r10, r->r11,
                                                 r->r12, r->r13, r->r14, r->r15 };
    struct step s = { .addr = r->rip, .flags = r->eflags & FNP_FLAGS_STATUS };

    for (unsigned i = 0; i < FNP_N_GPRS; i++)
        s.gpr[i] = gpr[i];
    return s;
}

/* Run to the kernel's first instruction. */
static bool go_to_entry(pid_t pid, uint64_t entry)
{
    int status = 0;
    long word = ptrace(PTRACE_PEEKTEXT, pid, (void *)(uintptr_t)entry, NULL);
    struct user_regs_struct r;

    ptrace(PTRACE_POKETEXT, pid, (void *)(uintptr_t)entry,
           (void *)(uintptr_t)(((uint64_t)word & ~0xffull) | 0xcc));
    ptrace(PTRACE_CONT, pid, NULL, NULL);
    if (waitpid(pid, &status, 0) != pid || !WIFSTOPPED(status) ||
        WSTOPSIG(status) != SIGTRAP)
        return false;
    ptrace(PTRACE_POKETEXT, pid, (void *)(uintptr_t)entry, (void *)(uintptr_t)word);
    ptrace(PTRACE_GETREGS, pid, NULL, &r);
    r.rip = entry;
    ptrace(PTRACE_SETREGS, pid, NULL, &r);
    return true;
}

static bool in_image(const struct fnp_image *image, uint64_t addr)
{
    return fnp_insns_code(image, addr).len != 0;
}

/* The steps of one case; a repeated string instruction is one. */
static size_t step_through(const struct fnp_kernel *k, const struct fnp_case *c)
{
    pid_t pid = fork();
    int status = 0;
    size_t n = 0;

    if (pid == 0)
        child(k, c);
    if (waitpid(pid, &status, 0) != pid || !WIFSTOPPED(status) ||
        !go_to_entry(pid, k->image.entry))
        fnp_die("%s: cannot be stepped through", k->name);
    for (;;) {
        struct user_regs_struct r;

        ptrace(PTRACE_GETREGS, pid, NULL, &r);
        if (!in_image(&k->image, r.rip) || n == MAX_STEPS)
            break;
        if (n == 0 || steps[n - 1].addr != r.rip || steps[n - 1].gpr[FNP_RCX] < r.rcx)
            steps[n++] = step_of(&r);
        ptrace(PTRACE_SINGLESTEP, pid, NULL, NULL);
        if (waitpid(pid, &status, 0) != pid || !WIFSTOPPED(status) ||
            WSTOPSIG(status) != SIGTRAP)
            break;
    }
    kill(pid, SIGKILL);
    waitpid(pid, &status, 0);
    return n;
}

/* ---- comparison */

static bool is_step(const struct fnp_record *record, const struct step *s, bool is32)
{
    bool same = record->addr == s->addr && record->flags == s->flags;

    for (unsigned i = 0; i < (is32 ? FNP_N_GPRS_32 : FNP_N_GPRS); i++)
        same = same && record->gpr[i] == (is32 ? (uint32_t)s->gpr[i] : s->gpr[i]);
    return same;
}

static bool same_steps(const struct fnp_kernel *k, const struct fnp_case *c,
                       const struct fnp_log *log, char why[200])
{
    size_t n = step_through(k, c), i = 0;

    for (size_t at = 0; at < log->count && i < n; at++) {
        struct fnp_record record;

        fnp_log_read(log, at, &record);
        if (record.is_mask)
            continue;
        if (!is_step(&record, &steps[i], log->is32)) {
            snprintf(why, 200, "step %zu of %zu: recorded %llx, stepped %llx", i, n,
                     (unsigned long long)record.addr,
                     (unsigned long long)steps[i].addr);
            return false;
        }
        i++;
    }
    n_compared += i;
    snprintf(why, 200, "%zu steps, %zu records", n, log->count);
    return i == n && n > 0;
}

/* x87 pointers tell where the last instruction was, which is in the copy. */
static bool same_end(const struct fnp_outcome *a, const struct fnp_outcome *b)
{
    const struct fnp_state *x = &a->out, *y = &b->out;

    if (a->end != b->end || a->fault.sig != b->fault.sig)
        return false;
    if (a->end == FNP_END_FAULT)
        return a->fault.addr == b->fault.addr &&
               !memcmp(x->gpr, y->gpr, sizeof(x->gpr));
    return !memcmp(x->gpr, y->gpr, sizeof(x->gpr)) && x->rflags == y->rflags &&
           x->mxcsr == y->mxcsr && x->fcw == y->fcw && x->fsw == y->fsw &&
           x->ftw == y->ftw && !memcmp(x->st, y->st, sizeof(x->st)) &&
           !memcmp(x->xmm, y->xmm, sizeof(x->xmm)) &&
           !memcmp(x->ymm_high, y->ymm_high, sizeof(x->ymm_high)) &&
           !memcmp(a->body, b->body, sizeof(a->body)) &&
           a->frame.count == b->frame.count;
}

/* ---- kernels */

static bool generate(void *arg, size_t kernel, uint64_t i, struct fnp_case *out)
{
    (void)arg;
    return fnp_plan_case(&plans[kernel], i, out);
}

static bool screen(void *arg, size_t kernel, uint64_t ignore,
                   const struct fnp_outcome *o)
{
    (void)arg, (void)kernel, (void)ignore, (void)o;
    return false;
}

static bool try_case(struct fnp_recorder *r, struct fnp_pool *pool, size_t i,
                     const struct fnp_case *c, char why[200])
{
    static struct fnp_outcome native, recorded;
    const struct fnp_kernel *k = &kernels.list[i];
    struct fnp_log log;

    why[0] = '\0';
    if (fnp_pool_run(pool, i, c, 1, 0, &native) != 1)
        return false;
    if (!fnp_recorder_run(r, pool, c, 0, &recorded, &log)) {
        snprintf(why, 200, "not recorded: %d %s", (int)log.ended,
                 log.why ? log.why : "");
        return false;
    }
    if (!same_end(&native, &recorded)) {
        snprintf(why, 200, "another end: %d %d, rip %llx", native.end, recorded.end,
                 (unsigned long long)recorded.fault.rip);
        return false;
    }
    return log.count > MAX_STEPS || same_steps(k, c, &log, why);
}

static void test_kernel(struct fnp_recorder *r, struct fnp_pool *pool, size_t i)
{
    const struct fnp_kernel *k = &kernels.list[i];
    uint64_t last_n = UINT64_MAX;
    unsigned n = 0;
    bool ok = true;
    char why[200] = "", text[200];

    fnp_recorder_aim(r, k, i, FNP_TRANSLATE_FULL);
    for (uint64_t at = 0; at < plans[i].count && at < TRIES && n < CASES && ok; at++) {
        struct fnp_case c;

        if (!fnp_plan_case(&plans[i], at, &c) || c.huge || c.repeat ||
            (k->contract.has_n && (c.n == last_n || c.n > 2048 || c.n < n * 40u)))
            continue;
        last_n = c.n;
        n++;
        ok = try_case(r, pool, i, &c, why);
        struct fnp_str s = fnp_str_over(text, sizeof(text));
        fnp_case_text(&c, true, &s);
    }
    tap_ok(ok && n > 0, "%s: %u cases%s%s %s", k->name, n, ok ? "" : ", last ",
           ok ? "" : text, ok ? "" : why);
}

int main(void)
{
    struct fnp_arena arena = { 0 };
    struct fnp_err err = { "" };
    struct fnp_recorder *r;
    struct fnp_pool *pool;
    struct fnp_request request = { .builtin = true };
    struct fnp_pool_config config = { .jobs = 1,
                                      .generate = generate,
                                      .screen = screen };

    if (fnp_kernels_resolve(&arena, &request, &kernels, &err) ||
        fnp_recorder_open(&arena, &r, &err))
        fnp_die("%s", err.text);
    plans = fnp_arena_array(&arena, kernels.count, sizeof(*plans));
    for (size_t i = 0; i < kernels.count; i++)
        fnp_plan_make(&arena, &kernels.list[i], 1, FNP_BUDGET_QUICK, &plans[i]);
    config.kernels = kernels.list;
    config.n_kernels = kernels.count;
    fnp_recorder_join(r, &config);
    if (fnp_pool_open(&config, &pool, &err))
        fnp_die("%s", err.text);
    for (size_t i = 0; i < kernels.count; i++) {
        if (!kernels.list[i].missing && !kernels.list[i].equal_to)
            test_kernel(r, pool, i);
    }
    fnp_pool_close(pool);
    tap_ok(n_compared >= LEAST_STEPS, "%llu steps compared",
           (unsigned long long)n_compared);
    return tap_done();
}
