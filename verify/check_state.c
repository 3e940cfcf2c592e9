/* SPDX-License-Identifier: MIT */
/*
 * check_state.c - judge the machine state after a return: rsp, registers, flags, x87,
 * MXCSR and vectors
 *
 * Only what the captured bits say was captured is judged.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "verify/check_internal.h"

static bool returned_with(const struct fnp_judging *j, unsigned captured)
{
    return j->o->end == FNP_END_RETURNED && (j->o->out.captured & captured) == captured;
}

void fnp_judge_rsp(struct fnp_judging *j)
{
    /* in.gpr is the state at the first instruction: rsp points at the return address. */
    uint64_t want = j->o->in.gpr[FNP_RSP] + fnp_word_len(j->contract->is32);
    uint64_t got = j->o->out.gpr[FNP_RSP];
    const char *name = fnp_gpr_name(FNP_RSP, j->contract->is32);
    struct fnp_finding *f;
    struct fnp_str text;

    if (!returned_with(j, FNP_HAS_GPR) || got == want) {
        return;
    }
    f = fnp_judging_add(j, FNP_RULE_STACK_MOVED, name);
    text = fnp_finding_text(f);
    if (got - want < 0x10000 || want - got < 0x10000) {
        fnp_str_add(&text, "%s is off by %+" PRId64 " bytes on return", name,
                    (int64_t)(got - want));
    } else {
        fnp_str_add(&text, "%s is 0x%" PRIx64 " on return, far from the caller's stack",
                    name, got);
    }
    fnp_finding_register(f, name, want, got, fnp_word_len(j->contract->is32));
}

void fnp_judge_registers(struct fnp_judging *j)
{
    const struct fnp_state *in = &j->o->in;
    const struct fnp_state *out = &j->o->out;
    uint32_t kept = fnp_kept_gprs(j->contract);
    struct fnp_finding *f = NULL;
    struct fnp_str text = { 0 };

    if (!returned_with(j, FNP_HAS_GPR)) {
        return;
    }
    for (unsigned i = 0; i < FNP_N_GPRS; i++) {
        if (!(kept >> i & 1) || in->gpr[i] == out->gpr[i]) {
            continue;
        }
        if (f) {
            fnp_str_add(&text, ", also %s", fnp_gpr_name(i, j->contract->is32));
            continue;
        }
        f = fnp_judging_add(j, FNP_RULE_REGISTER_LOST,
                            fnp_gpr_name(i, j->contract->is32));
        text = fnp_finding_text(f);
        fnp_str_add(&text, "%s changed: want 0x%" PRIx64 " got 0x%" PRIx64,
                    fnp_gpr_name(i, j->contract->is32), in->gpr[i], out->gpr[i]);
        fnp_finding_register(f, fnp_gpr_name(i, j->contract->is32), in->gpr[i],
                             out->gpr[i], fnp_word_len(j->contract->is32));
    }
}

static void segment(struct fnp_judging *j, const char *reg, const char *what,
                    uint64_t want, uint64_t got)
{
    struct fnp_finding *f;
    struct fnp_str text;

    if (want == got) {
        return;
    }
    f = fnp_judging_add(j, FNP_RULE_REGISTER_LOST, reg);
    text = fnp_finding_text(f);
    /* The fs base is an address of fencepost's own and differs from run to run. */
    fnp_str_add(&text, "%s changed", what);
    snprintf(f->reg, sizeof(f->reg), "%s", reg);
}

void fnp_judge_segments(struct fnp_judging *j)
{
    const struct fnp_state *in = &j->o->in;
    const struct fnp_state *out = &j->o->out;

    if (!returned_with(j, FNP_HAS_GPR)) {
        return;
    }
    /* 32-bit code has no bases apart from selectors; saving and restoring one clears them. */
    bool base = !j->contract->is32;

    if (in->fs != out->fs) {
        segment(j, "fs", "segment register fs", in->fs, out->fs);
    } else if (base) {
        segment(j, "fs", "fs base", in->fs_base, out->fs_base);
    }
    if (in->gs != out->gs) {
        segment(j, "gs", "segment register gs", in->gs, out->gs);
    } else if (base) {
        segment(j, "gs", "gs base", in->gs_base, out->gs_base);
    }
    segment(j, "ds", "segment register ds", in->ds, out->ds);
    segment(j, "es", "segment register es", in->es, out->es);
}

void fnp_judge_df(struct fnp_judging *j)
{
    struct fnp_finding *f;
    struct fnp_str text;

    if (!returned_with(j, FNP_HAS_GPR) || !(j->o->out.rflags & FNP_FLAG_DF)) {
        return;
    }
    f = fnp_judging_add(j, FNP_RULE_DF_SET, "df");
    text = fnp_finding_text(f);
    fnp_str_add(&text, "the direction flag is set on return");
}

