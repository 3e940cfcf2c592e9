/* SPDX-License-Identifier: MIT */
#include "trace/spot.h"

enum {
    GUARD = 1 << 16,      /* bytes beside a field that nobody else uses */
    STACK_REACH = 1 << 19 /* bytes around the stack pointer that are its stack */
};

/* How far it lies outside of a buffer; 0: it does not. */
static uint64_t distance(const struct fnp_placed *p, uint64_t addr)
{
    if (addr < p->addr)
        return p->addr - addr;
    return addr - p->addr < p->len ? 0 : addr - (p->addr + p->len) + 1;
}

static bool is_near(const struct fnp_placed *p, uint64_t addr)
{
    return p->present && addr + GUARD >= p->lo && addr < p->hi + GUARD;
}

struct fnp_spot fnp_spot_of(const struct fnp_spots *spots, uint64_t addr, bool written)
{
    struct fnp_spot out = { .kind = FNP_SPOT_ELSEWHERE, .addr = addr };
    int64_t from_rsp = (int64_t)(addr - spots->rsp);
    uint64_t least = UINT64_MAX;

    for (unsigned role = 0; role < FNP_MAX_BUFS; role++) {
        const struct fnp_placed *p = &spots->outcome->buf[role];
        uint64_t far = is_near(p, addr) ? distance(p, addr) : UINT64_MAX;

        if (far > least || far == UINT64_MAX ||
            (far == least && p->read_only == written))
            continue;
        least = far;
        out.kind = far ? FNP_SPOT_AT_BUFFER : FNP_SPOT_IN_BUFFER;
        out.role = role;
        out.offset = (int64_t)(addr - p->addr);
    }
    if (out.kind != FNP_SPOT_ELSEWHERE)
        return out;
    if (from_rsp > -STACK_REACH && from_rsp < STACK_REACH) {
        out.kind = FNP_SPOT_ON_STACK;
        out.offset = from_rsp;
    } else if (fnp_image_symbol(spots->image, addr)) {
        out.kind = FNP_SPOT_IN_IMAGE;
    }
    return out;
}

static void add_offset(struct fnp_str *out, const char *base, int64_t offset)
{
    if (offset == 0)
        fnp_str_add(out, "%s", base);
    else
        fnp_str_add(out, "%s%+lld", base, (long long)offset);
}

void fnp_spot_text(const struct fnp_spots *spots, const struct fnp_spot *spot,
                   struct fnp_str *out)
{
    const struct fnp_symbol *symbol;

    switch (spot->kind) {
    case FNP_SPOT_IN_BUFFER:
    case FNP_SPOT_AT_BUFFER:
        add_offset(out, fnp_role_label(spot->role), spot->offset);
        break;
    case FNP_SPOT_ON_STACK:
        add_offset(out, fnp_gpr_name(FNP_RSP, spots->image->is32), spot->offset);
        break;
    case FNP_SPOT_IN_IMAGE:
        symbol = fnp_image_symbol(spots->image, spot->addr);
        fnp_str_add(out, "%s+0x%llx", symbol->name,
                    (unsigned long long)(spot->addr - symbol->addr));
        break;
    default:
        fnp_str_add(out, "0x%llx", (unsigned long long)spot->addr);
        break;
    }
}
