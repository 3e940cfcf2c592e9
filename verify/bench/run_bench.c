/* SPDX-License-Identifier: MIT */
/*
 * run_bench.c - what the state checks cost: ratios against the same loop without them
 *
 * All figures of one line come from the same process, variants taking turns, the
 * best of several rounds; only the ratios mean anything on a shared machine.
 */
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/clock.h"
#include "base/rng.h"
#include "run/lab.h"
#include "verify/check.h"
#include "verify/plan.h"

enum {
    CASES = 500,
    FAULTS = 100,
    ROUNDS = 100
};

enum variant {
    PLAIN,
    CHEAP,
    DUTY,
    FULL,
    N_VARIANTS
};

static struct fnp_lab lab;
static struct fnp_outcome outcome;
static struct fnp_case cases[CASES];
static struct fnp_plan plan; /* zero: none */
static uint64_t findings;

/* Fill, call, compare: everything but the state of the CPU. */
static void run_plain(const struct fnp_case *c)
{
    typedef void *copy_fn(void *, const void *, size_t);
    copy_fn *fn = (copy_fn *)(uintptr_t)lab.kernel->image.entry;

    outcome.end = FNP_END_RETURNED;
    if (!fnp_layout_make(&lab.fields, &lab.kernel->contract, c, &lab.layout))
        return;
    fnp_lab_fill(&lab, c, 0);
    fn((void *)(uintptr_t)lab.layout.buf[FNP_DST].addr,
       (const void *)(uintptr_t)lab.layout.buf[FNP_SRC].addr, c->n);
    fnp_lab_compare(&lab, c, 0, &outcome);
    fnp_lab_restore(&lab, 0);
}

/* Case i: of the gate's plan when there is one, else as made before. */
static const struct fnp_case *next_case(size_t i)
{
    static struct fnp_case planned;

    if (!plan.contract)
        return &cases[i];
    fnp_plan_case(&plan, i, &planned);
    /* Plain code cannot load FP state or survive a fault. */
    planned.x87 = planned.ymm = planned.repeat = 0;
    return planned.n > FNP_FIELD_N_MAX ? &cases[0] : &planned;
}

static double round_of(enum variant variant, size_t count)
{
    double start = fnp_now();

    for (size_t i = 0; i < count; i++) {
        const struct fnp_case *c = next_case(i);

        if (variant == PLAIN) {
            run_plain(c);
            continue;
        }
        bool full = variant == FULL || (variant == DUTY && i % 16 == 0);

        fnp_lab_run(&lab, c, full ? FNP_MODE_FULL : 0, &outcome);
        findings += fnp_check_screen(&lab.kernel->contract, &outcome);
    }
    return (fnp_now() - start) / (double)count;
}

static void best_of(size_t count, double best[N_VARIANTS])
{
    for (unsigned v = 0; v < N_VARIANTS; v++)
        best[v] = 1e9;
    for (unsigned r = 0; r < ROUNDS; r++) {
        for (unsigned v = 0; v < N_VARIANTS; v++) {
            double t = round_of((enum variant)v, count);

            best[v] = t < best[v] ? t : best[v];
        }
    }
}

static void make_cases(uint64_t limit)
{
    struct fnp_rng rng = { limit };

    for (size_t i = 0; i < CASES; i++) {
        struct fnp_case *c = &cases[i];

        *c = fnp_case_default();
        c->n = fnp_rng_below(&rng, limit);
        c->offset[FNP_DST] = (uint8_t)(1 + fnp_rng_below(&rng, 64));
        c->offset[FNP_SRC] = (uint8_t)(1 + fnp_rng_below(&rng, 64));
        c->place[FNP_DST] = (uint8_t)fnp_rng_below(&rng, FNP_N_PLACES);
        c->place[FNP_SRC] = (uint8_t)fnp_rng_below(&rng, FNP_N_PLACES);
        c->junk = (uint8_t)fnp_mix(i / 16);
        c->seed = (uint32_t)fnp_rng_below(&rng, 16);
        fnp_case_canonical(c);
    }
}

static jmp_buf escape;

static void on_segv(int sig)
{
    (void)sig;
    _longjmp(escape, 1);
}

