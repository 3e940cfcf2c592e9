/* SPDX-License-Identifier: MIT */
#include "trace/rounds.h"

#include <stdbool.h>
#include <string.h>

enum {
    SHOWN_FIRST = 2,  /* rounds before those that are left out */
    LEAST_HIDDEN = 2, /* rounds worth a line that says so */
    PERIODS = 4,      /* how often the first instruction may come again in a round */
    LONGEST = 1 << 16 /* steps of a round */
};

#define NONE SIZE_MAX

struct search {
    const uint64_t *addr;
    const size_t *next; /* the next step at the same address, NONE */
    struct fnp_rounds *out;
    size_t n_out;
};

/* For each step the next one at its address. */
static size_t *link_steps(struct fnp_arena *arena, const uint64_t *addr, size_t count)
{
    size_t *next = fnp_arena_array(arena, count, sizeof(*next));
    size_t room = 16;
    struct {
        uint64_t addr;
        size_t step;
    } *last;

    while (room < 2 * count)
        room *= 2;
    last = fnp_arena_array(arena, room, sizeof(*last));
    for (size_t i = count; i-- > 0;) {
        size_t k = (size_t)(addr[i] * 0x9e3779b97f4a7c15u >> 32) & (room - 1);

        while (last[k].addr && last[k].addr != addr[i])
            k = (k + 1) & (room - 1);
        next[i] = last[k].addr ? last[k].step : NONE;
        last[k].addr = addr[i];
        last[k].step = i;
    }
    return next;
}

/* How often the `period` steps at `at` run, one round behind the other, before `end`. */
static size_t count_rounds(const struct search *s, size_t at, size_t end, size_t period)
{
    size_t rounds = 1;

    while (at + (rounds + 1) * period <= end &&
           !memcmp(s->addr + at, s->addr + at + rounds * period,
                   period * sizeof(*s->addr)))
        rounds++;
    return rounds;
}

/* The round that begins there and is repeated often enough; false: none does. */
static bool find_round(const struct search *s, size_t at, size_t end, size_t *period,
                       size_t *rounds)
{
    size_t again = at;

    for (unsigned i = 0; i < PERIODS; i++) {
        again = s->next[again];
        if (again == NONE || again >= end || again - at > LONGEST)
            return false;
        *period = again - at;
        *rounds = count_rounds(s, at, end, *period);
        if (*rounds >= SHOWN_FIRST + LEAST_HIDDEN + 1)
            return true;
    }
    return false;
}

/* Of the steps [at, end), which are all shown otherwise. */
static void fold(struct search *s, size_t at, size_t end)
{
    while (at < end) {
        size_t period = 0, rounds = 0, hidden;

        if (!find_round(s, at, end, &period, &rounds)) {
            at++;
            continue;
        }
        for (unsigned i = 0; i < SHOWN_FIRST; i++, at += period)
            fold(s, at, at + period);
        hidden = rounds - SHOWN_FIRST - 1;
        s->out[s->n_out++] =
            (struct fnp_rounds){ .at = at, .steps = hidden * period, .rounds = hidden };
        at += hidden * period;
        fold(s, at, at + period);
        at += period;
    }
}

struct fnp_rounds *fnp_rounds_find(struct fnp_arena *arena, const uint64_t *addr,
                                   size_t count, size_t *found)
{
    struct search s = {
        .addr = addr,
        .next = link_steps(arena, addr, count),
        /* Each of them hides as many steps as this, and lies in nothing hidden. */
        .out = fnp_arena_array(arena, count / LEAST_HIDDEN + 1, sizeof(*s.out)),
    };

    fold(&s, 0, count);
    *found = s.n_out;
    return s.out;
}