void fnp_judge_flags(struct fnp_judging *j)
{
    static const struct {
        uint64_t bit;
        const char *name;
    } names[] = {
        { FNP_FLAG_AC, "AC" },
        { FNP_FLAG_NT, "NT" },
        { FNP_FLAG_TF, "TF" },
    };
    uint64_t in = j->o->in.rflags & FNP_FLAGS_KEPT;
    uint64_t out = j->o->out.rflags & FNP_FLAGS_KEPT;
    struct fnp_finding *f;
    struct fnp_str text;

    if (!returned_with(j, FNP_HAS_GPR) || in == out) {
        return;
    }
    f = fnp_judging_add(j, FNP_RULE_FLAGS_CHANGED, "flags");
    text = fnp_finding_text(f);
    for (size_t i = 0; i < FNP_ARRAY_LEN(names); i++) {
        if ((in ^ out) & names[i].bit) {
            fnp_str_add(&text, "%s%s %s on return", text.len ? ", " : "", names[i].name,
                        out & names[i].bit ? "set" : "clear");
        }
    }
    fnp_finding_register(f, "rflags", in, out, 4);
}

void fnp_judge_mmx(struct fnp_judging *j)
{
    uint8_t used = j->o->out.ftw & (uint8_t)~j->o->in.ftw;
    enum fnp_state_rule state = j->contract->state;
    struct fnp_finding *f;
    struct fnp_str text;

    if (!returned_with(j, FNP_HAS_TAGS) || used == 0 || state == FNP_STATE_PRESERVE ||
        state == FNP_STATE_MMX_LIVE) {
        return;
    }
    f = fnp_judging_add(j, FNP_RULE_MMX_DIRTY, "tags");
    text = fnp_finding_text(f);
    fnp_str_add(&text, "%d x87 registers are not empty on return (no emms or frstor)",
                __builtin_popcount(used));
    fnp_finding_register(f, "ftw", j->o->in.ftw, j->o->out.ftw, 1);
}

/*
 * All x87 findings share a region and name no register: fnsave without frstor shows
 * as control word, tags or contents, whatever the case started with, and is one fault.
 */
static struct fnp_finding *x87(struct fnp_judging *j, const char *what)
{
    struct fnp_finding *f = fnp_judging_add(j, FNP_RULE_X87_CHANGED, "x87");
    struct fnp_str text = fnp_finding_text(f);

    fnp_str_add(&text, "%s", what);
    return f;
}

static void x87_word(struct fnp_judging *j, const char *what, unsigned want,
                     unsigned got)
{
    struct fnp_finding *f = x87(j, "");
    struct fnp_str text = fnp_finding_text(f);

    fnp_str_add(&text, "the x87 %s changed: want %04x got %04x", what, want, got);
    fnp_finding_register(f, "", want, got, 2);
}

/* Contents of one row of a register array: name, want and got as memory bytes. */
static void set_row(struct fnp_finding *f, const char *reg, const uint8_t *want,
                    const uint8_t *got, size_t len)
{
    struct fnp_str want_text = fnp_str_over(f->want, sizeof(f->want));
    struct fnp_str got_text = fnp_str_over(f->got, sizeof(f->got));

    snprintf(f->reg, sizeof(f->reg), "%s", reg);
    fnp_str_add_hex(&want_text, want, len);
    fnp_str_add_hex(&got_text, got, len);
}

/* Register contents, ST(0) first, as FXSAVE stores them. */
static void x87_contents(struct fnp_judging *j)
{
    const struct fnp_state *in = &j->o->in;
    const struct fnp_state *out = &j->o->out;

    for (unsigned i = 0; i < 8; i++) {
        char what[64];
        struct fnp_finding *f;

        if (memcmp(in->st[i], out->st[i], sizeof(in->st[i])) == 0) {
            continue;
        }
        snprintf(what, sizeof(what), "x87/MMX register contents changed, first st%u",
                 i);
        f = x87(j, what);
        set_row(f, "", in->st[i], out->st[i], sizeof(in->st[i]));
        return;
    }
}

/* Is TOP judged?  With registers in use it says no more than mmx-dirty does. */
static bool top_matters(const struct fnp_judging *j)
{
    return j->contract->state == FNP_STATE_PRESERVE ||
           (j->contract->state != FNP_STATE_KERNEL_FPU && !j->o->in.ftw &&
            !j->o->out.ftw);
}

