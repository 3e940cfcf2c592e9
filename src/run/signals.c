/* SPDX-License-Identifier: MIT */
/*
 * A handler reads one gate, stores into a static record, and leaves.  Machine state
 * at the fault comes from the ucontext: the kernel has already reset DF, MXCSR and
 * the x87 unit for the handler itself (found by experiment, and in
 * arch/x86/kernel/fpu/signal.c).
 */
#include "run/signals.h"

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/time.h>
#include <ucontext.h>

#include "run/alias.h"
#include "run/context.h"
#include "run/gate.h"
#include "run/outcome.h"
#include "run/raw.h"
#include "subject/image.h"

#ifndef PR_SET_SYSCALL_USER_DISPATCH
# define PR_SET_SYSCALL_USER_DISPATCH 59
#endif
#ifndef SYS_USER_DISPATCH
# define SYS_USER_DISPATCH 2
#endif

enum {
    SA_RESTORER_FLAG = 0x04000000,
    SYSCALL_INSN_LEN = 2, /* syscall, sysenter and int $0x80 alike */
    PAGE_FAULT = 14,      /* Intel SDM vol. 3, 6.15 */
    PAGE_FAULT_WRITE = 2, /* error code bits, vol. 3, 4.7 */
    PAGE_FAULT_FETCH = 16,
};

void fnp_signal_entry(int sig, siginfo_t *info, void *ucontext);
void fnp_signal_return(void);
void fnp_signal_handle(int sig, siginfo_t *info, void *ucontext);

static const int gpr_of_ucontext[FNP_N_GPRS] = {
    REG_RAX, REG_RCX, REG_RDX, REG_RBX, REG_RSP, REG_RBP, REG_RSI, REG_RDI,
    REG_R8,  REG_R9,  REG_R10, REG_R11, REG_R12, REG_R13, REG_R14, REG_R15,
};

static bool in_trampoline(uint64_t rip)
{
    return (rip >= (uint64_t)(uintptr_t)fnp_trampoline_start &&
            rip < (uint64_t)(uintptr_t)fnp_trampoline_end) ||
           fnp_gate_holds(rip);
}

static void record(int sig, const siginfo_t *info, const greg_t *gregs)
{
    struct fnp_context *ctx = &fnp_context;

    for (unsigned i = 0; i < FNP_N_GPRS; i++)
        ctx->out_gpr[i] = (uint64_t)gregs[gpr_of_ucontext[i]];
    ctx->out_rflags = (uint64_t)gregs[REG_EFL];
    ctx->signal.sig = sig;
    ctx->signal.code = info->si_code;
    ctx->signal.rip = (uint64_t)gregs[REG_RIP];
    ctx->signal.addr = (uint64_t)(uintptr_t)info->si_addr;
    ctx->signal.trapno = (uint64_t)gregs[REG_TRAPNO];
    ctx->signal.access = FNP_ACCESS_UNKNOWN;
    if (gregs[REG_TRAPNO] == PAGE_FAULT) {
        uint64_t code = (uint64_t)gregs[REG_ERR];

        ctx->signal.access = code & PAGE_FAULT_FETCH   ? FNP_ACCESS_EXEC
                             : code & PAGE_FAULT_WRITE ? FNP_ACCESS_WRITE
                                                       : FNP_ACCESS_READ;
    }
}

/* True when the case has used up its time. */
static bool tick(void)
{
    struct fnp_context *ctx = &fnp_context;

    if (ctx->sequence != ctx->seen_sequence) {
        ctx->seen_sequence = ctx->sequence;
        ctx->ticks = 0;
        return false;
    }
    return ctx->ticks_limit && ++ctx->ticks >= ctx->ticks_limit;
}

/* A fault that is not a kernel's: nobody can go on, the supervisor sees the status. */
static void give_up(int sig)
{
    fnp_context.selector = 0;
    fnp_raw3(SYS_exit_group, 128 + sig, 0, 0);
}

