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

/* "xmm0-xmm3, xmm7": the registers of a mask. */
static void add_registers(struct fnp_str *text, const char *kind, uint32_t mask)
{
    const char *comma = "";

    for (unsigned i = 0; i < 16; i++) {
        unsigned last = i;

        if (!(mask >> i & 1)) {
            continue;
        }
        while (mask >> (last + 1) & 1) {
            last++;
        }
        fnp_str_add(text, "%s%s%u", comma, kind, i);
        if (last > i) {
            fnp_str_add(text, "-%s%u", kind, last);
        }
        comma = ", ";
        i = last;
    }
}

/* Registers with other contents, ST(0) first, as FXSAVE stores them. */
static uint32_t x87_rows(const struct fnp_judging *j)
{
    uint32_t mask = 0;

    for (unsigned i = 0; i < 8; i++) {
        if (memcmp(j->o->in.st[i], j->o->out.st[i], sizeof(j->o->in.st[i])) != 0) {
            mask |= 1u << i;
        }
    }
    return mask;
}

/* Is TOP judged?  With registers in use it says no more than mmx-dirty does. */
static bool top_matters(const struct fnp_judging *j)
{
    return j->contract->state == FNP_STATE_PRESERVE ||
           (j->contract->state != FNP_STATE_KERNEL_FPU && !j->o->in.ftw &&
            !j->o->out.ftw);
}

/* What may have changed of the x87 unit, in the order in which it is told. */
enum x87_part {
    X87_CONTROL = 1,
    X87_TAGS = 2,
    X87_TOP = 4,
    X87_STATUS = 8,
    X87_CONTENTS = 16,
};

static unsigned x87_changes(const struct fnp_judging *j)
{
    const struct fnp_state *in = &j->o->in;
    const struct fnp_state *out = &j->o->out;
    bool preserve = j->contract->state == FNP_STATE_PRESERVE;
    bool tags = returned_with(j, FNP_HAS_TAGS);
    unsigned status = (in->fsw ^ out->fsw) & FNP_FSW_STATE;
    unsigned parts = 0;

    if (returned_with(j, FNP_HAS_GPR) && in->fcw != out->fcw) {
        parts |= X87_CONTROL;
    }
    if (tags && (status & FNP_FSW_TOP) && top_matters(j)) {
        parts |= X87_TOP;
    }
    if (!preserve) {
        return parts;
    }
    if (tags && in->ftw != out->ftw) {
        parts |= X87_TAGS;
    }
    if (tags && (status & ~FNP_FSW_TOP)) {
        parts |= X87_STATUS;
    }
    if (returned_with(j, FNP_HAS_X87) && x87_rows(j)) {
        parts |= X87_CONTENTS;
    }
    return parts;
}

static void x87_words(const struct fnp_judging *j, struct fnp_str *text, unsigned part)
{
    const struct fnp_state *in = &j->o->in;
    const struct fnp_state *out = &j->o->out;

    switch (part) {
    case X87_CONTROL:
        fnp_str_add(text, "control word want %04x got %04x", in->fcw, out->fcw);
        break;
    case X87_TAGS:
        fnp_str_add(text, "tags want %02x got %02x", in->ftw, out->ftw);
        break;
    case X87_TOP:
        fnp_str_add(text, "TOP want %u got %u", in->fsw >> 11 & 7u,
                    out->fsw >> 11 & 7u);
        break;
    case X87_STATUS:
        fnp_str_add(text, "status flags want %04x got %04x",
                    in->fsw & ~(unsigned)FNP_FSW_TOP,
                    out->fsw & ~(unsigned)FNP_FSW_TOP);
        break;
    default:
        fnp_str_add(text, "contents of ");
        /* All eight live as MMX registers: TOP is 0, so the numbers are the same. */
        add_registers(text, j->o->c.x87 == FNP_X87_MMX ? "mm" : "st", x87_rows(j));
        break;
    }
}

static void x87_values(const struct fnp_judging *j, unsigned part,
                       struct fnp_finding *f)
{
    const struct fnp_state *in = &j->o->in;
    const struct fnp_state *out = &j->o->out;
    unsigned row = 0;

