/* SPDX-License-Identifier: MIT */
/*
 * execute.c - one case from its description to its outcome: lay out, fill, call,
 * observe, compare with the reference, put everything back
 *
 * It never decides whether an outcome is good.
 */
#include <string.h>

#include "run/alias.h"
#include "run/context.h"
#include "run/copy.h"
#include "run/gate.h"
#include "run/lab.h"
#include "run/machine.h"
#include "run/observe.h"
#include "run/reference.h"
#include "run/start.h"

/* A margin around a buffer that no field is longer than. */
#define WHOLE_FIELD UINT64_MAX
/* How much longer a case with a large buffer may take. */
#define LARGE_PATIENCE 16
/* The same for each further chunk of an aliased one. */
#define ALIAS_PATIENCE 32

/* The harness's view of a kernel address. */
static unsigned char *view(const struct fnp_lab *lab, unsigned role, uint64_t addr)
{
    return lab->layout.field[role]->harness + (addr - lab->layout.buf[role].lo);
}

static const unsigned char *pristine(const struct fnp_lab *lab, unsigned role,
                                     uint64_t addr)
{
    return lab->layout.field[role]->pristine + (addr - lab->layout.buf[role].lo);
}

static uint64_t mapped_len(const struct fnp_placed *p)
{
    return p->mapped < p->len ? p->mapped : p->len;
}

static const struct fnp_buf *buf_of(const struct fnp_lab *lab, unsigned role)
{
    return lab->buf[role];
}

/*
 * Other old bytes in an output: the complement of what is wanted there, so that a
 * byte that is not written is wrong whatever happens.  What reference code will want
 * is not known yet: there it is the complement of what else lies there.
 */
static void fill_old(const struct fnp_lab *lab, const struct fnp_case *c, unsigned role)
{
    const struct fnp_placed *p = &lab->layout.buf[role];
    const unsigned char *want = fnp_lab_expected(lab, c, role);
    unsigned char *at = view(lab, role, p->addr);

    for (uint64_t i = 0; i < mapped_len(p); i++)
        at[i] = (unsigned char)~want[i];
    /* With reference code the result itself is saved there. */
    if (lab->kernel->contract.op != FNP_OP_REF)
        memcpy(lab->saved[role], at, mapped_len(p));
}

/*
 * The pattern has the top bit of every byte set, so a quarter of the cases starts from
 * the complement of the result instead; a variant takes what its case does not.
 */
static bool has_other_old(const struct fnp_case *c, unsigned mode)
{
    return (c->seed % 4 == 3) != ((mode & FNP_MODE_OTHER_OLD) != 0);
}

/* Contents of the inputs, and other old bytes in the outputs when asked for. */
void fnp_lab_fill(const struct fnp_lab *lab, const struct fnp_case *c, unsigned mode)
{
    for (unsigned role = 0; role < FNP_MAX_BUFS; role++) {
        if (lab->layout.buf[role].present && buf_of(lab, role)->writes &&
            has_other_old(c, mode))
            fill_old(lab, c, role);
    }
    for (unsigned role = 0; role < FNP_MAX_BUFS; role++) {
        const struct fnp_placed *p = &lab->layout.buf[role];

        if (p->present && buf_of(lab, role)->reads)
            memcpy(view(lab, role, p->addr), fnp_contents_of(&lab->contents, c, role),
                   mapped_len(p));
    }
}

/* [lo, hi) of a buffer with `margin` on both sides, cut to its field. */
static void window(const struct fnp_placed *p, uint64_t margin, uint64_t *lo,
                   uint64_t *hi)
{
    uint64_t end = p->addr + mapped_len(p);

    *lo = p->addr - p->lo > margin ? p->addr - margin : p->lo;
    *hi = p->hi - end > margin ? end + margin : p->hi;
}

/* Bring [addr - margin, addr + len + margin) of a buffer back to the pattern. */
static void restore(const struct fnp_lab *lab, unsigned role, uint64_t margin)
{
    uint64_t lo = 0, hi = 0;

    window(&lab->layout.buf[role], margin, &lo, &hi);
    memcpy(view(lab, role, lo), pristine(lab, role, lo), hi - lo);
}

void fnp_lab_restore(const struct fnp_lab *lab, uint64_t margin)
{
    for (unsigned role = 0; role < FNP_MAX_BUFS; role++) {
        const struct fnp_placed *p = &lab->layout.buf[role];

        if (p->present)
            restore(lab, role, p->read_only && !lab->layout.shared ? 0 : margin);
    }
}

