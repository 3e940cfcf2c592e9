/* SPDX-License-Identifier: MIT */
/*
 * progress.c - the live line on stderr
 */
#include "cli/progress.h"

#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "base/str.h"

double fnp_now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

struct fnp_progress fnp_progress_init(bool wanted)
{
    return (struct fnp_progress){
        .live = wanted && isatty(STDERR_FILENO),
        .start = fnp_now(),
    };
}

static unsigned columns(void)
{
    struct winsize size;

    if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 20) {
        return size.ws_col;
    }
    return 80;
}

static void add_time(struct fnp_str *s, double seconds)
{
    if (seconds < 100) {
        fnp_str_add(s, "%.0f s", seconds);
    } else if (seconds < 6000) {
        fnp_str_add(s, "%.0f min", seconds / 60);
    } else {
        fnp_str_add(s, "%.1f h", seconds / 3600);
    }
}

void fnp_progress_text(char *text, unsigned cap, unsigned width, const char *kernel,
                       uint64_t done, uint64_t of, double rate)
{
    struct fnp_str s = fnp_str_over(text, cap < width ? cap : width);

    fnp_str_add(&s, "%s  %llu", kernel, (unsigned long long)done);
    if (of) {
        fnp_str_add(&s, " of %llu", (unsigned long long)of);
    }
    fnp_str_add(&s, " cases");
    if (rate > 0) {
        fnp_str_add(&s, "  %.0f/s", rate);
    }
    if (rate > 0 && of > done) {
        fnp_str_add(&s, "  ");
        add_time(&s, (double)(of - done) / rate);
        fnp_str_add(&s, " left");
    }
}

void fnp_progress_show(struct fnp_progress *p, const char *kernel, uint64_t done,
                       uint64_t of)
{
    char text[256];
    double now;

    if (!p->live) {
        return;
    }
    now = fnp_now();
    if (now - p->last < 0.1) {
        return;
    }
    double elapsed = now - p->start;
    double rate = elapsed > 0.2 ? (double)done / elapsed : 0;
    fnp_progress_text(text, sizeof(text), columns(), kernel, done, of, rate);
    fprintf(stderr, "\r%s\033[K", text);
    fflush(stderr);
    p->last = now;
    p->shown = true;
}

void fnp_progress_clear(struct fnp_progress *p)
{
    if (p->shown) {
        fprintf(stderr, "\r\033[K");
        fflush(stderr);
        p->shown = false;
    }
}
