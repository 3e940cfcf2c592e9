/* SPDX-License-Identifier: MIT */
/*
 * stop.c - the signal handler behind "print what is known so far"
 */
#include "cli/stop.h"

#include <signal.h>
#include <stddef.h>
#include <time.h>

bool fnp_stop_flag;
static volatile sig_atomic_t caught;

static struct timespec caught_at;

/*
 * The first signal asks for the summary.  Whoever sends another half a second later does
 * not want it any more; one that comes at once is the same wish (`timeout` signals the
 * process and its group).
 */
static void on_signal(int sig)
{
    struct timespec now = { 0 };

    clock_gettime(CLOCK_MONOTONIC, &now);
    if (caught) {
        long long ms = (now.tv_sec - caught_at.tv_sec) * 1000LL +
                       (now.tv_nsec - caught_at.tv_nsec) / 1000000;

        if (ms > 500) {
            signal(sig, SIG_DFL);
            raise(sig);
        }
        return;
    }
    caught = sig;
    caught_at = now;
    __atomic_store_n(&fnp_stop_flag, true, __ATOMIC_RELAXED);
}

void fnp_stop_catch(void)
{
    static const int signals[] = { SIGINT, SIGTERM, SIGHUP };
    struct sigaction action = { .sa_handler = on_signal };
    struct sigaction old;

    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]); i++) {
        /* A signal ignored from outside (nohup, background jobs) stays ignored. */
        if (sigaction(signals[i], NULL, &old) == 0 && old.sa_handler != SIG_IGN) {
            sigaction(signals[i], &action, NULL);
        }
    }
}

int fnp_stop_signal(void)
{
    return caught;
}
