/* SPDX-License-Identifier: MIT */
#include "run/pool.h"

#include <assert.h>
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "run/contents.h"
#include "run/field.h"
#include "run/machine.h"
#include "run/worker.h"

enum {
    MAX_JOBS = 64,
    /* Wall time without progress after which a worker is beyond its own timer. */
    STUCK_SECONDS = 20,
    ALIAS_STUCK_SECONDS = 600, /* gigabytes, by code that may be slow */
};

struct worker {
    struct fnp_channel *channel; /* shared memory, kept across replacements */
    pid_t pid;
    int socket;
    bool busy;
    bool used;        /* has run something since it was forked */
    uint64_t seen_at; /* progress the watchdog saw last */
    double seen_when;
};

struct fnp_pool {
    struct fnp_pool_config config;
    struct worker workers[MAX_JOBS];
    unsigned n_workers;
    struct fnp_outcome died; /* outcome made up for a worker that died */
    uint64_t entry;          /* of explicit cases; 0: the kernel's own */
};

static void close_others(const struct fnp_pool *pool)
{
    for (unsigned i = 0; i < pool->n_workers; i++) {
        if (pool->workers[i].pid > 0)
            close(pool->workers[i].socket);
    }
}

static enum fnp_status spawn(struct fnp_pool *pool, struct worker *w,
                             struct fnp_err *err)
{
    int pair[2];

    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0)
        return fnp_err_set(err, FNP_FAILED, "cannot make a socket pair: %s",
                           strerror(errno));
    w->channel->ready = false;
    w->channel->err.text[0] = '\0';
    w->pid = 0;
    pid_t pid = fork();

    if (pid == 0) {
        close_others(pool);
        close(pair[0]);
        fnp_worker_main(&pool->config, w->channel, pair[1]);
    }
    close(pair[1]);
    if (pid < 0) {
        close(pair[0]);
        return fnp_err_set(err, FNP_FAILED, "cannot fork a worker: %s",
                           strerror(errno));
    }
    w->pid = pid;
    w->socket = pair[0];
    w->busy = false;
    w->used = false;
    return FNP_OK;
}

/* Reap a worker that is dead or must die; returns its wait status. */
static int reap(struct worker *w)
{
    int status = 0;

    if (w->pid <= 0)
        return 0;
    kill(w->pid, SIGKILL);
    while (waitpid(w->pid, &status, 0) < 0 && errno == EINTR)
        continue;
    close(w->socket);
    w->pid = 0;
    w->busy = false;
    return status;
}

/* Like reap, without waiting for the memory of a worker to be torn down. */
static void let_die(struct worker *w)
{
    if (w->pid <= 0)
        return;
    kill(w->pid, SIGKILL);
    close(w->socket);
    w->pid = 0;
    w->busy = false;
    while (waitpid(-1, NULL, WNOHANG) > 0)
        continue;
}

static void replace(struct fnp_pool *pool, struct worker *w)
{
    struct fnp_err err = { { 0 } };

    let_die(w);
    if (spawn(pool, w, &err) != FNP_OK)
        fnp_die("%s", err.text);
}

enum fnp_status fnp_pool_warm(struct fnp_err *err)
{
    struct fnp_contents shared;
    enum fnp_status status = fnp_fields_patterns(err);

    fnp_machine_read();
    return status == FNP_OK ? fnp_contents_make(&shared, err) : status;
}

enum fnp_status fnp_pool_open(const struct fnp_pool_config *config,
                              struct fnp_pool **out, struct fnp_err *err)
{
    struct fnp_pool *pool = calloc(1, sizeof(*pool));
    enum fnp_status status = FNP_OK;

    if (!pool)
        fnp_die("out of memory");
    pool->config = *config;
    status = fnp_pool_warm(err);
    unsigned jobs = config->jobs < MAX_JOBS ? config->jobs : MAX_JOBS;