static void reset_outcome(struct fnp_lab *lab, const struct fnp_case *c,
                          struct fnp_outcome *out)
{
    fnp_copy_inline(&out->c, c, sizeof(out->c));
    out->end = FNP_END_SKIPPED;
    out->judged_bytes = false;
    out->huge = false;
    out->full = false;
    out->has_want_return = false;
    out->ref_end = FNP_END_RETURNED;
    out->ref_strayed = false;
    out->fault.sig = 0;
    if (lab->quiet == out)
        return;
    for (unsigned role = 0; role < FNP_MAX_BUFS; role++) {
        out->body[role].count = 0;
        out->head[role].count = 0;
        out->tail[role].count = 0;
        out->far_off[role].count = 0;
    }
    out->frame.count = 0;
    out->tool.count = 0;
}

static void call(struct fnp_lab *lab)
{
    struct fnp_context *ctx = &fnp_context;

    if (lab->before_call)
        lab->before_call();
    ctx->signal.ended = 0;
    ctx->trap_flag = 0;
    /* Only kept when its base was found changed: the base is what C code needs. */
    ctx->out_fs_selector = ctx->host_fs_selector;
    ctx->sequence++;
    ctx->armed = 1;
    fnp_trampoline();
    ctx->armed = 0;
}

/* Further calls on fresh buffers, with the FP state the call before left. */
static void repeat(struct fnp_lab *lab, const struct fnp_case *c, unsigned mode)
{
    struct fnp_context *ctx = &fnp_context;

    for (unsigned i = 0; i < c->repeat && ctx->signal.ended == 0; i++) {
        fnp_lab_restore(lab, 0);
        fnp_lab_fill(lab, c, mode);
        fnp_start_make(lab, c, lab->entry, true);
        memcpy(ctx->xsave_in, ctx->xsave_out, 576);
        call(lab);
    }
}

static void run_reference_code(struct fnp_lab *lab, const struct fnp_case *c,
                               unsigned mode, struct fnp_outcome *out)
{
    uint64_t margin = mode & FNP_MODE_THOROUGH || out->end != FNP_END_RETURNED
                          ? WHOLE_FIELD
                          : FNP_REDZONE_LEN;

    for (unsigned role = 0; role < FNP_MAX_BUFS; role++) {
        const struct fnp_placed *p = &lab->layout.buf[role];
        uint64_t lo = 0, hi = 0;

        if (!p->present)
            continue;
        window(p, margin, &lo, &hi);
        memcpy(lab->saved[role] + (lo - p->lo), view(lab, role, lo), hi - lo);
    }
    for (unsigned role = 0; role < FNP_MAX_BUFS; role++) {
        if (lab->layout.buf[role].present)
            restore(lab, role, margin);
    }
    fnp_lab_fill(lab, c, mode);
    fnp_start_make(lab, c, lab->kernel->ref.entry, true);
    fnp_gate_choose(FNP_GATE_REF);
    call(lab);
    fnp_gate_choose(FNP_GATE_KERNEL);
    fnp_start_forget(); /* its red zone is not the kernel's */
    out->ref_return = fnp_result(&lab->kernel->contract, fnp_context.out_gpr);
    out->ref_end = (uint8_t)(fnp_context.signal.ended ? fnp_context.signal.ended - 1
                                                      : FNP_END_RETURNED);
}

/* Did what ran last, the reference, write beside an output of its own field? */
static bool has_strayed(const struct fnp_lab *lab)
{
    for (unsigned role = 0; role < FNP_MAX_BUFS; role++) {
        const struct fnp_placed *p = &lab->layout.buf[role];
        uint64_t lo = 0, hi = 0, end = p->addr + p->len;

        if (!p->present || p->read_only || lab->layout.shared)
            continue;
        window(p, FNP_REDZONE_LEN, &lo, &hi);
        if (memcmp(view(lab, role, lo), pristine(lab, role, lo), p->addr - lo) != 0 ||
            memcmp(view(lab, role, end), pristine(lab, role, end), hi - end) != 0)
            return true;
    }
    return false;
}

/* Reference code cannot run over a buffer of which only a window is there. */
static bool uses_reference(const struct fnp_lab *lab)
{
    return lab->kernel->contract.op == FNP_OP_REF && !lab->layout.huge;
}

/* Is there anything to compare the outputs with? */
static bool may_compare(const struct fnp_lab *lab, const struct fnp_outcome *out)
{
    if (lab->layout.huge)
        return lab->kernel->contract.op != FNP_OP_REF;
    return out->end == FNP_END_RETURNED;
}

