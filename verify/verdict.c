/* SPDX-License-Identifier: MIT */
/*
 * verdict.c - lanes side by side, results in kernel order
 *
 * A lane is a process with a pool of its own that takes the next kernel nobody has
 * taken; this process only waits, shows progress and hands results on.
 */
#include "verify/verdict.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/clock.h"
#include "verify/lane.h"
#include "verify/tracing.h"
#include "x86/cpuid.h"

enum {
    MAX_LANES = 64,
    PROGRESS_MS = 100,
    SAVE_SECONDS = 2 /* between two states of the cursor */
};

/* What the lanes and this process share. */
struct shared {
    atomic_size_t next; /* kernel nobody has taken yet */
    volatile bool stop;
    struct fnp_lane_result results[];
};

struct verification {
    const struct fnp_kernels *kernels;
    const struct fnp_verify_options *options;
    struct fnp_summary *summary;
    struct fnp_plan *plans;
    struct shared *shared;
    size_t shared_len;
    pid_t lanes[MAX_LANES];
    unsigned n_lanes;
    int pipe[2];      /* lanes write the index of a finished kernel */
    size_t told;      /* kernels whose result has been handed on */
    uint64_t of;      /* planned cases of all kernels; 0: as many as time allows */
    size_t *lines;    /* of the cursor, one a kernel; with a box that is enumerated */
    double next_save; /* of the cursor */
};

/* Nothing to run: skipped here, or judged together with an equal kernel. */
static bool needs_lane(const struct fnp_kernel *k)
{
    return !k->missing && !k->equal_to;
}

static void begin_report(const struct fnp_kernel *k, struct fnp_kernel_report *r)
{
    r->kernel = k->name;
    r->contract = k->contract.read_from;
    r->promises = k->contract.promises;
    snprintf(r->code, sizeof(r->code), "%s", k->image.code);
}

/* Are the boxes enumerated that the contracts declare? */
static bool wants_declared(const struct fnp_verify_options *o)
{
    return o->declared || (!o->exhaustive && o->budget == FNP_BUDGET_DEEP);
}

static const char *box_of(const struct fnp_verify_options *o,
                          const struct fnp_kernel *k)
{
    return o->exhaustive ? o->exhaustive : k->contract.box;
}

/* Also read when it is not to be enumerated: a box that cannot be had is an error. */
static enum fnp_status plan_box(struct verification *v, struct fnp_arena *arena,
                                size_t i, struct fnp_err *err)
{
    const struct fnp_verify_options *o = v->options;
    const struct fnp_kernel *k = &v->kernels->list[i];
    struct fnp_err why = { "" };

    if (!box_of(o, k))
        return FNP_OK;
    if (fnp_plan_box(arena, &v->plans[i], box_of(o, k), &why) != FNP_OK)
        return fnp_err_set(err, FNP_INPUT, "%s: %s", k->name, why.text);
    if (!o->exhaustive && !wants_declared(o))
        fnp_plan_leave_box(&v->plans[i]);
    return FNP_OK;
}

static enum fnp_status make_plans(struct verification *v, struct fnp_arena *arena,
                                  struct fnp_err *err)
{
    const struct fnp_verify_options *o = v->options;
    enum fnp_status status = FNP_OK;
    bool any = false;

    v->plans = fnp_arena_array(arena, v->kernels->count, sizeof(*v->plans));
    for (size_t i = 0; i < v->kernels->count && status == FNP_OK; i++) {
        fnp_plan_make(arena, &v->kernels->list[i], o->seed, o->budget, &v->plans[i]);
        status = plan_box(v, arena, i, err);
        any |= v->plans[i].box_count > 0;
    }
    if (status == FNP_OK && o->declared && !any)
        return fnp_err_set(err, FNP_INPUT,
                           "--exhaustive box: no contract of this run declares a box");
    if (status == FNP_OK && o->cursor && !any)
        return fnp_err_set(err, FNP_INPUT,
                           "--resume: no box is enumerated; --exhaustive says which");
    return status;
}

/* Where each box goes on. */
static enum fnp_status open_cursor(struct verification *v, struct fnp_arena *arena,
                                   struct fnp_err *err)
{
    const struct fnp_verify_options *o = v->options;
    struct fnp_cursor *cursor = &o->cursor->cursor;
    enum fnp_status status = fnp_cursor_file_open(o->cursor, arena, err);