    for (unsigned i = 0; status == FNP_OK && i < jobs; i++) {
        struct worker *w = &pool->workers[i];

        w->channel = mmap(NULL, sizeof(*w->channel), PROT_READ | PROT_WRITE,
                          MAP_SHARED | MAP_ANONYMOUS, -1, 0);
        if (w->channel == MAP_FAILED)
            status = fnp_err_set(err, FNP_FAILED, "no shared memory for a worker");
        else
            status = spawn(pool, w, err);
        pool->n_workers = i + 1;
    }
    *out = pool;
    if (status != FNP_OK) {
        fnp_pool_close(pool);
        *out = NULL;
    }
    return status;
}

void fnp_pool_close(struct fnp_pool *pool)
{
    if (!pool)
        return;
    for (unsigned i = 0; i < pool->n_workers; i++) {
        struct worker *w = &pool->workers[i];

        reap(w);
        if (w->channel && w->channel != MAP_FAILED)
            munmap(w->channel, sizeof(*w->channel));
    }
    while (waitpid(-1, NULL, 0) > 0)
        continue;
    free(pool);
}

unsigned fnp_pool_idle(const struct fnp_pool *pool)
{
    unsigned idle = 0;

    for (unsigned i = 0; i < pool->n_workers; i++)
        idle += !pool->workers[i].busy;
    return idle;
}

static void start(struct worker *w)
{
    const char byte = 'r';

    w->channel->at = 0;
    w->channel->n_run = 0;
    w->channel->n_skipped = 0;
    w->channel->n_outcomes = 0;
    w->channel->dirty = false;
    w->busy = true;
    w->used = true;
    w->seen_at = 0;
    w->seen_when = fnp_now();
    /* A failure means that the worker died while idle; the poll that follows sees it. */
    (void)!send(w->socket, &byte, 1, MSG_NOSIGNAL);
}

void fnp_pool_submit(struct fnp_pool *pool, const struct fnp_slice *slice)
{
    for (unsigned i = 0; i < pool->n_workers; i++) {
        struct worker *w = &pool->workers[i];

        if (w->busy)
            continue;
        w->channel->slice = *slice;
        w->channel->n_cases = 0;
        start(w);
        return;
    }
    fnp_die("a slice was handed out with every worker busy");
}

/* The worker was already dead before it could say that it is set up. */
static void check_setup(const struct worker *w)
{
    if (!w->channel->ready)
        fnp_die("a worker could not be set up%s%s", w->channel->err.text[0] ? ": " : "",
                w->channel->err.text);
}

/* What there is to say about the case a worker died in. */
static void describe_death(struct fnp_pool *pool, int status, const struct fnp_case *c)
{
    memset(&pool->died, 0, sizeof(pool->died));
    pool->died.c = *c;
    pool->died.end = FNP_END_DIED;
    pool->died.fault.sig = WIFSIGNALED(status)         ? WTERMSIG(status)
                           : WEXITSTATUS(status) > 128 ? WEXITSTATUS(status) - 128
                                                       : 0;
}

static void fill_reply(const struct worker *w, struct fnp_reply *reply)
{
    const struct fnp_channel *ch = w->channel;

    *reply = (struct fnp_reply){
        .slice = ch->slice,
        .n_run = ch->n_run,
        .n_skipped = ch->n_skipped,
        .n_least = ch->n_least,
        .n_most = ch->n_most,
        .outcomes = ch->outcomes,
        .n_outcomes = ch->n_outcomes,
        .dirty = ch->dirty,
    };
}

/* A byte means done, anything else that the worker is gone. */
static void collect(struct fnp_pool *pool, struct worker *w, struct fnp_reply *reply)
{
    char byte = 0;
    struct fnp_channel *ch = w->channel;
    struct fnp_case c = fnp_case_default();

    if (recv(w->socket, &byte, 1, 0) == 1) {
        w->busy = false;
        fill_reply(w, reply);
        return;
    }
    check_setup(w);
    int status = reap(w);

    if (ch->n_run == 0)
        ch->n_run = 1;
    if (ch->n_cases)
        c = ch->cases[ch->n_run - 1];
    else
        pool->config.generate(pool->config.arg, ch->slice.kernel,
                              ch->slice.first + ch->n_run - 1, &c);
    describe_death(pool, status, &c);
    if (ch->n_outcomes == FNP_POOL_OUTCOMES)
        ch->n_outcomes--;
    ch->outcomes[ch->n_outcomes++] = pool->died;
    fill_reply(w, reply);
    reply->died = true;
    reply->dirty = false;
    replace(pool, w);
}