/* The expected bytes of the output `role`. */
const unsigned char *fnp_lab_expected(const struct fnp_lab *lab,
                                      const struct fnp_case *c, unsigned role)
{
    const struct fnp_contract *contract = &lab->kernel->contract;
    const struct fnp_placed *p = &lab->layout.buf[role];
    const struct fnp_buf *buf = buf_of(lab, role);

    switch (contract->op) {
    case FNP_OP_COPY:
    case FNP_OP_MOVE:
        return fnp_contents_of(&lab->contents, c, FNP_SRC);
    case FNP_OP_ZERO:
        if (!lab->layout.large)
            return lab->contents.pool[FNP_FILL_ZERO];
        fnp_reference_set(lab->expect, 0, 1, mapped_len(p));
        return lab->expect;
    case FNP_OP_SET:
        fnp_reference_set(lab->expect, c->value[0], buf->elem > 1 ? buf->elem : 1,
                          mapped_len(p));
        return lab->expect;
    case FNP_OP_REF:
        return view(lab, role, p->addr);
    }
    return lab->expect;
}

/* Where the kernel's result is now: in place, or saved while the reference ran. */
static const unsigned char *result(const struct fnp_lab *lab, unsigned role,
                                   uint64_t addr)
{
    if (uses_reference(lab))
        return lab->saved[role] + (addr - lab->layout.buf[role].lo);
    return view(lab, role, addr);
}

static void compare_body(const struct fnp_lab *lab, const struct fnp_case *c,
                         unsigned role, unsigned mode, struct fnp_outcome *out)
{
    const struct fnp_placed *p = &lab->layout.buf[role];
    bool other = has_other_old(c, mode);
    bool saved = other && lab->kernel->contract.op != FNP_OP_REF;
    const unsigned char *old = saved ? lab->saved[role] : pristine(lab, role, p->addr);
    struct fnp_comparison cmp = {
        .got = result(lab, role, p->addr),
        .want = fnp_lab_expected(lab, c, role),
        .stale = buf_of(lab, role)->reads ? NULL : old,
        .stale_flip = other && !saved ? 0xff : 0, /* see fill_old */
        .len = mapped_len(p),
        .stale_is_right = lab->layout.huge,
    };

    fnp_observe_diff(&cmp, &out->body[role]);
}

/* The part of a writable source that does not lie inside dst must not change. */
static void compare_source(const struct fnp_lab *lab, const struct fnp_case *c,
                           struct fnp_outcome *out)
{
    const struct fnp_placed *src = &lab->layout.buf[FNP_SRC];
    const struct fnp_placed *dst = &lab->layout.buf[FNP_DST];
    const unsigned char *want = fnp_contents_of(&lab->contents, c, FNP_SRC);
    uint64_t end = src->addr + src->len, dst_end = dst->addr + dst->len;
    const uint64_t parts[2][2] = {
        { src->addr,                                 dst->addr < end ? dst->addr : end },
        { dst_end > src->addr ? dst_end : src->addr, end                               },
    };

    for (unsigned i = 0; i < 2 && out->body[FNP_SRC].count == 0; i++) {
        if (parts[i][0] >= parts[i][1])
            continue;
        struct fnp_comparison cmp = {
            .got = result(lab, FNP_SRC, parts[i][0]),
            .want = want + (parts[i][0] - src->addr),
            .len = parts[i][1] - parts[i][0],
            .origin = -(int64_t)(parts[i][0] - src->addr),
        };

        fnp_observe_diff(&cmp, &out->body[FNP_SRC]);
    }
}

/* Is part of [lo, hi) inside a buffer that stands in the same field?  Which part? */
static bool covered(const struct fnp_lab *lab, unsigned role, uint64_t lo, uint64_t hi,
                    uint64_t *from, uint64_t *to)
{
    for (unsigned other = 0; other < FNP_MAX_BUFS; other++) {
        const struct fnp_placed *p = &lab->layout.buf[other];

        if (!p->present || p->lo != lab->layout.buf[role].lo || p->addr >= hi ||
            p->addr + p->len <= lo || p->len == 0)
            continue;
        *from = p->addr > lo ? p->addr : lo;
        *to = p->addr + p->len < hi ? p->addr + p->len : hi;
        return true;
    }
    return false;
}

