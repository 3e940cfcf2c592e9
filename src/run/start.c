/* SPDX-License-Identifier: MIT */
#include "run/start.h"

#include <string.h>

#include "run/context.h"
#include "run/copy.h"
#include "run/gate.h"
#include "run/machine.h"

/* Offsets in the XSAVE image, Intel SDM vol. 1, 10.5.1 and 13.4. */
enum {
    XS_FCW = 0,
    XS_FSW = 2,
    XS_FTW = 4,
    XS_MXCSR = 24,
    XS_ST = 32,
    XS_XMM = 160,
    XS_BV = 512,
    XS_LEN = 1024,
    BV_X87 = 1,
    BV_SSE = 2,
    BV_AVX = 4,
    BV_OPMASK = 32,
    BV_HI16_ZMM = 128,
    OPMASK_LEN = 64,
    HI16_LEN = 1024,
    BELOW_PATTERN = 4096, /* of the pool's bytes: what lies below the stack */
    FSW_FLAGS = 0x473f,   /* C0 to C3 and the six sticky exception flags */
    FSW_IE = 1,
    FSW_ES = 0x80,
    FSW_B = 0x8000,
    FCW_IM = 1,
};

/*
 * Kept in writable pages: it must survive whatever the kernel does to its stack.
 * `ready`: registers and stack still hold the junk of stream `junk`.
 */
static struct {
    _Alignas(64) unsigned char bytes[FNP_FRAME_MAX];
    uint64_t at; /* where it stands: the kernel's rsp before the return address */
    size_t len;  /* bytes up to the guard */
    bool ready;
    uint8_t junk;
    unsigned char pad[4096 - FNP_FRAME_MAX - 24];
} frame __attribute__((section("fnp_rw"), aligned(4096)));

const unsigned char *fnp_start_frame(uint64_t *at, size_t *len)
{
    *at = frame.at;
    *len = frame.len;
    return frame.bytes;
}

const unsigned char *fnp_start_below(const struct fnp_lab *lab, uint64_t *at,
                                     size_t *len)
{
    const struct fnp_contract *c = &lab->kernel->contract;
    const unsigned char *pattern =
        lab->contents.pool[FNP_FILL_POS] + 16u * frame.junk + BELOW_PATTERN;
    uint64_t free_from = frame.at - fnp_word_len(c->is32) - c->redzone;

    *at = lab->stack;
    *len = lab->tight_stack && frame.at - lab->stack <= FNP_BELOW_LEN
               ? free_from - lab->stack
               : 0;
    return pattern;
}

/* The last streams are all zeros: what a kernel finds that was only ever tried alone. */
static const uint64_t *junk_words(const struct fnp_lab *lab, const struct fnp_case *c)
{
    static const uint64_t zeros[64];

    return c->junk >= FNP_JUNK_ZEROS ? zeros : lab->junk + c->junk;
}

static const unsigned char *junk_vectors(const struct fnp_lab *lab,
                                         const struct fnp_case *c)
{
    return c->junk >= FNP_JUNK_ZEROS ? lab->contents.pool[FNP_FILL_ZERO]
                                     : lab->contents.pool[FNP_FILL_POS] + 16u * c->junk;
}

/* The bits above the declared width are nobody's: the ABI leaves them undefined. */
static uint64_t widen(uint64_t value, const struct fnp_param *p,
                      const struct fnp_case *c, uint64_t junk)
{
    const uint64_t upper = c->upper == FNP_UPPER_JUNK   ? junk & ~(uint64_t)0xffffffffu
                           : c->upper == FNP_UPPER_ONES ? ~(uint64_t)0xffffffffu
                                                        : 0;
    uint32_t low = (uint32_t)value;

    if (p->width >= 8)
        return value;
    /* Compilers in use rely on 8- and 16-bit arguments being extended to 32 bits. */
    if (p->width == 2)
        low = p->is_signed ? (uint32_t)(int16_t)value : (uint32_t)(uint16_t)value;
    else if (p->width == 1)
        low = p->is_signed ? (uint32_t)(int8_t)value : (uint32_t)(uint8_t)value;
    return upper | low;
}

