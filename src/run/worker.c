/* SPDX-License-Identifier: MIT */
#include "run/worker.h"

#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>

#include "run/lab.h"
#include "run/raw.h"
#include "run/seal.h"

static struct {
    struct fnp_lab lab;
    struct fnp_outcome outcome;
    bool unchecked; /* explicit cases ran since whole fields were compared */
} own __attribute__((section("fnp_rw"), aligned(4096)));

/* Whole pages only, or the section's neighbours would stay writable with it. */
static char pad[4096 - sizeof(own) % 4096] __attribute__((section("fnp_rw"), used));

enum {
    HOST_HASH_LEN = 64 * 1024
};

static void set_host_range(const unsigned char *frame, const unsigned char *stack_end)
{
    own.lab.host_lo = frame;
    own.lab.host_hi = stack_end;
    if (!stack_end || stack_end < frame)
        own.lab.host_hi = frame;
    else if (stack_end - frame > HOST_HASH_LEN)
        own.lab.host_hi = frame + HOST_HASH_LEN;
    own.lab.host_hash = fnp_lab_hash_host(&own.lab);
}

static void quiet_signals(void)
{
    static const int ignored[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE };
    const struct rlimit none = { 0, 0 };

    for (size_t i = 0; i < FNP_ARRAY_LEN(ignored); i++)
        signal(ignored[i], SIG_IGN);
    setrlimit(RLIMIT_CORE, &none);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
}

static unsigned mode_of(const struct fnp_pool_config *config,
                        const struct fnp_slice *slice, uint64_t i)
{
    unsigned every = config->full_every ? config->full_every : 16;
    unsigned mode = (slice->first + i) % every == 0 ? FNP_MODE_FULL : 0;

    return mode | (slice->thorough ? FNP_MODE_THOROUGH : 0);
}

static void note_size(struct fnp_channel *ch, const struct fnp_outcome *outcome)
{
    if (outcome->huge || outcome->c.huge)
        return;
    ch->n_least = outcome->c.n < ch->n_least ? outcome->c.n : ch->n_least;
    ch->n_most = outcome->c.n > ch->n_most ? outcome->c.n : ch->n_most;
}

static void run_slice(const struct fnp_pool_config *config, struct fnp_channel *ch)
{
    const struct fnp_slice *slice = &ch->slice;
    uint32_t stop = slice->stop_after ? slice->stop_after : FNP_POOL_OUTCOMES;
    struct fnp_case c;

    for (uint64_t i = 0; i < slice->count && ch->n_outcomes < stop; i++) {
        ch->at = i;
        ch->n_run = i + 1;
        if (!config->generate(config->arg, slice->kernel, slice->first + i, &c)) {
            ch->n_skipped++;
            continue;
        }
        ch->patient = c.huge == FNP_HUGE_ALIAS;
        fnp_lab_run(&own.lab, &c, mode_of(config, slice, i), &own.outcome);
        if (own.outcome.end == FNP_END_SKIPPED) {
            ch->n_skipped++;
            continue;
        }
        note_size(ch, &own.outcome);
        if (config->screen(config->arg, slice->kernel, slice->ignore, &own.outcome))
            ch->outcomes[ch->n_outcomes++] = own.outcome;
        if (own.outcome.end == FNP_END_HANG || own.outcome.ref_end == FNP_END_HANG)
            break;
    }
}

static void run_explicit(const struct fnp_pool_config *config, struct fnp_channel *ch)
{
    unsigned mode = FNP_MODE_FULL |
                    (ch->flags & FNP_RUN_THOROUGH ? FNP_MODE_THOROUGH : 0) |
                    (ch->flags & FNP_RUN_OTHER_OLD ? FNP_MODE_OTHER_OLD : 0);

    fnp_lab_enter(&own.lab, ch->entry);
    for (uint32_t i = 0; i < ch->n_cases; i++) {
        ch->at = i;
        ch->n_run = i + 1;
        if (!(ch->flags & FNP_RUN_CARRY))
            fnp_lab_reset_data(&own.lab);
        ch->patient = ch->cases[i].huge == FNP_HUGE_ALIAS;
        fnp_lab_run(&own.lab, &ch->cases[i], mode, &ch->outcomes[i]);
        ch->n_outcomes = i + 1;
        if ((ch->flags & FNP_RUN_STOP) &&
            config->screen(config->arg, ch->slice.kernel, 0, &ch->outcomes[i]))
            break;
    }
    fnp_lab_enter(&own.lab, 0);
}

static void serve(const struct fnp_pool_config *config, struct fnp_channel *ch)
{
    ch->n_run = 0;
    ch->n_skipped = 0;
    ch->n_outcomes = 0;
    ch->n_least = UINT64_MAX;
    ch->n_most = 0;
    ch->at = 0;
    fnp_lab_load(&own.lab, &config->kernels[ch->slice.kernel]);
    fnp_lab_reset_data(&own.lab);
    if (ch->n_cases) {
        /* Comparing whole fields costs more than most of these cases; it can wait. */
        run_explicit(config, ch);
        own.unchecked = true;
        return;
    }
    if (own.unchecked)
        fnp_lab_clean(&own.lab);
    own.unchecked = false;
    run_slice(config, ch);
    ch->dirty =
        !fnp_lab_clean(&own.lab) || fnp_lab_hash_host(&own.lab) != own.lab.host_hash;
}

_Noreturn void fnp_worker_main(const struct fnp_pool_config *config,
                               struct fnp_channel *channel, int socket)
{
    const unsigned char *stack_end = NULL;
    const unsigned char *frame = (const unsigned char *)__builtin_frame_address(0) + 16;
    enum fnp_status status = FNP_OK;
    char byte = 0;

    quiet_signals();
    for (size_t i = 0; i < config->n_regions; i++)
        fnp_raw_mprotect(config->regions[i].addr, config->regions[i].len,
                         config->regions[i].prot);
    status =
        fnp_lab_open(&own.lab, config->hang_ms ? config->hang_ms : 60, &channel->err);
    if (status == FNP_OK)
        status = fnp_seal(&stack_end, &channel->err);
    if (status != FNP_OK)
        fnp_raw3(SYS_exit_group, 4, 0, 0);
    set_host_range(frame, stack_end);
    channel->ready = true;
    while (fnp_raw_read(socket, &byte, 1) == 1) {
        serve(config, channel);
        fnp_raw_write(socket, &byte, 1);
    }
    fnp_raw3(SYS_exit_group, 0, 0, 0);
    __builtin_unreachable();
}
