/* SPDX-License-Identifier: MIT */
#include "trace/listing.h"

#include <string.h>

struct listing {
    void (*tell)(void *arg, const struct fnp_listed *listed);
    void *arg;
    struct fnp_listed now;
    bool has_now;
};

/* The instruction at hand is complete: `next` has what it left. */
static void finish(struct listing *l, const struct fnp_step *next)
{
    struct fnp_listed *now = &l->now;

    if (!l->has_now)
        return;
    now->is_last = !next;
    for (unsigned i = 0; next && i < FNP_N_GPRS; i++) {
        now->after[i] = next->gpr[i];
        if (next->gpr[i] != now->gpr[i])
            now->changed |= (uint16_t)(1u << i);
    }
    /* Behind the last return of a repeated call stands what the next one is given. */
    if (now->effect.flow == FNP_FLOW_RET)
        now->changed &= now->effect.regs_written;
    now->taken =
        next && now->effect.flow == FNP_FLOW_BRANCH && next->addr == now->effect.target;
    l->tell(l->arg, now);
    l->has_now = false;
}

static void on_step(void *arg, const struct fnp_step *s)
{
    struct listing *l = arg;

    finish(l, s);
    l->now = (struct fnp_listed){
        .step = s->index, .addr = s->addr, .effect = *s->effect, .flags = s->flags
    };
    memcpy(l->now.gpr, s->gpr, sizeof(l->now.gpr));
    l->now.not_run = s->effect->refused || s->effect->flow == FNP_FLOW_SYSCALL;
    l->has_now = true;
}

static void on_access(void *arg, const struct fnp_step *s,
                      const struct fnp_traced_access *a)
{
    struct listing *l = arg;

    (void)s;
    if (l->now.n_accesses < FNP_LISTED_ACCESSES)
        l->now.access[l->now.n_accesses++] = *a;
}

bool fnp_listing(struct fnp_insns *insns, const struct fnp_log *log,
                 void (*tell)(void *arg, const struct fnp_listed *listed), void *arg)
{
    struct listing l = { .tell = tell, .arg = arg };
    const struct fnp_steps steps = { on_step, on_access, &l };
    bool whole = fnp_trace_walk(insns, log, &steps);

    finish(&l, NULL);
    return whole;
}

/* Bytes of an access that lie beside the buffer that it is counted for. */
static uint64_t outside(const struct fnp_spots *spots, const struct fnp_spot *spot,
                        const struct fnp_traced_access *a)
{
    const struct fnp_placed *p = &spots->outcome->buf[spot->role];
    uint64_t lo = a->addr > p->addr ? a->addr : p->addr;
    uint64_t hi =
        a->addr + a->len < p->addr + p->len ? a->addr + a->len : p->addr + p->len;

    return a->len - (hi > lo ? hi - lo : 0);
}

static void add_access(const struct fnp_spots *spots, const struct fnp_traced_access *a,
                       struct fnp_listing_sums *sums)
{
    const struct fnp_spot spot = fnp_spot_of(spots, a->addr, a->write);
    uint64_t read = a->read ? a->len : 0, written = a->write ? a->len : 0;

    if (a->unknown) {
        sums->unknown++;
        return;
    }
    switch (spot.kind) {
    case FNP_SPOT_IN_BUFFER:
    case FNP_SPOT_AT_BUFFER:
        sums->buffer[spot.role].read += read;
        sums->buffer[spot.role].written += written;
        sums->buffer[spot.role].outside += outside(spots, &spot, a);
        break;
    case FNP_SPOT_ON_STACK:
        sums->stack.read += read;
        sums->stack.written += written;
        break;
    case FNP_SPOT_IN_IMAGE:
        sums->image.read += read;
        sums->image.written += written;
        break;
    default:
        sums->elsewhere.read += read;
        sums->elsewhere.written += written;
        break;
    }
}

void fnp_listing_add(const struct fnp_spots *spots, const struct fnp_listed *listed,
                     struct fnp_listing_sums *sums)
{
    const struct fnp_effect *e = &listed->effect;
    bool weak = false;

    if (listed->not_run)
        return;
    sums->steps++;
    for (size_t i = 0; i < listed->n_accesses; i++) {
        add_access(spots, &listed->access[i], sums);
        weak |= listed->access[i].weak && listed->access[i].write;
    }
    sums->weak += weak;
    sums->fences += e->order == FNP_ORDERS_FENCE;
    if (e->stand_in && sums->n_left_out++ == 0)
        sums->first_left_out = listed->addr;
}
