/* SPDX-License-Identifier: MIT */
/*
 * progress.h - one live line on a terminal: kernel, cases, rate, time left
 *
 * Silent when stderr is no terminal.
 *
 * Depends on: nothing.
 */
#ifndef FNP_CLI_PROGRESS_H
#define FNP_CLI_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

struct fnp_progress {
    bool live;    /* stderr is a terminal */
    bool shown;   /* the line is on the screen */
    double start; /* seconds; of the run */
    double last;  /* when the line was last written */
};

/* `wanted` false keeps it silent everywhere. */
struct fnp_progress fnp_progress_init(bool wanted);

/*
 * Show the line, at most ten times a second.  `done` and `of` count the cases of the
 * whole run; `of` 0: unknown.
 */
void fnp_progress_show(struct fnp_progress *p, const char *kernel, uint64_t done,
                       uint64_t of);

/* Wipe the line before anything else is printed. */
void fnp_progress_clear(struct fnp_progress *p);

/* Monotonic seconds. */
double fnp_now(void);

/* The line's text for known figures; at most `cap` bytes, never wider than `columns`. */
void fnp_progress_text(char *text, unsigned cap, unsigned columns, const char *kernel,
                       uint64_t done, uint64_t of, double rate);

#endif