static uint64_t argument(const struct fnp_lab *lab, const struct fnp_param *p,
                         const struct fnp_case *c, uint64_t junk)
{
    const struct fnp_contract *contract = &lab->kernel->contract;

    switch (p->kind) {
    case FNP_PARAM_BUF:
        return lab->layout.buf[contract->bufs[p->buf].role].addr;
    case FNP_PARAM_LEN:
        return widen(c->n / (p->divisor ? p->divisor : 1), p, c, junk);
    case FNP_PARAM_VALUE:
        return widen(c->value[p->value], p, c, junk);
    case FNP_PARAM_CONST:
        return widen(p->constant, p, c, junk);
    }
    return 0;
}

static void put_arguments(const struct fnp_lab *lab, const struct fnp_case *c)
{
    const struct fnp_contract *contract = &lab->kernel->contract;

    for (size_t i = 0; i < contract->n_params; i++) {
        const struct fnp_argument *to = &lab->arguments.list[i];
        uint64_t value =
            argument(lab, &contract->params[i], c, junk_words(lab, c)[32 + i]);

        if (to->len) {
            memcpy(frame.bytes + to->at, &value, to->len);
            memcpy((void *)(uintptr_t)(frame.at + to->at), &value, to->len);
            continue;
        }
        fnp_context.in_gpr[to->reg[0]] = contract->is32 ? (uint32_t)value : value;
        if (to->reg[1] != FNP_NO_REG)
            fnp_context.in_gpr[to->reg[1]] = value >> 32;
    }
}

/* k registers live (or all of them as MMX): values any restore must bring back. */
static uint16_t put_x87(unsigned char *image, const struct fnp_case *c,
                        const uint64_t *junk)
{
    const bool mmx = c->x87 == FNP_X87_MMX;
    const bool pending = c->x87 == FNP_X87_PENDING;
    const unsigned live = mmx ? 8 : pending ? 4 : c->x87;
    const unsigned top = (8 - live) & 7;

    for (unsigned i = 0; i < live; i++) {
        uint64_t mantissa = junk[i] | (mmx ? 0 : 1ull << 63);
        uint16_t exponent = mmx ? 0xffff : (uint16_t)(0x3fff + i);

        memcpy(image + XS_ST + 16 * i, &mantissa, 8);
        memcpy(image + XS_ST + 16 * i + 8, &exponent, 2);
        image[XS_FTW] |= (unsigned char)(1u << ((top + i) & 7));
    }
    /* Condition codes and sticky flags; unmasked ones would fault at the next instruction. */
    const bool masked = (c->fcw & 0x3f) == 0x3f;
    unsigned flags = live && masked ? (unsigned)junk[8] & FSW_FLAGS : 0;

    if (pending)
        flags |= FSW_IE | (c->fcw & FCW_IM ? 0 : FSW_ES | FSW_B);
    return (uint16_t)(top << 11 | flags);
}

static void put_image(const struct fnp_lab *lab, const struct fnp_case *c,
                      const unsigned char *vectors)
{
    unsigned char *image = fnp_context.xsave_in;
    uint64_t bv = BV_X87 | BV_SSE;
    uint32_t mxcsr = c->mxcsr;
    uint16_t fsw = 0;

    memset(image, 0, XS_LEN);
    fsw = put_x87(image, c, lab->junk + c->junk);
    memcpy(image + XS_FCW, &c->fcw, 2);
    memcpy(image + XS_FSW, &fsw, 2);
    memcpy(image + XS_MXCSR, &mxcsr, 4);
    memcpy(image + XS_XMM, vectors, 256);
    if (c->ymm && fnp_machine()->ymm_offset) {
        bv |= BV_AVX;
        memcpy(image + fnp_machine()->ymm_offset, vectors + 256, 256);
    }
    /* Nobody promises anything about mask registers and ZMM16-31. */
    if (fnp_context.mask_low & BV_HI16_ZMM) {
        bv |= BV_OPMASK | BV_HI16_ZMM;
        memcpy(image + fnp_machine()->k_offset, vectors + 2048, OPMASK_LEN);
        memcpy(image + fnp_machine()->hi16_offset, vectors + 2048 + OPMASK_LEN,
               HI16_LEN);
    }
    memcpy(image + XS_BV, &bv, 8);
}

/* Small numbers, none of them zero: what comes of taking too many arguments. */
static void put_small_frame(void)
{
    const unsigned len = fnp_word_len(fnp_context.is32);

    for (uint64_t word = 1; word <= FNP_FRAME_MAX / len; word++)
        memcpy(frame.bytes + (word - 1) * len, &word, len);
}

