/* SPDX-License-Identifier: MIT */
/*
 * trace_bench.c - what recording costs, against native runs and single steps
 *
 * Each built-in kernel moves 4096 bytes natively, in the recording copy (a record before
 * each instruction), in the counting copy (a byte for each block), under the trap flag
 * and under ptrace; what the way into a kernel costs is taken off.  All figures come
 * from one process, taking turns, the best of several rounds: only ratios mean anything
 * on a shared machine.  Kernels whose time is that of single slow instructions are kept
 * apart.
 */
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

#include "base/clock.h"
#include "run/context.h"
#include "run/gate.h"
#include "run/lab.h"
#include "run/start.h"
#include "trace/footprint.h"
#include "trace/recorder.h"
#include "verify/check_trace.h"
#include "verify/plan.h"

enum {
    LEN = 4096,
    CALLS = 200, /* between two looks at the clock */
    ROUNDS = 15,
    STEPS = 400, /* single steps of one kernel: they are all alike */
    ALT_STACK = 64 * 1024,
    TOOLS = 64, /* bytes at the end of the code for what is measured besides */
    FSAVE_LEN = 94,
    MAX_KERNELS = 512,
};

/* Goals of the issue that asked for the recorder. */
static const double goal_added_ns = 20, goal_rate = 50, goal_steps = 500,
                    goal_cover = 1.3, goal_worst_cover = 2.2;

enum kind {
    PLAIN,
    REP,
    FSAVE,
    MASKMOV,
    N_KINDS
};
static const char *const kind_names[N_KINDS] = { "plain", "rep", "fsave", "maskmov" };

/* Seconds, of one call or one step. */
struct figures {
    const char *name;
    enum kind kind;
    size_t insns;
    double native, full, cover, trap_step, ptrace_step, walk;
};

static struct fnp_lab lab;
static struct fnp_cache high, low, *cache;
static struct fnp_translation *translation;
static struct fnp_outcome outcome;
static struct fnp_case the_case;
static struct figures all[MAX_KERNELS];
static size_t n_all;

/* ---- signals */

static struct {
    bool stepping;
    size_t steps;
} trap;

static bool in_kernel(uint64_t addr)
{
    return fnp_insns_code(&lab.kernel->image, addr).len != 0;
}

/* A single step, or a miss in the copy. */
static void on_trap(int sig, siginfo_t *info, void *context)
{
    greg_t *gregs = ((ucontext_t *)context)->uc_mcontext.gregs;

    (void)sig, (void)info;
    if (!trap.stepping) {
        fnp_context.signal.ended = 1;
        fnp_escape();
    }
    trap.steps += in_kernel((uint64_t)gregs[REG_RIP]);
    if (trap.steps == STEPS || gregs[REG_RIP] == (greg_t)(uintptr_t)fnp_return_point ||
        fnp_gate_holds((uint64_t)gregs[REG_RIP]))
        gregs[REG_EFL] &= ~(greg_t)FNP_FLAG_TF;
}

static void catch_traps(void)
{
    static char stack[ALT_STACK];
    const stack_t alt = { .ss_sp = stack, .ss_size = sizeof(stack) };
    const struct sigaction action = { .sa_sigaction = on_trap,
                                      .sa_flags =
                                          SA_SIGINFO | SA_ONSTACK | SA_NODEFER };

    sigaltstack(&alt, NULL);
    sigaction(SIGTRAP, &action, NULL);
}

/* ---- calls */

static void enter(uint64_t entry)
{
    fnp_context.entry = entry;
    if (fnp_context.is32)
        fnp_gate_aim(FNP_GATE_KERNEL, entry);
}

static void call(void)
{
    cache->data->log = (uint64_t)(uintptr_t)cache->log;
    fnp_context.signal.ended = 0;
    fnp_context.armed = 1;
    fnp_trampoline();
    fnp_context.armed = 0;
}

/* Seconds of one call of what is at entry. */
static double call_time(uint64_t entry)
{
    enter(entry);
    call();
    double start = fnp_now();

    for (unsigned i = 0; i < CALLS; i++)
        call();
    return (fnp_now() - start) / (double)CALLS;
}

