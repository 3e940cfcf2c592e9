/* SPDX-License-Identifier: MIT */
#include "run/observe.h"

#include <signal.h>
#include <string.h>

#include "base/rng.h"
#include "run/context.h"
#include "run/copy.h"
#include "run/gate.h"
#include "run/machine.h"

/* Real tags out of the 28-byte environment: two bits a register, 3 is empty. */
static uint8_t tags_of_env(const unsigned char *env)
{
    uint16_t word = 0;
    uint8_t valid = 0;

    memcpy(&word, env + 8, 2);
    for (unsigned i = 0; i < 8; i++) {
        if (((word >> (2 * i)) & 3) != 3)
            valid |= (uint8_t)(1u << i);
    }
    return valid;
}

static void state_of_image(const unsigned char *image, struct fnp_state *out)
{
    uint64_t bv = 0;

    memcpy(&bv, image + 512, 8);
    memcpy(&out->mxcsr, image + 24, 4);
    out->fcw = FNP_FCW_DEFAULT;
    out->fsw = 0;
    out->ftw = 0;
    memset(out->st, 0, sizeof(out->st));
    memset(out->xmm, 0, sizeof(out->xmm));
    memset(out->ymm_high, 0, sizeof(out->ymm_high));
    if (bv & 1) {
        memcpy(&out->fcw, image, 2);
        memcpy(&out->fsw, image + 2, 2);
        out->ftw = image[4];
        for (unsigned i = 0; i < 8; i++)
            memcpy(out->st[i], image + 32 + 16 * i, 10);
    }
    if (bv & 2)
        memcpy(out->xmm, image + 160, sizeof(out->xmm));
    if ((bv & 4) && fnp_machine()->ymm_offset)
        memcpy(out->ymm_high, image + fnp_machine()->ymm_offset, sizeof(out->ymm_high));
    out->captured |= FNP_HAS_TAGS | FNP_HAS_X87 | FNP_HAS_XMM;
    if (fnp_machine()->avx)
        out->captured |= FNP_HAS_YMM;
}

/* 32-bit code sees eight registers, and the halves that a mode switch keeps. */
static void copy_gprs(uint64_t *out)
{
    const struct fnp_context *ctx = &fnp_context;

    fnp_copy_inline(out, ctx->out_gpr, sizeof(ctx->out_gpr));
    if (!ctx->is32)
        return;
    for (unsigned i = 0; i < FNP_N_GPRS_32; i++)
        out[i] = (uint32_t)out[i];
    for (unsigned i = FNP_N_GPRS_32; i < FNP_N_GPRS; i++)
        out[i] = ctx->in_gpr[i];
}

void fnp_observe_state(bool full, struct fnp_state *out)
{
    const struct fnp_context *ctx = &fnp_context;

    copy_gprs(out->gpr);
    out->rflags = ctx->out_rflags | (ctx->trap_flag ? FNP_FLAG_TF : 0);
    out->fs_base = ctx->fsgsbase ? ctx->out_fs : ctx->host_fs;
    out->ds = full || ctx->is32 ? ctx->out_ds : fnp_machine()->ds;
    out->es = full || ctx->is32 ? ctx->out_es : fnp_machine()->es;
    out->fs = ctx->out_fs_selector;
    out->gs = full ? ctx->out_gs_selector : ctx->host_gs_selector;
    out->gs_base = full && ctx->fsgsbase ? ctx->out_gs : ctx->host_gs;
    out->captured = FNP_HAS_GPR;
    out->xinuse = 0;
    if (ctx->inuse) {
        out->xinuse = ctx->xinuse;
        out->captured |= FNP_HAS_INUSE;
    }
    if (full) {
        state_of_image(ctx->xsave_out, out);
        return;
    }
    out->mxcsr = ctx->out_mxcsr;
    /* Without an x87 or MMX instruction in the code its state is what it was. */
    out->fcw = ctx->env ? ctx->out_fcw : ctx->in_fcw;
    out->fsw = ctx->env ? ctx->out_fsw : 0;
    out->ftw = 0;
    if (ctx->env) {
        out->ftw = tags_of_env(ctx->out_env);
        out->captured |= FNP_HAS_TAGS;
    }
}

static uint8_t region_of_stack(const struct fnp_lab *lab, uint64_t addr)
{
    if (addr < lab->stack && addr >= lab->stack - FNP_STACK_GUARD)
        return FNP_REGION_STACK_LOW;
    if (addr >= lab->stack && addr < lab->stack + FNP_STACK_LEN + FNP_STACK_GUARD)
        return FNP_REGION_STACK_HIGH;
    return FNP_REGION_UNKNOWN;
}

static bool in_image(const struct fnp_image *image, uint64_t addr)
{
    for (size_t i = 0; i < image->n_segments; i++) {
        if (addr - image->segments[i].addr < image->segments[i].len)
            return true;
    }
    return false;
}