static void put_junk(const struct fnp_lab *lab, const uint64_t *words, uint8_t stream)
{
    struct fnp_context *ctx = &fnp_context;
    /* Never all alike, or a zero written into the frame would not show. */
    const unsigned char *pattern = lab->contents.pool[FNP_FILL_POS] + 16u * stream;

    /* The ABI promises 16 bytes of alignment and no more, so every phase must do. */
    frame.len = FNP_FRAME_LEN + 16u * (1 + stream % FNP_STACK_PHASES);
    frame.at = lab->stack + FNP_STACK_LEN - frame.len;
    if (lab->tight_stack) {
        /* The guard begins where the red zone ends, but for what alignment leaves over. */
        uint64_t below = (lab->kernel->contract.redzone + 8 + 15) & ~15ull;

        frame.at = lab->stack + below + 16ull * (stream % FNP_STACK_PHASES);
    }
    fnp_copy_inline(ctx->in_gpr, words, sizeof(ctx->in_gpr));
    for (unsigned i = 0; ctx->is32 && i < FNP_N_GPRS_32; i++)
        ctx->in_gpr[i] = (uint32_t)ctx->in_gpr[i];
    fnp_copy_inline(frame.bytes, pattern, FNP_FRAME_MAX);
    if (stream >= FNP_JUNK_ZEROS)
        put_small_frame();
    memcpy((void *)(uintptr_t)frame.at, frame.bytes, frame.len);
    uint64_t room = frame.at - lab->stack;
    size_t n_below = room < FNP_BELOW_LEN ? room : FNP_BELOW_LEN;

    memcpy((void *)(uintptr_t)(frame.at - n_below), pattern + BELOW_PATTERN, n_below);
    ctx->in_gpr[FNP_RSP] = frame.at;
    frame.junk = stream;
    frame.ready = true;
}

void fnp_start_forget(void)
{
    frame.ready = false;
}

void fnp_start_make(const struct fnp_lab *lab, const struct fnp_case *c, uint64_t entry,
                    bool full)
{
    struct fnp_context *ctx = &fnp_context;
    const uint64_t *junk = junk_words(lab, c);
    const unsigned char *vectors = junk_vectors(lab, c);

    if (!frame.ready || frame.junk != c->junk)
        put_junk(lab, junk, c->junk);
    put_arguments(lab, c);
    ctx->in_rflags = (junk[40] & FNP_FLAGS_STATUS) | FNP_FLAG_IF | 2;
    ctx->entry = entry;
    ctx->in_vectors = vectors;
    ctx->in_mxcsr = c->mxcsr;
    ctx->in_fcw = c->fcw;
    ctx->full = full;
    if (full)
        put_image(lab, c, vectors);
}

static void observe_image(struct fnp_state *in)
{
    const unsigned char *image = fnp_context.xsave_in;
    uint64_t bv = 0;

    memcpy(&bv, image + XS_BV, 8);
    memcpy(&in->fsw, image + XS_FSW, 2);
    in->ftw = image[XS_FTW];
    for (unsigned i = 0; i < 8; i++)
        memcpy(in->st[i], image + XS_ST + 16 * i, 10);
    memcpy(in->xmm, image + XS_XMM, sizeof(in->xmm));
    memset(in->ymm_high, 0, sizeof(in->ymm_high));
    if (bv & BV_AVX)
        memcpy(in->ymm_high, image + fnp_machine()->ymm_offset, sizeof(in->ymm_high));
    in->captured |= FNP_HAS_X87 | FNP_HAS_XMM | FNP_HAS_YMM;
}

void fnp_start_observe(bool full, struct fnp_state *in)
{
    const struct fnp_context *ctx = &fnp_context;
    const struct fnp_machine *m = fnp_machine();

    fnp_copy_inline(in->gpr, ctx->in_gpr, sizeof(in->gpr));
    in->gpr[FNP_RSP] -= fnp_word_len(ctx->is32);
    in->rflags = ctx->in_rflags;
    in->fs_base = ctx->host_fs;
    in->gs_base = ctx->host_gs;
    in->ds = m->ds;
    in->es = m->es;
    in->fs = m->fs;
    in->gs = ctx->host_gs_selector;
    in->mxcsr = ctx->in_mxcsr;
    in->fcw = ctx->in_fcw;
    in->fsw = 0;
    in->ftw = 0;
    in->captured = FNP_HAS_GPR | FNP_HAS_TAGS;
    if (full)
        observe_image(in);
}