static double least(double a, double b)
{
    return a < b ? a : b;
}

/* ---- the copy */

static unsigned char *tools(void)
{
    return cache->code + FNP_CACHE_CODE - TOOLS;
}

static uint64_t empty_function(void)
{
    return (uint64_t)(uintptr_t)tools();
}

static uint64_t stepping_function(void)
{
    return (uint64_t)(uintptr_t)tools() + 16;
}

/* ret; and pushf; orl $TF,(%esp); popf; jmp entry: the same bytes in both widths. */
static void write_tools(uint64_t entry)
{
    const unsigned char set_tf[] = { 0x9c, 0x81, 0x0c, 0x24, 0, 1, 0, 0, 0x9d, 0xe9 };
    unsigned char *at = tools() + 16;
    uint32_t distance = (uint32_t)(entry - ((uint64_t)(uintptr_t)at + sizeof(set_tf) +
                                            sizeof(distance)));

    tools()[0] = 0xc3;
    memcpy(at, set_tf, sizeof(set_tf));
    memcpy(at + sizeof(set_tf), &distance, sizeof(distance));
}

static void let_run(bool run)
{
    if (mprotect(cache->code, FNP_CACHE_CODE,
                 PROT_READ | (run ? PROT_EXEC : PROT_WRITE)))
        fnp_die("bench-trace: cannot protect the recorder's memory");
}

/* Make a copy and everything that the case reaches in it. */
static void translate(struct fnp_arena *arena, enum fnp_translation_mode mode)
{
    const struct fnp_image *image = &lab.kernel->image;

    let_run(false);
    translation = fnp_translate(arena, cache, image, mode);
    fnp_translation_let_out(translation, image->is32
                                             ? fnp_gate_return(FNP_GATE_KERNEL)
                                             : (uint64_t)(uintptr_t)fnp_return_point);
    write_tools(image->entry);
    for (;;) {
        let_run(true);
        enter(fnp_translation_entry(translation));
        call();
        if (!fnp_context.signal.ended)
            return;
        let_run(false);
        if (!fnp_translate_more(translation))
            fnp_die("bench-trace: %s cannot be copied", lab.kernel->name);
    }
}

static void time_copy(double *copy, double *native)
{
    double empty = 1, other = 1, own = 1;

    for (unsigned i = 0; i < ROUNDS; i++) {
        empty = least(empty, call_time(empty_function()));
        own = least(own, call_time(lab.kernel->image.entry));
        other = least(other, call_time(fnp_translation_entry(translation)));
    }
    *copy = other - empty;
    *native = own - empty;
}

/* ---- what a record costs to look at */

static enum kind kind_of(struct fnp_insns *insns, const struct fnp_log *log)
{
    enum kind kind = PLAIN;

    for (size_t i = 0; i < log->count; i++) {
        struct fnp_record record;
        const struct fnp_effect *e;

        fnp_log_read(log, i, &record);
        if (record.is_mask)
            return MASKMOV;
        e = fnp_insns_at(insns, record.addr);
        if (e && e->rep)
            kind = REP;
        else if (e && e->n_touches && e->touch[0].len >= FSAVE_LEN)
            return FSAVE;
    }
    return kind;
}

static void look(struct fnp_arena *arena, struct figures *f)
{
    static struct fnp_footprints *shadow;
    const struct fnp_image *image = &lab.kernel->image;
    const struct fnp_footprint_rules rules = fnp_trace_rules(&lab.kernel->contract);
    struct fnp_insns insns = { .arena = arena, .image = image };
    size_t len = image->is32 ? sizeof(struct fnp_log32) : sizeof(struct fnp_log64);
    const struct fnp_log log = {
        .records = cache->log,
        .count = (size_t)(cache->data->log - (uint64_t)(uintptr_t)cache->log) / len,
        .is32 = image->is32,
        .span = image->entry & ~(uint64_t)(FNP_IMAGE_SPAN - 1),
    };
    struct fnp_footprint footprint = { 0 };
    static struct fnp_arena own;

    shadow = shadow ? shadow : fnp_footprints_make(&own);
    memcpy(outcome.buf, lab.layout.buf, sizeof(outcome.buf));
    outcome.end = FNP_END_RETURNED;
    f->walk = 1;
    for (unsigned i = 0; i < ROUNDS; i++) {
        double start = fnp_now();

        if (!fnp_footprint_of(shadow, &insns, &log, &outcome, &rules, &footprint))
            fnp_die("bench-trace: %s has no footprint", lab.kernel->name);
        f->walk = least(f->walk, fnp_now() - start);
    }
    f->insns = footprint.n_steps;
    f->walk /= (double)f->insns;
    f->kind = kind_of(&insns, &log);
}