/* The trap at this address, NULL: there is none. */
static const struct fnp_symbol *trap_at(const struct fnp_kernel *kernel, uint64_t addr)
{
    const struct fnp_symbol *symbol = fnp_image_symbol(&kernel->image, addr);

    return symbol && symbol->is_trap && addr - symbol->addr < 16 ? symbol : NULL;
}

/*
 * Our own memory: the program, its libraries, heap, stacks.  Everything a process
 * has lies above 0x550000000000 on x86-64 Linux, apart from the gate of 32-bit code and
 * from what kernels may use.
 */
static bool in_tool(uint64_t addr)
{
    return (addr >= 0x550000000000u && addr < 0x800000000000u) ||
           fnp_gate_holds(addr) || fnp_gate_is_tls(addr);
}

static bool on_stack(const struct fnp_lab *lab, uint64_t addr)
{
    return addr >= lab->stack && addr - lab->stack <= FNP_STACK_LEN - 8;
}

/*
 * Did a ret go astray?  Either the target that could not be fetched is the word right
 * below rsp, or the ret itself faulted because its target is no address at all.
 */
static bool by_ret(const struct fnp_lab *lab, const struct fnp_fault *fault,
                   uint64_t rsp)
{
    enum {
        RET = 0xc3,
        RET_N = 0xc2
    };
    const unsigned word = fnp_word_len(fnp_context.is32);
    uint64_t target = 0;

    if (fault->access == FNP_ACCESS_EXEC && on_stack(lab, rsp - word)) {
        memcpy(&target, (const void *)(uintptr_t)(rsp - word), word);
        return target == fault->rip;
    }
    if (fault->access != FNP_ACCESS_UNKNOWN || fault->sig != SIGSEGV ||
        !in_image(&lab->kernel->image, fault->rip) || !on_stack(lab, rsp))
        return false;
    const unsigned char opcode = *(const unsigned char *)(uintptr_t)fault->rip;

    return opcode == RET || opcode == RET_N;
}

void fnp_observe_signal(const struct fnp_lab *lab, struct fnp_outcome *out)
{
    const struct fnp_context *ctx = &fnp_context;
    struct fnp_fault *fault = &out->fault;
    const struct fnp_symbol *trap = NULL;

    copy_gprs(out->out.gpr);
    out->out.rflags = ctx->out_rflags;
    out->out.captured = FNP_HAS_GPR;
    out->end = (uint8_t)(ctx->signal.ended - 1);
    *fault = (struct fnp_fault){
        .sig = ctx->signal.sig,
        .code = ctx->signal.code,
        .rip = ctx->signal.rip,
        .addr = ctx->signal.addr,
        .access = (uint8_t)ctx->signal.access,
    };
    if (out->end != FNP_END_FAULT)
        return;
    fault->by_ret = by_ret(lab, fault, out->out.gpr[FNP_RSP]);
    trap = trap_at(lab->kernel, fault->rip);
    if (!trap && fnp_fault_is_data(fault))
        trap = trap_at(lab->kernel, fault->addr);
    if (trap) {
        fault->region =
            fnp_symbol_is_refused(trap) ? FNP_REGION_REFUSED : FNP_REGION_TRAP;
        return;
    }
    if (fault->access == FNP_ACCESS_UNKNOWN) {
        fault->region = FNP_REGION_NONCANONICAL;
        return;
    }
    fnp_layout_classify(&lab->layout, fault);
    if (fault->region != FNP_REGION_UNKNOWN)
        return;
    fault->region = region_of_stack(lab, fault->addr);
    if (fault->region != FNP_REGION_UNKNOWN)
        return;
    if (in_image(&lab->kernel->image, fault->addr))
        fault->region = FNP_REGION_IMAGE;
    else if (in_tool(fault->addr))
        fault->region = FNP_REGION_TOOL;
}

void fnp_observe_diff(const struct fnp_comparison *cmp, struct fnp_diff *out)
{
    uint64_t hash = 0;

    out->count = 0;
    out->stale = 0;
    out->n_bytes = 0;
    out->hash = 0;
    if (memcmp(cmp->got, cmp->want, cmp->len) == 0)
        return;
    for (size_t i = 0; i < cmp->len; i++) {
        bool stale = cmp->stale && cmp->got[i] == (cmp->stale[i] ^ cmp->stale_flip);

        if (cmp->got[i] == cmp->want[i] || (stale && cmp->stale_is_right))
            continue;
        if (out->count == 0) {
            size_t left = cmp->len - i;

            out->first = (int64_t)i - cmp->origin;
            out->n_bytes = (uint8_t)(left < 16 ? left : 16);
            memcpy(out->want, cmp->want + i, out->n_bytes);
            memcpy(out->got, cmp->got + i, out->n_bytes);
        }
        out->last = (int64_t)i - cmp->origin;
        out->count++;
        out->stale += stale;
        hash = fnp_mix(hash ^ i << 8 ^ cmp->got[i]);
    }
    out->hash = hash;
}
