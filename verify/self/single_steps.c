/* SPDX-License-Identifier: MIT */
#include "verify/self/single_steps.h"

#include <signal.h>
#include <sys/ptrace.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#include "run/lab.h"
#include "trace/insns.h"

enum {
    /* The rounds of a repeated instruction with a wild count would take minutes. */
    MOST_STOPS = 12000
};

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

static struct single_step step_of(const struct user_regs_struct *r)
{
    const unsigned long long gpr[FNP_N_GPRS] = { r->rax, r->rcx, r->rdx, r->rbx,
                                                 r->rsp, r->rbp, r->rsi, r->rdi,
                                                 r->r8,  r->r9,  r->r10, r->r11,
                                                 r->r12, r->r13, r->r14, r->r15 };
    struct single_step s = { .addr = r->rip, .flags = r->eflags & FNP_FLAGS_STATUS };

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

/* One step; false: the kernel's part is over. */
static bool take(pid_t pid, struct fnp_insns *insns, struct single_step *out, size_t *n)
{
    struct user_regs_struct r;
    const struct fnp_effect *e;
    bool again;

    ptrace(PTRACE_GETREGS, pid, NULL, &r);
    e = fnp_insns_at(insns, r.rip);
    if (!e)
        return false;
    /* The CPU stops before each round of a repeated instruction. */
    again = *n && e->rep && out[*n - 1].addr == r.rip;
    if (again && out[*n - 1].gpr[FNP_RCX] < r.rcx)
        again = false;
    if (!again)
        out[(*n)++] = step_of(&r);
    return e->flow != FNP_FLOW_TRAP && e->flow != FNP_FLOW_SYSCALL;
}

size_t single_steps(const struct fnp_kernel *k, const struct fnp_case *c,
                    struct single_step *out, size_t most)
{
    struct fnp_arena arena = { 0 };
    struct fnp_insns insns = { .arena = &arena, .image = &k->image };
    pid_t pid = fork();
    int status = 0;
    size_t n = 0;

    if (pid == 0)
        child(k, c);
    if (waitpid(pid, &status, 0) != pid || !WIFSTOPPED(status) ||
        !go_to_entry(pid, k->image.entry))
        fnp_die("%s: cannot be stepped through", k->name);
    for (size_t stops = 0; n < most && stops < MOST_STOPS && take(pid, &insns, out, &n);
         stops++) {
        ptrace(PTRACE_SINGLESTEP, pid, NULL, NULL);
        if (waitpid(pid, &status, 0) != pid || !WIFSTOPPED(status) ||
            WSTOPSIG(status) != SIGTRAP)
            break;
    }
    kill(pid, SIGKILL);
    waitpid(pid, &status, 0);
    fnp_arena_release(&arena);
    return n;
}