static void touch(volatile char *page)
{
    if (!_setjmp(escape))
        *page = 1;
}

/* Touch a no-access page, longjmp out of the handler. */
static double bare_fault(void)
{
    struct sigaction action = { .sa_handler = on_segv, .sa_flags = SA_NODEFER };
    volatile char *page =
        mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    double best = 1e9;

    sigaction(SIGSEGV, &action, NULL);
    for (unsigned r = 0; r < ROUNDS; r++) {
        double start = fnp_now();

        for (unsigned i = 0; i < FAULTS; i++)
            touch(page);
        double t = (fnp_now() - start) / (double)FAULTS;

        best = t < best ? t : best;
    }
    return best;
}

/* A copy that must fault: the source ends at its guard, four bytes early. */
static double kernel_fault(const struct fnp_kernel *k)
{
    struct fnp_kernel wrong = *k;
    double best = 1e9;

    wrong.contract.bufs[0].mul = 1;
    for (size_t i = 0; i < wrong.contract.n_bufs; i++) {
        if (wrong.contract.bufs[i].role == FNP_SRC)
            wrong.contract.bufs[i].mul = 0;
    }
    fnp_lab_attach(&lab, &wrong);
    for (size_t i = 0; i < FAULTS; i++) {
        cases[i] = fnp_case_default();
        cases[i].n = 64;
        cases[i].place[FNP_SRC] = FNP_PLACE_END;
    }
    for (unsigned r = 0; r < ROUNDS; r++) {
        double t = round_of(CHEAP, FAULTS);

        best = t < best ? t : best;
    }
    fnp_lab_attach(&lab, k);
    return outcome.end == FNP_END_FAULT ? best : -1;
}

static void print_row(const char *name, size_t count)
{
    double best[N_VARIANTS];

    best_of(count, best);
    printf("%-14s %12.0f %12.0f %12.0f %12.0f   %.2f %.2f %.2f\n", name,
           1 / best[PLAIN], 1 / best[CHEAP], 1 / best[DUTY], 1 / best[FULL],
           best[CHEAP] / best[PLAIN], best[DUTY] / best[PLAIN],
           best[FULL] / best[PLAIN]);
}

static void print_sizes(void)
{
    static const uint64_t limits[] = { 64, 512, 4096 };
    char name[32];

    printf("%-14s %12s %12s %12s %12s   ratios to plain (goals 1.25 1.35 2.00)\n",
           "sizes", "plain/s", "cheap/s", "duty/s", "full/s");
    for (size_t i = 0; i < FNP_ARRAY_LEN(limits); i++) {
        make_cases(limits[i]);
        snprintf(name, sizeof(name), "n < %llu", (unsigned long long)limits[i]);
        print_row(name, CASES);
    }
}

/* What verify itself runs: cases made one by one from the gate's plan. */
static void print_gate(struct fnp_arena *arena, const struct fnp_kernel *k)
{
    fnp_plan_make(arena, k, 1, FNP_BUDGET_GATE, &plan);
    print_row("gate", (size_t)plan.count);
    plan.contract = NULL;
}

int main(void)
{
    static const char *const names[] = { "builtin:memmove_sse2" };
    const struct fnp_request request = { .names = names, .n_names = 1 };
    struct fnp_arena arena = { NULL };
    struct fnp_kernels kernels;
    struct fnp_err err = { "" };
    double bare = bare_fault();

    if (fnp_kernels_resolve(&arena, &request, &kernels, &err) != FNP_OK ||
        fnp_lab_open(&lab, 0, &err) != FNP_OK) {
        fprintf(stderr, "bench-run: %s\n", err.text);
        return 4;
    }
    fnp_signals_stop_timer();
    fnp_lab_load(&lab, &kernels.list[0]);
    print_sizes();
    print_gate(&arena, &kernels.list[0]);
    uint64_t unexpected = findings; /* the faults that follow are meant */
    double fault = kernel_fault(&kernels.list[0]);

    printf("fault: %.2f us, bare SIGSEGV %.2f us, ratio %.2f (goal 2.50)\n",
           fault * 1e6, bare * 1e6, fault / bare);
    fnp_arena_release(&arena);
    return unexpected ? 1 : 0;
}