/* ---- single steps */

static void time_traps(struct figures *f)
{
    trap.steps = 0;
    trap.stepping = true;
    enter(stepping_function());
    double start = fnp_now();

    call();
    f->trap_step = (fnp_now() - start) / (double)trap.steps;
    trap.stepping = false;
}

_Noreturn static void stepped_child(void)
{
    ptrace(PTRACE_TRACEME, 0, NULL, NULL);
    signal(SIGTRAP, SIG_DFL);
    enter(lab.kernel->image.entry);
    raise(SIGSTOP);
    call();
    _exit(0);
}

static void time_ptrace(struct figures *f)
{
    pid_t pid = fork();
    double start = 0;
    size_t steps = 0;
    int status = 0;

    if (pid == 0)
        stepped_child();
    waitpid(pid, &status, 0);
    while (WIFSTOPPED(status) && steps < STEPS) {
        struct user_regs_struct r;

        ptrace(PTRACE_GETREGS, pid, NULL, &r);
        if (in_kernel(r.rip) && steps++ == 0)
            start = fnp_now();
        if (steps && !in_kernel(r.rip))
            break;
        ptrace(PTRACE_SINGLESTEP, pid, NULL, NULL);
        waitpid(pid, &status, 0);
    }
    f->ptrace_step = (fnp_now() - start) / (double)steps;
    kill(pid, SIGKILL);
    waitpid(pid, &status, 0);
}

/* ---- all */

/* Lay the case out as verify would; false: the kernel has none like it. */
static bool prepare(const struct fnp_kernel *k)
{
    struct fnp_err err = { "" };

    the_case = fnp_case_default();
    if (k->contract.has_n)
        the_case.n = LEN;
    fnp_case_canonical(&the_case);
    fnp_lab_load(&lab, k);
    if (lab.kernel != k || !fnp_case_allowed(&k->contract, &the_case, &err) ||
        !fnp_layout_make(&lab.fields, &k->contract, &the_case, &lab.layout))
        return false;
    fnp_lab_fill(&lab, &the_case, 0);
    fnp_start_make(&lab, &the_case, k->image.entry, false);
    cache = k->image.entry >> 32 ? &high : &low;
    return true;
}

static double rate(const struct figures *f)
{
    return (double)f->insns / f->full;
}

static double added(const struct figures *f)
{
    return (f->full - f->native) / (double)f->insns;
}

static void print_row(const struct figures *f)
{
    printf("%-44s %-7s %6zu %7.0f %8.0f %6.1f %6.0f %7.0f %5.2f %6.0f %6.1f %6.1f "
           "%6.1f\n",
           f->name, kind_names[f->kind], f->insns, f->native * 1e9, f->full * 1e9,
           added(f) * 1e9, rate(f) * 1e-6, f->cover * 1e9, f->cover / f->native,
           f->trap_step * rate(f), f->trap_step * 1e6, f->ptrace_step * 1e6,
           f->walk * 1e9);
}