/* One redzone [lo, hi) of `role`, leaving out what belongs to a buffer there. */
static void compare_zone(const struct fnp_lab *lab, unsigned role, uint64_t lo,
                         uint64_t hi, struct fnp_diff *out)
{
    uint64_t from = 0, to = 0;

    while (lo < hi && out->count == 0) {
        uint64_t stop =
            lab->layout.shared && covered(lab, role, lo, hi, &from, &to) ? from : hi;
        struct fnp_comparison cmp = {
            .got = result(lab, role, lo),
            .want = pristine(lab, role, lo),
            .len = stop - lo,
            .origin = (int64_t)(lab->layout.buf[role].addr - lo),
        };

        fnp_observe_diff(&cmp, out);
        lo = stop == hi ? hi : to;
    }
}

static void compare_zones(const struct fnp_lab *lab, unsigned role, uint64_t margin,
                          struct fnp_diff *head, struct fnp_diff *tail)
{
    const struct fnp_placed *p = &lab->layout.buf[role];
    uint64_t end = p->addr + mapped_len(p);

    compare_zone(lab, role, p->addr - p->lo > margin ? p->addr - margin : p->lo,
                 p->addr, head);
    if (end < p->hi)
        compare_zone(lab, role, end, p->hi - end > margin ? end + margin : p->hi, tail);
}

static void compare_frame(const struct fnp_lab *lab, struct fnp_outcome *out)
{
    unsigned skip = fnp_arguments_callee_bytes(&lab->kernel->contract, &lab->arguments);
    uint64_t at = 0;
    size_t len = 0;
    const unsigned char *frame = fnp_start_frame(&at, &len);
    const unsigned char *now = (const unsigned char *)(uintptr_t)at;

    if (fnp_equal_inline(now, frame, FNP_FRAME_LEN) &&
        memcmp(now + FNP_FRAME_LEN, frame + FNP_FRAME_LEN, len - FNP_FRAME_LEN) == 0)
        return;
    struct fnp_comparison cmp = {
        .got = now + skip,
        .want = frame + skip,
        .len = len - skip,
        .origin = -(int64_t)skip,
    };

    fnp_observe_diff(&cmp, &out->frame);
}

/* What alignment leaves over between the red zone and the guard below it. */
static void compare_below(const struct fnp_lab *lab, struct fnp_outcome *out)
{
    uint64_t frame = 0, at = 0;
    size_t len = 0;
    struct fnp_comparison cmp = { .want = fnp_start_below(lab, &at, &len) };

    if (out->frame.count || len == 0)
        return;
    cmp.got = (const unsigned char *)(uintptr_t)at;
    cmp.len = len;
    fnp_start_frame(&frame, &len);
    cmp.origin = (int64_t)(frame - at);
    fnp_observe_diff(&cmp, &out->frame);
}

void fnp_lab_compare(const struct fnp_lab *lab, const struct fnp_case *c, unsigned mode,
                     struct fnp_outcome *out)
{
    for (unsigned role = 0; role < FNP_MAX_BUFS; role++) {
        const struct fnp_placed *p = &lab->layout.buf[role];

        if (!p->present)
            continue;
        if (p->read_only && !lab->layout.shared)
            continue;
        if (!buf_of(lab, role)->writes) {
            compare_source(lab, c, out);
        } else if (may_compare(lab, out)) {
            compare_body(lab, c, role, mode, out);
            if (lab->layout.alias)
                fnp_alias_compare(lab, c, role, out);
            out->judged_bytes = true;
        }
        compare_zones(lab, role, FNP_REDZONE_LEN, &out->head[role], &out->tail[role]);
        if ((mode & FNP_MODE_THOROUGH) && !out->head[role].count &&
            !out->tail[role].count) {
            struct fnp_diff head = { 0 };

            compare_zones(lab, role, WHOLE_FIELD, &head, &out->far_off[role]);
            if (head.count)
                out->far_off[role] = head;
        }
    }
}

void fnp_lab_want_return(const struct fnp_lab *lab, struct fnp_outcome *out)
{
    const struct fnp_contract *contract = &lab->kernel->contract;
    const struct fnp_placed *dst = &lab->layout.buf[FNP_DST];

    out->has_want_return = true;
    switch (contract->returns) {
    case FNP_RETURNS_NONE:
        out->has_want_return = false;
        break;
    case FNP_RETURNS_DST:
        out->want_return = dst->addr;
        break;
    case FNP_RETURNS_DST_N:
        out->want_return = dst->addr + dst->len;
        break;
    case FNP_RETURNS_ZERO:
    case FNP_RETURNS_LEFT:
        out->want_return = 0;
        break;
    case FNP_RETURNS_REF:
        out->want_return = out->ref_return;
        break;
    case FNP_RETURNS_VALUE:
        out->want_return = contract->returns_value;
        break;
    }
}