/* Kill a worker whose case has not moved for too long: not even a signal reached it. */
static void watch(struct worker *w)
{
    uint64_t at = w->channel->at;
    double seconds = w->channel->patient ? ALIAS_STUCK_SECONDS : STUCK_SECONDS;

    if (at != w->seen_at || !w->channel->ready) {
        w->seen_at = at;
        w->seen_when = fnp_now();
    } else if (fnp_now() - w->seen_when > seconds) {
        kill(w->pid, SIGKILL);
        w->seen_when = fnp_now();
    }
}

static bool wait_any(struct fnp_pool *pool, int timeout_ms, struct fnp_reply *reply)
{
    struct pollfd fds[MAX_JOBS];
    unsigned index[MAX_JOBS];
    nfds_t n = 0;

    for (unsigned i = 0; i < pool->n_workers; i++) {
        if (!pool->workers[i].busy)
            continue;
        watch(&pool->workers[i]);
        index[n] = i;
        fds[n++] = (struct pollfd){ .fd = pool->workers[i].socket, .events = POLLIN };
    }
    assert(n > 0);
    errno = 0;
    if (poll(fds, n, timeout_ms) <= 0)
        return false;
    for (nfds_t i = 0; i < n; i++) {
        if (fds[i].revents) {
            collect(pool, &pool->workers[index[i]], reply);
            return true;
        }
    }
    return false;
}

bool fnp_pool_wait(struct fnp_pool *pool, int timeout_ms, struct fnp_reply *reply)
{
    const int step = 1000;

    for (int left = timeout_ms; timeout_ms < 0 || left >= 0; left -= step) {
        int ms = timeout_ms < 0 || left > step ? step : left;

        if (wait_any(pool, ms, reply))
            return true;
        if (errno == EINTR || (timeout_ms >= 0 && left <= step))
            return false;
    }
    return false;
}

/* cases[0, count) in one worker; returns how many have an outcome. */
static size_t run_batch(struct fnp_pool *pool, size_t kernel,
                        const struct fnp_case *cases, size_t count, unsigned flags,
                        struct fnp_outcome *outcomes)
{
    struct worker *w = &pool->workers[0];
    struct fnp_reply reply;

    if ((flags & FNP_RUN_FRESH) && w->used)
        replace(pool, w);
    w->channel->slice =
        (struct fnp_slice){ .kernel = (uint32_t)kernel, .count = count };
    w->channel->n_cases = (uint32_t)count;
    w->channel->flags = flags;
    w->channel->entry = pool->entry;
    memcpy(w->channel->cases, cases, count * sizeof(*cases));
    start(w);
    while (!fnp_pool_wait(pool, -1, &reply))
        continue;
    memcpy(outcomes, reply.outcomes, reply.n_outcomes * sizeof(*outcomes));
    return reply.n_outcomes;
}

void fnp_pool_enter(struct fnp_pool *pool, uint64_t entry)
{
    pool->entry = entry;
}

size_t fnp_pool_run(struct fnp_pool *pool, size_t kernel, const struct fnp_case *cases,
                    size_t count, unsigned flags, struct fnp_outcome *outcomes)
{
    size_t done = 0;

    assert(count <= FNP_POOL_CASES && fnp_pool_idle(pool) == pool->n_workers);
    while (done < count) {
        size_t got =
            run_batch(pool, kernel, cases + done, count - done, flags, outcomes + done);

        done += got;
        if (got == 0 || (flags & FNP_RUN_STOP))
            break;
    }
    return done;
}