static void measure(const struct fnp_kernel *k)
{
    struct figures *f = &all[n_all];
    struct fnp_arena arena = { 0 };
    double native;

    if (n_all == MAX_KERNELS || !prepare(k))
        return;
    *f = (struct figures){ .name = k->name };
    translate(&arena, FNP_TRANSLATE_FULL);
    time_copy(&f->full, &f->native);
    call();
    look(&arena, f);
    time_traps(f);
    time_ptrace(f);
    translate(&arena, FNP_TRANSLATE_COVER);
    time_copy(&f->cover, &native);
    f->native = least(f->native, native);
    fnp_arena_release(&arena);
    n_all++;
    print_row(f);
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

static double median(double *values, size_t count)
{
    qsort(values, count, sizeof(*values), ascending);
    return values[count / 2];
}

static bool tell(const char *what, double value, double goal, bool met)
{
    printf("%-44s %8.2f  goal %.2f: %s\n", what, value, goal, met ? "met" : "MISSED");
    return met;
}

/* Kernels whose time is that of single slow instructions: what is added, and coverage. */
static void print_apart(enum kind kind)
{
    static double adds[MAX_KERNELS], covers[MAX_KERNELS];
    size_t n = 0;

    for (size_t i = 0; i < n_all; i++) {
        if (all[i].kind != kind)
            continue;
        adds[n] = added(&all[i]) * 1e9;
        covers[n++] = all[i].cover / all[i].native;
    }
    if (n == 0)
        printf("%s: no kernel\n", kind_names[kind]);
    else
        printf("%s: %zu kernels, medians: +%.1f ns/insn, coverage %.2f\n",
               kind_names[kind], n, median(adds, n), median(covers, n));
}

/* The plain kernels decide; the others are told. */
static bool print_summary(void)
{
    static double rates[MAX_KERNELS], ratios[MAX_KERNELS], walks[MAX_KERNELS];
    double logs = 0, worst_cover = 0, worst_added = 0;
    bool ok = true;
    size_t n = 0;

    for (size_t i = 0; i < n_all; i++) {
        const struct figures *f = &all[i];

        if (f->kind != PLAIN)
            continue;
        rates[n] = rate(f);
        ratios[n] = f->trap_step * rate(f);
        walks[n++] = f->walk * 1e9;
        logs += log(f->cover / f->native);
        worst_cover = fmax(worst_cover, f->cover / f->native);
        worst_added = fmax(worst_added, added(f) * 1e9);
    }
    printf("\n");
    for (unsigned kind = PLAIN + 1; kind < N_KINDS; kind++)
        print_apart((enum kind)kind);
    printf("plain: %zu kernels\n", n);
    if (n == 0)
        return false;
    ok &= tell("full state adds at most, ns/insn", worst_added, goal_added_ns,
               worst_added <= goal_added_ns);
    double middle = median(rates, n) * 1e-6;

    ok &= tell("median, million insns/s", middle, goal_rate, middle >= goal_rate);
    middle = median(ratios, n);
    ok &=
        tell("median against the trap flag", middle, goal_steps, middle >= goal_steps);
    logs = exp(logs / (double)n);
    ok &= tell("coverage, geometric mean against native", logs, goal_cover,
               logs <= goal_cover);
    ok &= tell("coverage, worst against native", worst_cover, goal_worst_cover,
               worst_cover <= goal_worst_cover);
    printf("%-44s %8.2f\n", "median to look at a record, ns", median(walks, n));
    return ok;
}

int main(void)
{
    const struct fnp_request request = { .builtin = true };
    struct fnp_arena arena = { NULL };
    struct fnp_kernels kernels;
    struct fnp_err err = { "" };

    if (fnp_kernels_resolve(&arena, &request, &kernels, &err) != FNP_OK ||
        fnp_cache_map(&high, &low, &err) != FNP_OK ||
        fnp_lab_map(&lab, &err) != FNP_OK) {
        fprintf(stderr, "bench-trace: %s\n", err.text);
        return 4;
    }
    catch_traps();
    printf("%-44s %-7s %6s %7s %8s %6s %6s %7s %5s %6s %6s %6s %6s\n", "kernel", "kind",
           "insns", "ns", "full ns", "+ns/in", "M in/s", "cover", "ratio", "x trap",
           "trap", "ptrace", "look");
    for (size_t i = 0; i < kernels.count; i++) {
        if (!kernels.list[i].missing && !kernels.list[i].equal_to)
            measure(&kernels.list[i]);
    }
    fnp_arena_release(&arena);
    return print_summary() ? 0 : 1;
}