/* Nothing differs and the call returned: no trace of it is left but in the outputs. */
static bool all_quiet(const struct fnp_outcome *out)
{
    uint64_t n = out->frame.count | out->tool.count;

    for (unsigned role = 0; role < FNP_MAX_BUFS; role++)
        n |= out->body[role].count | out->head[role].count | out->tail[role].count |
             out->far_off[role].count;
    return n == 0 && out->end == FNP_END_RETURNED && out->ref_end == FNP_END_RETURNED &&
           !out->ref_strayed;
}

/*
 * How far around its buffers a case may have left traces.  What is missed here would
 * be found in a later case and told as that one's doing.
 */
static uint64_t traces(const struct fnp_outcome *out, bool quiet)
{
    uint64_t outside = out->ref_end | out->ref_strayed;

    if (quiet)
        return 0;
    for (unsigned role = 0; role < FNP_MAX_BUFS; role++)
        outside |= out->head[role].count | out->tail[role].count;
    /* A read that faulted where it ran out of source wrote inside its bounds only. */
    if (!outside && out->end == FNP_END_FAULT && out->fault.access != FNP_ACCESS_WRITE)
        return 4096;
    return WHOLE_FIELD;
}

/* Own stack above the frames in use: it must not change while cases run. */
static void compare_host(const struct fnp_lab *lab, struct fnp_outcome *out)
{
    uint64_t hash = fnp_lab_hash_host(lab);

    out->tool.count = hash != lab->host_hash;
    out->tool.hash = hash;
}

static void observe(const struct fnp_case *c, struct fnp_outcome *out)
{
    if (!c->repeat)
        fnp_start_observe(out->full, &out->in);
    if (out->end == FNP_END_RETURNED)
        fnp_observe_state(out->full, &out->out);
}

static void compare_with_code(struct fnp_lab *lab, const struct fnp_case *c,
                              unsigned mode, struct fnp_outcome *out)
{
    run_reference_code(lab, c, mode, out);
    fnp_lab_compare(lab, c, mode, out);
    out->ref_strayed = out->ref_end == FNP_END_RETURNED && has_strayed(lab);
}

static unsigned patience(const struct fnp_layout *layout)
{
    return layout->alias ? ALIAS_PATIENCE : layout->large ? LARGE_PATIENCE : 1;
}

/* Buffers of the case as the layout says; false when that cannot be had. */
static bool lay_out(struct fnp_lab *lab, const struct fnp_case *c)
{
    if (!lab->kernel ||
        !fnp_layout_make(&lab->fields, &lab->kernel->contract, c, &lab->layout))
        return false;
    return !lab->layout.alias || fnp_alias_open(lab);
}

void fnp_lab_run(struct fnp_lab *lab, const struct fnp_case *c, unsigned mode,
                 struct fnp_outcome *out)
{
    struct fnp_context *ctx = &fnp_context;
    bool full = (mode & FNP_MODE_FULL) || c->x87 || c->ymm || c->repeat ||
                ctx->mask_low > FNP_XSAVE_CHEAP_MASK;

    reset_outcome(lab, c, out);
    lab->quiet = NULL;
    if (!lay_out(lab, c))
        return;
    out->huge = lab->layout.huge;
    ctx->ticks_limit = lab->ticks_limit * patience(&lab->layout);
    out->full = full;
    out->fill_value = c->value[0];
    out->end = FNP_END_RETURNED;

    fnp_lab_fill(lab, c, mode);
    if (lab->layout.alias)
        fnp_alias_fill(lab, c);
    fnp_start_make(lab, c, lab->entry, full);
    call(lab);
    if (c->repeat) {
        fnp_start_observe(full, &out->in);
        repeat(lab, c, mode);
    }
    if (ctx->signal.ended)
        fnp_observe_signal(lab, out);
    compare_frame(lab, out);
    compare_below(lab, out);
    if (uses_reference(lab)) {
        observe(c, out);
        compare_with_code(lab, c, mode, out);
    } else {
        /* Bytes first: by then the stores of the registers have left the pipeline. */
        fnp_lab_compare(lab, c, mode, out);
        observe(c, out);
    }
    fnp_lab_want_return(lab, out);
    fnp_copy_inline(out->buf, lab->layout.buf, sizeof(out->buf));
    if (mode & FNP_MODE_THOROUGH)
        compare_host(lab, out);
    bool quiet = all_quiet(out);

    if (!quiet)
        fnp_start_forget();
    lab->quiet = quiet ? out : NULL;
    fnp_lab_restore(lab, mode & FNP_MODE_THOROUGH ? WHOLE_FIELD : traces(out, quiet));
    if (lab->layout.alias)
        fnp_alias_close();
}
