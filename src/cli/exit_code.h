/* SPDX-License-Identifier: MIT */
/*
 * exit_code.h - the exit status of a run as a pure function of what happened
 *
 * Depends on: nothing.
 */
#ifndef FNP_CLI_EXIT_CODE_H
#define FNP_CLI_EXIT_CODE_H

#include <stdbool.h>

/* What happened.  Zero means: everything was checked and is clean. */
struct fnp_run_facts {
    int signal;         /* that stopped the run; 0: none */
    bool failed;        /* fencepost itself or the system failed */
    bool bad_input;     /* usage or input was wrong */
    bool findings;      /* a kernel failed its verdict */
    bool nothing;       /* no kernel got as far as pass or fail */
    bool named_open;    /* a kernel named explicitly was skipped or is inconclusive */
    bool has_skip_exit; /* --skip-exit: */
    int skip_exit;      /* replaces 3 */
};

/* 128+N, 4, 2, 1, 3, 0: the first that applies. */
int fnp_exit_code(const struct fnp_run_facts *facts);

#endif