void fnp_signal_handle(int sig, siginfo_t *info, void *ucontext)
{
    greg_t *gregs = ((ucontext_t *)ucontext)->uc_mcontext.gregs;
    struct fnp_context *ctx = &fnp_context;
    uint64_t rip = (uint64_t)gregs[REG_RIP];
    uint32_t end = FNP_END_FAULT;

    if (sig == SIGVTALRM) {
        if (!tick() || !ctx->armed || in_trampoline(rip))
            return;
        end = FNP_END_HANG;
    } else if (!ctx->armed) {
        give_up(sig);
    } else if (sig == SIGTRAP && in_trampoline(rip)) {
        /* The single step after a return with TF set; it is told with the flags. */
        gregs[REG_EFL] &= ~(greg_t)FNP_FLAG_TF;
        ctx->trap_flag = 1;
        return;
    } else if (sig == SIGSEGV && gregs[REG_TRAPNO] == PAGE_FAULT &&
               fnp_alias_fault((uint64_t)gregs[REG_CR2])) {
        return;
    } else if (sig == SIGSYS) {
        end = FNP_END_SYSCALL;
    }
    record(sig, info, gregs);
    /* Ours is sound: what faults in it is what the kernel left (protection keys ...). */
    if (in_trampoline(rip))
        ctx->signal.access = FNP_ACCESS_UNKNOWN;
    if (end == FNP_END_SYSCALL) {
        ctx->signal.rip = rip - SYSCALL_INSN_LEN;
        ctx->signal.addr = (uint64_t)info->si_syscall;
    }
    ctx->signal.ended = end + 1;
    ctx->armed = 0;
    fnp_escape();
}

/* The layout the system call wants, not libc's. */
struct kernel_sigaction {
    void (*handler)(int, siginfo_t *, void *);
    unsigned long flags;
    void (*restorer)(void);
    unsigned long mask;
};

static bool install(int sig)
{
    const struct kernel_sigaction action = {
        .handler = fnp_signal_entry,
        .flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER | SA_RESTORER_FLAG,
        .restorer = fnp_signal_return,
    };

    return fnp_raw6(SYS_rt_sigaction, sig, (long)&action, 0, 8, 0, 0) == 0;
}

/* The kernel's code may not make system calls; everything else of this process may. */
static bool fence_seccomp(void)
{
    /* Images lie in one 512 MiB range each, so the upper address bits tell them. */
    enum {
        RIP_LOW = 8,
        RIP_HIGH = 12
    };
    const uint32_t high = (uint32_t)(FNP_IMAGE_HIGH >> 32);
    struct sock_filter code[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, RIP_HIGH),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, high, 2, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0, 1, 0),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, RIP_LOW),
        BPF_STMT(BPF_ALU | BPF_AND | BPF_K, ~(2 * FNP_IMAGE_SPAN - 1)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)FNP_IMAGE_HIGH, 2, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)FNP_IMAGE_LOW, 1, 0),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRAP),
    };
    struct sock_fprog program = { .len = FNP_ARRAY_LEN(code), .filter = code };

    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
           prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

static enum fnp_fence raise_fence(void)
{
    const char *forced = getenv("FENCEPOST_FENCE"); /* for tests of the second way */
    size_t len = (size_t)(fnp_trampoline_end - fnp_trampoline_start);

    if ((!forced || strcmp(forced, "seccomp") != 0) &&
        prctl(PR_SET_SYSCALL_USER_DISPATCH, 1, fnp_trampoline_start, len,
              &fnp_context.selector) == 0)
        return FNP_FENCE_DISPATCH;
    return fence_seccomp() ? FNP_FENCE_SECCOMP : FNP_FENCE_NONE;
}

static bool set_timer(long ms)
{
    struct itimerval timer = { .it_interval = { .tv_usec = ms * 1000 },
                               .it_value = { .tv_usec = ms * 1000 } };

    return setitimer(ITIMER_VIRTUAL, &timer, NULL) == 0;
}

void fnp_signals_stop_timer(void)
{
    set_timer(0);
}

enum fnp_status fnp_signals_install(unsigned hang_ms, enum fnp_fence *fence,
                                    struct fnp_err *err)
{
    static const int signals[] = { SIGSEGV, SIGBUS, SIGILL,   SIGFPE,
                                   SIGTRAP, SIGSYS, SIGVTALRM };
    enum {
        ALT_STACK_LEN = 256 * 1024
    };
    stack_t stack = { .ss_size = ALT_STACK_LEN };
    sigset_t none;

    stack.ss_sp = mmap(NULL, ALT_STACK_LEN, PROT_READ | PROT_WRITE,
                       MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (stack.ss_sp == MAP_FAILED || sigaltstack(&stack, NULL) != 0)
        return fnp_err_set(err, FNP_FAILED, "cannot set up a signal stack");
    for (size_t i = 0; i < FNP_ARRAY_LEN(signals); i++) {
        if (!install(signals[i]))
            return fnp_err_set(err, FNP_FAILED, "cannot handle signal %d", signals[i]);
    }
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    fnp_context.ticks_limit = hang_ms ? hang_ms / FNP_TICK_MS + 1 : 0;
    if (!set_timer(FNP_TICK_MS))
        return fnp_err_set(err, FNP_FAILED, "cannot start a timer");
    *fence = raise_fence();
    return FNP_OK;
}