    switch (part) {
    case X87_CONTROL:
        fnp_finding_register(f, "", in->fcw, out->fcw, 2);
        break;
    case X87_TAGS:
        fnp_finding_register(f, "", in->ftw, out->ftw, 2);
        break;
    case X87_CONTENTS:
        row = (unsigned)__builtin_ctz(x87_rows(j));
        set_row(f, "", in->st[row], out->st[row], sizeof(in->st[row]));
        break;
    default:
        fnp_finding_register(f, "", in->fsw, out->fsw, 2);
        break;
    }
}

/*
 * One finding, which shares its region with all of its kind and names no register:
 * fnsave without frstor shows as control word, tags or contents, whatever the case
 * started with, and is one fault.
 */
void fnp_judge_x87(struct fnp_judging *j)
{
    unsigned parts = x87_changes(j);
    const char *comma = "";
    struct fnp_finding *f;
    struct fnp_str text;

    if (!parts) {
        return;
    }
    f = fnp_judging_add(j, FNP_RULE_X87_CHANGED, "x87");
    text = fnp_finding_text(f);
    fnp_str_add(&text, "x87 state changed: ");
    x87_values(j, parts & -parts, f);
    for (; parts; parts &= parts - 1) {
        fnp_str_add(&text, "%s", comma);
        x87_words(j, &text, parts & -parts);
        comma = ", ";
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

/* The rows in `mask` that differ. */
static uint32_t rows_differ(const uint8_t in[16][16], const uint8_t out[16][16],
                            uint32_t mask)
{
    uint32_t differ = 0;

    for (unsigned i = 0; i < 16; i++) {
        if ((mask >> i & 1) && memcmp(in[i], out[i], 16) != 0) {
            differ |= 1u << i;
        }
    }
    return differ;
}

void fnp_judge_vectors(struct fnp_judging *j)
{
    const struct fnp_state *in = &j->o->in;
    const struct fnp_state *out = &j->o->out;
    uint32_t low = 0, high = 0;
    unsigned first = 0;
    struct fnp_finding *f;
    struct fnp_str text;
    char reg[12];

    if (returned_with(j, FNP_HAS_XMM)) {
        low = rows_differ(in->xmm, out->xmm, fnp_kept_xmm(j->contract));
    }
    if (returned_with(j, FNP_HAS_YMM)) {
        high = rows_differ(in->ymm_high, out->ymm_high, fnp_kept_ymm(j->contract));
    }
    if (!low && !high) {
        return;
    }
    first = (unsigned)__builtin_ctz(low ? low : high);
    snprintf(reg, sizeof(reg), "%s%u", low ? "xmm" : "ymm", first);
    f = fnp_judging_add(j, FNP_RULE_VECTOR_CHANGED, reg);
    text = fnp_finding_text(f);
    add_registers(&text, "xmm", low);
    if (high) {
        fnp_str_add(&text, "%sthe upper half of ", low ? " and " : "");
        add_registers(&text, "ymm", high);
    }
    fnp_str_add(&text, " changed");
    if (low) {
        set_row(f, reg, in->xmm[first], out->xmm[first], 16);
    } else {
        set_row(f, reg, in->ymm_high[first], out->ymm_high[first], 16);
    }
}

void fnp_judge_upper(struct fnp_judging *j)
{
    static const uint8_t zero[16][16];
    const struct fnp_state *out = &j->o->out;
    enum fnp_state_rule state = j->contract->state;
    uint32_t used = 0;
    struct fnp_finding *f;
    struct fnp_str text;

    if (j->o->c.ymm || (state != FNP_STATE_USER && state != FNP_STATE_MMX_LIVE)) {
        return;
    }
    if (returned_with(j, FNP_HAS_YMM)) {
        used = rows_differ(zero, out->ymm_high, 0xffff);
    }
    /* In-use bits already set at entry are not the kernel's doing. */
    if (!used && !(returned_with(j, FNP_HAS_INUSE) &&
                   out->xinuse & ~j->o->in.xinuse & FNP_XINUSE_YMM)) {
        return;
    }
    f = fnp_judging_add(j, FNP_RULE_UPPER_DIRTY, "ymm");
    text = fnp_finding_text(f);
    if (used) {
        fnp_str_add(&text,
                    "the upper half of ymm%d is in use on return (no vzeroupper)",
                    __builtin_ctz(used));
    } else {
        fnp_str_add(&text, "upper YMM halves are in use on return (no vzeroupper)");
    }
}
