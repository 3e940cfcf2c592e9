/* SPDX-License-Identifier: MIT */
/*
 * stop.c - the signal handler behind "print what is known so far"
 */
#include "cli/stop.h"

#include <signal.h>
#include <stddef.h>

bool fnp_stop_flag;
static volatile sig_atomic_t caught;

static void on_signal(int sig)
{
    caught = sig;
    __atomic_store_n(&fnp_stop_flag, true, __ATOMIC_RELAXED);
}

void fnp_stop_catch(void)
{
    static const int signals[] = { SIGINT, SIGTERM, SIGHUP };
    /* RESETHAND: whoever presses Ctrl-C twice does not want the summary. */
    struct sigaction action = { .sa_handler = on_signal,
                                .sa_flags = (int)SA_RESETHAND };
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