    v->lines = fnp_arena_array(arena, v->kernels->count, sizeof(*v->lines));
    for (size_t i = 0; i < v->kernels->count && status == FNP_OK; i++) {
        const struct fnp_kernel *k = &v->kernels->list[i];
        struct fnp_plan *plan = &v->plans[i];
        const struct fnp_cursor_terms terms = {
            .box = box_of(o, k),
            .version = o->version,
            .left_out = fnp_lane_left_out(o),
        };
        struct fnp_lane_result *result = &v->shared->results[i];
        char id[FNP_CURSOR_ID + 1];

        if (!plan->box_count || !needs_lane(k))
            continue;
        fnp_cursor_identify(arena, k, &terms, id);
        v->lines[i] =
            fnp_cursor_take(cursor, k->name, id, plan->box_count, &result->anew);
        plan->box_done = cursor->lines[v->lines[i]].tried;
        result->clean = plan->box_done;
    }
    return status;
}

/* Every few seconds, and whenever it is due. */
static void save_cursor(struct verification *v, bool due)
{
    struct fnp_cursor_file *file = v->options->cursor;
    double now = fnp_now();

    if (!file || (!due && now < v->next_save))
        return;
    for (size_t i = 0; i < v->kernels->count; i++) {
        if (v->plans[i].box_count && needs_lane(&v->kernels->list[i]))
            file->cursor.lines[v->lines[i]].tried = v->shared->results[i].clean;
    }
    fnp_cursor_file_save(file);
    v->next_save = now + (double)SAVE_SECONDS;
}

/* Cases of this run, for the live line. */
static void count_cases(struct verification *v)
{
    for (size_t i = 0; i < v->kernels->count; i++) {
        if (needs_lane(&v->kernels->list[i]))
            v->of += v->plans[i].count - v->plans[i].box_done;
    }
    if (v->options->budget == FNP_BUDGET_SECONDS)
        v->of = 0;
}

_Noreturn static void lane_main(struct verification *v, unsigned workers)
{
    struct fnp_lane lane = {
        .kernels = v->kernels,
        .plans = v->plans,
        .options = v->options,
        .workers = workers,
        .stop = &v->shared->stop,
    };
    struct fnp_pool_config config = {
        .jobs = workers,
        .kernels = v->kernels->list,
        .n_kernels = v->kernels->count,
        .generate = fnp_lane_generate,
        .screen = fnp_lane_screen,
        .arg = &lane,
    };
    struct fnp_err err = { "" };
    size_t i = 0;

    static struct fnp_arena arena;

    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (v->options->cursor)
        fnp_cursor_file_leave(v->options->cursor);
    signal(SIGINT, SIG_IGN);
    signal(SIGTERM, SIG_IGN);
    if (v->options->budget == FNP_BUDGET_SECONDS)
        lane.seconds = v->options->seconds * v->n_lanes / (double)v->kernels->count;
    if (fnp_tracing_open(&arena, &config, &lane.tracing, &err) != FNP_OK ||
        fnp_pool_open(&config, &lane.pool, &err) != FNP_OK)
        fnp_die("%s", err.text);
    while ((i = atomic_fetch_add(&v->shared->next, 1)) < v->kernels->count) {
        uint32_t index = (uint32_t)i;

        if (needs_lane(&v->kernels->list[i]))
            fnp_lane_kernel(&lane, i, &v->shared->results[i]);
        v->shared->results[i].done = true;
        if (write(v->pipe[1], &index, sizeof(index)) != sizeof(index))
            fnp_die("cannot report a finished kernel: %s", strerror(errno));
    }
    fnp_pool_close(lane.pool);
    _exit(0);
}

static enum fnp_status start_lanes(struct verification *v, struct fnp_err *err)
{
    unsigned jobs = v->options->jobs ? v->options->jobs : 1;
    unsigned lanes = jobs < MAX_LANES ? jobs : MAX_LANES;

    if (lanes > v->kernels->count)
        lanes = (unsigned)v->kernels->count;
    if (pipe(v->pipe) != 0)
        return fnp_err_set(err, FNP_FAILED, "cannot make a pipe: %s", strerror(errno));
    v->n_lanes = lanes;
    fflush(NULL);
    for (unsigned i = 0; i < lanes; i++) {
        /* What does not divide goes to the first ones. */
        unsigned workers = jobs / lanes + (i < jobs % lanes);
        pid_t pid = fork();

        if (pid == 0) {
            close(v->pipe[0]);
            lane_main(v, workers);
        }
        if (pid < 0)
            return fnp_err_set(err, FNP_FAILED, "cannot fork: %s", strerror(errno));
        v->lanes[i] = pid;
    }
    close(v->pipe[1]);
    v->pipe[1] = -1;
    return FNP_OK;
}