/* One finding: the control word, else tags, else status, else contents. */
void fnp_judge_x87(struct fnp_judging *j)
{
    const struct fnp_state *in = &j->o->in;
    const struct fnp_state *out = &j->o->out;
    bool preserve = j->contract->state == FNP_STATE_PRESERVE;
    bool tags = returned_with(j, FNP_HAS_TAGS);
    unsigned status = (in->fsw ^ out->fsw) & FNP_FSW_STATE;

    if (returned_with(j, FNP_HAS_GPR) && in->fcw != out->fcw) {
        x87_word(j, "control word", in->fcw, out->fcw);
    } else if (tags && preserve && in->ftw != out->ftw) {
        x87_word(j, "tags", in->ftw, out->ftw);
    } else if (tags && (status & FNP_FSW_TOP) && top_matters(j)) {
        x87_word(j, "top of stack", in->fsw, out->fsw);
    } else if (tags && preserve && status) {
        x87_word(j, "status word", in->fsw, out->fsw);
    } else if (preserve && returned_with(j, FNP_HAS_X87)) {
        x87_contents(j);
    }
}

void fnp_judge_mxcsr(struct fnp_judging *j)
{
    uint32_t in = j->o->in.mxcsr;
    uint32_t out = j->o->out.mxcsr;
    uint32_t judged =
        j->contract->state == FNP_STATE_PRESERVE ? 0xffffu : FNP_MXCSR_CONTROL;
    struct fnp_finding *f;
    struct fnp_str text;

    if (!returned_with(j, FNP_HAS_GPR) || ((in ^ out) & judged) == 0) {
        return;
    }
    f = fnp_judging_add(j, FNP_RULE_MXCSR_CHANGED, "mxcsr");
    text = fnp_finding_text(f);
    fnp_str_add(&text, "%s changed: want %04x got %04x",
                (in ^ out) & FNP_MXCSR_CONTROL ? "MXCSR" : "MXCSR sticky flags", in,
                out);
    fnp_finding_register(f, "mxcsr", in, out, 4);
}

/* The first of the rows in `mask` that differs, or 16. */
static unsigned row_differs(const uint8_t in[16][16], const uint8_t out[16][16],
                            uint32_t mask)
{
    unsigned i = 0;

    while (i < 16 && (!(mask >> i & 1) || memcmp(in[i], out[i], 16) == 0)) {
        i++;
    }
    return i;
}

void fnp_judge_vectors(struct fnp_judging *j)
{
    const struct fnp_state *in = &j->o->in;
    const struct fnp_state *out = &j->o->out;
    const char *kind = "xmm";
    unsigned i = 16;
    struct fnp_finding *f;
    struct fnp_str text;
    char reg[12];

    if (returned_with(j, FNP_HAS_XMM)) {
        i = row_differs(in->xmm, out->xmm, fnp_kept_xmm(j->contract));
    }
    if (i == 16 && returned_with(j, FNP_HAS_YMM)) {
        kind = "ymm";
        i = row_differs(in->ymm_high, out->ymm_high, fnp_kept_ymm(j->contract));
    }
    if (i == 16) {
        return;
    }
    snprintf(reg, sizeof(reg), "%s%u", kind, i);
    f = fnp_judging_add(j, FNP_RULE_VECTOR_CHANGED, reg);
    text = fnp_finding_text(f);
    if (kind[0] == 'x') {
        fnp_str_add(&text, "%s changed", reg);
        set_row(f, reg, in->xmm[i], out->xmm[i], 16);
    } else {
        fnp_str_add(&text, "the upper half of %s changed", reg);
        set_row(f, reg, in->ymm_high[i], out->ymm_high[i], 16);
    }
}

void fnp_judge_upper(struct fnp_judging *j)
{
    static const uint8_t zero[16][16];
    const struct fnp_state *out = &j->o->out;
    enum fnp_state_rule state = j->contract->state;
    unsigned i = 16;
    struct fnp_finding *f;
    struct fnp_str text;

    if (j->o->c.ymm || (state != FNP_STATE_USER && state != FNP_STATE_MMX_LIVE)) {
        return;
    }
    if (returned_with(j, FNP_HAS_YMM)) {
        i = row_differs(zero, out->ymm_high, 0xffff);
    }
    /* In-use bits already set at entry are not the kernel's doing. */
    if (i == 16 && !(returned_with(j, FNP_HAS_INUSE) &&
                     out->xinuse & ~j->o->in.xinuse & FNP_XINUSE_YMM)) {
        return;
    }
    f = fnp_judging_add(j, FNP_RULE_UPPER_DIRTY, "ymm");
    text = fnp_finding_text(f);
    if (i < 16) {
        fnp_str_add(&text,
                    "the upper half of ymm%u is in use on return (no vzeroupper)", i);
    } else {
        fnp_str_add(&text, "upper YMM halves are in use on return (no vzeroupper)");
    }
}
