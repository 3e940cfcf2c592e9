/* SPDX-License-Identifier: MIT */
/*
 * stop.h - Ctrl-C and SIGTERM end a run early, with what is known so far
 *
 * Depends on: nothing.
 */
#ifndef FNP_CLI_STOP_H
#define FNP_CLI_STOP_H

#include <stdbool.h>

/* Set by the handler; poll it. */
extern bool fnp_stop_flag;

/* Catch SIGINT, SIGTERM and SIGHUP.  A second one ends the process at once. */
void fnp_stop_catch(void);

/* The signal that came in, 0: none. */
int fnp_stop_signal(void);

#endif