static void count_verdict(struct fnp_summary *s, const struct fnp_kernel_report *r,
                          uint64_t n_waived)
{
    switch (r->verdict) {
    case FNP_VERDICT_PASS:
        s->pass++;
        break;
    case FNP_VERDICT_FAIL:
        s->fail++;
        break;
    case FNP_VERDICT_SKIP:
        s->skip++;
        break;
    case FNP_VERDICT_INCONCLUSIVE:
        s->inconclusive++;
        break;
    }
    s->waived += n_waived;
    s->warnings += r->warnings;
    s->boxes_left_out +=
        r->box.left_out && !r->equal_to && r->verdict != FNP_VERDICT_SKIP;
    s->cases += r->equal_to ? 0 : r->cases;
}

static void put_box(const struct fnp_plan *plan, struct fnp_kernel_report *r)
{
    r->box.points = plan->box_count + plan->box_untried;
    r->box.earlier = plan->box_done;
    r->box.left_out = plan->box_untried > 0;
}

/* Hand one kernel's result to the caller. */
static void tell(struct verification *v, size_t i)
{
    const struct fnp_kernel *k = &v->kernels->list[i];
    struct fnp_lane_result *result = &v->shared->results[i];
    const struct fnp_lane lane = { .kernels = v->kernels, .options = v->options };
    struct fnp_kernel_report report;

    const size_t judged = k->equal_to ? (size_t)(k->equal_to - v->kernels->list) : i;

    if (k->missing && !k->equal_to)
        fnp_lane_skipped(&lane, i, result);
    report = v->shared->results[judged].report;
    report.equal_to = k->equal_to ? k->equal_to->name : NULL;
    begin_report(k, &report);
    put_box(&v->plans[judged], &report);
    if (v->options->on_finding) {
        for (size_t f = 0; f < result->n_findings; f++)
            v->options->on_finding(v->options->arg, k, &result->findings[f]);
    }
    count_verdict(v->summary, &report, result->n_waived);
    if (v->options->on_kernel)
        v->options->on_kernel(v->options->arg, k, &report);
}

/* Kernels nobody got to before the stop: inconclusive, said so. */
static void give_up_rest(struct verification *v)
{
    for (size_t i = 0; i < v->kernels->count; i++) {
        struct fnp_lane_result *result = &v->shared->results[i];

        if (result->done || !needs_lane(&v->kernels->list[i]))
            continue;
        result->report.verdict = FNP_VERDICT_INCONCLUSIVE;
        snprintf(result->reason, sizeof(result->reason), "interrupted");
        result->report.reason = result->reason;
        result->done = true;
    }
}

static void show_progress(const struct verification *v)
{
    const char *name = NULL;
    uint64_t done = 0;

    if (!v->options->on_progress)
        return;
    for (size_t i = 0; i < v->kernels->count; i++) {
        const struct fnp_lane_result *result = &v->shared->results[i];

        if (needs_lane(&v->kernels->list[i]))
            done += result->done ? v->plans[i].count - v->plans[i].box_done
                                 : result->progress;
        if (!name && !result->done && needs_lane(&v->kernels->list[i]))
            name = v->kernels->list[i].name;
    }
    if (name)
        v->options->on_progress(v->options->arg, name, done, v->of);
}

/* Read finished indices; false when the lanes have closed the pipe. */
static bool read_pipe(struct verification *v)
{
    struct pollfd fd = { .fd = v->pipe[0], .events = POLLIN };
    uint32_t index[64];
    ssize_t got = 0;

    if (poll(&fd, 1, PROGRESS_MS) <= 0)
        return true;
    got = read(v->pipe[0], index, sizeof(index));
    return got > 0 || (got < 0 && errno == EINTR);
}

static void wait_for_lanes(struct verification *v)
{
    bool open = true;

    while (v->told < v->kernels->count && open) {
        open = read_pipe(v);
        if (v->options->stop && *v->options->stop)
            v->shared->stop = true;
        while (v->told < v->kernels->count && v->shared->results[v->told].done)
            tell(v, v->told++);
        save_cursor(v, false);
        show_progress(v);
    }
}

/* Ends every lane; true when all of them ended well. */
static bool end_lanes(struct verification *v)
{
    bool well = true;

    for (unsigned i = 0; i < v->n_lanes; i++) {
        int status = 0;

        if (v->lanes[i] <= 0)
            continue;
        while (waitpid(v->lanes[i], &status, 0) < 0 && errno == EINTR)
            continue;
        well &= WIFEXITED(status) && WEXITSTATUS(status) == 0;
    }
    return well;
}

static void begin_summary(struct verification *v)
{
    const struct fnp_cpu *cpu = fnp_cpu();

    v->summary->seed = v->options->seed;
    v->summary->cpu = cpu->brand;
    v->summary->family = cpu->family;
    v->summary->model = cpu->model;
    v->summary->stepping = cpu->stepping;
}

static enum fnp_status share_results(struct verification *v, struct fnp_err *err)
{
    v->shared_len =
        sizeof(*v->shared) + v->kernels->count * sizeof(struct fnp_lane_result);
    v->shared = mmap(NULL, v->shared_len, PROT_READ | PROT_WRITE,
                     MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (v->shared == MAP_FAILED)
        return fnp_err_set(err, FNP_FAILED, "no shared memory for %zu results",
                           v->kernels->count);
    for (size_t i = 0; i < v->kernels->count; i++) {
        if (!needs_lane(&v->kernels->list[i]))
            v->shared->results[i].done = true;
    }
    return FNP_OK;
}

static enum fnp_status run_lanes(struct verification *v, struct fnp_err *err)
{
    enum fnp_status status = fnp_pool_warm(err);

    if (status == FNP_OK)
        status = start_lanes(v, err);
    if (status == FNP_OK)
        wait_for_lanes(v);
    if (!end_lanes(v) && status == FNP_OK)
        status = fnp_err_set(err, FNP_FAILED, "a verifying process ended unexpectedly");
    save_cursor(v, true);
    if (status == FNP_OK) {
        give_up_rest(v);
        while (v->told < v->kernels->count)
            tell(v, v->told++);
    }
    close(v->pipe[0]);
    return status;
}

enum fnp_status fnp_verify(const struct fnp_kernels *kernels,
                           const struct fnp_verify_options *options,
                           struct fnp_summary *summary, struct fnp_err *err)
{
    struct verification v = { .kernels = kernels,
                              .options = options,
                              .summary = summary };
    struct fnp_arena arena = { NULL };
    double start = fnp_now();
    enum fnp_status status = FNP_OK;

    begin_summary(&v);
    if (kernels->count == 0)
        return FNP_OK;
    status = make_plans(&v, &arena, err);
    if (status == FNP_OK)
        status = share_results(&v, err);
    if (status == FNP_OK && options->cursor)
        status = open_cursor(&v, &arena, err);
    if (status == FNP_OK) {
        count_cases(&v);
        status = run_lanes(&v, err);
    }
    summary->interrupted = options->stop && *options->stop;
    summary->seconds = fnp_now() - start;
    if (v.shared && v.shared != MAP_FAILED)
        munmap(v.shared, v.shared_len);
    fnp_arena_release(&arena);
    return status;
}

enum fnp_status fnp_verify_case(const struct fnp_kernel *kernel,
                                const struct fnp_trial *trial, bool *found,
                                struct fnp_finding *out, struct fnp_outcome *outcome,
                                struct fnp_err *err)
{
    static const bool never;
    const struct fnp_kernels one = { (struct fnp_kernel *)(uintptr_t)kernel, 1 };
    const struct fnp_verify_options options = { .jobs = 1 };
    struct fnp_lane lane = {
        .kernels = &one, .options = &options, .workers = 1, .stop = &never
    };
    struct fnp_pool_config config = {
        .jobs = 1,
        .kernels = kernel,
        .n_kernels = 1,
        .generate = fnp_lane_generate,
        .screen = fnp_lane_screen,
        .arg = &lane,
    };
    struct fnp_arena arena = { 0 };
    enum fnp_status status = fnp_tracing_open(&arena, &config, &lane.tracing, err);

    status = status ? status : fnp_pool_open(&config, &lane.pool, err);
    if (status != FNP_OK)
        return status;
    *found = fnp_confirm_case(&lane, 0, trial->c, trial->after, out, outcome);
    fnp_pool_close(lane.pool);
    fnp_tracing_close(lane.tracing);
    fnp_arena_release(&arena);
    return FNP_OK;
}
