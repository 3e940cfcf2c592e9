/* SPDX-License-Identifier: MIT */
/*
 * check_test.c - the checks on tables, without running a kernel
 *
 * A row starts from the outcome of a clean call and changes a few fields.  It says
 * which findings must come, in order: "stray-write wrong-bytes"; or "-slug": nothing
 * at all, although the change comes near to that rule.  Every rule that is judged
 * here must have rows of both kinds, which the test counts itself.
 */
#include <inttypes.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "base/rng.h"
#include "verify/check.h"
#include "verify/self/tap.h"

enum kind {
    MEMCPY,
    CLEAR_PRESERVE,
    MEMSET,
    MS64,
    REGS,
    CLOBBERS,
    KFPU_LIST, /* kernel-fpu, and a list without vectors */
    KFPU,
    MMX_LIVE,
    INT32
};

#define LEN      4096
#define DST_ADDR 0x2a55a0001000u
#define SRC_ADDR 0x2a55b0001000u
#define RIP      0x2a4000000012u

static struct fnp_contract contract_of(enum kind kind)
{
    struct fnp_contract c = {
        .name = "memcpy",
        .bufs = { { .role = FNP_DST,
                    .name = "dst",
                    .mul = 1,
                    .writes = true,
                    .align = 1 },
                 { .role = FNP_SRC,
                    .name = "from",
                    .mul = 1,
                    .reads = true,
                    .align = 1 } },
        .n_bufs = 2,
        .has_n = true,
        .returns = FNP_RETURNS_DST,
        .returns_width = 8,
        .redzone = 128,
    };

    switch (kind) {
    case MEMCPY:
        break;
    case CLEAR_PRESERVE:
        c.op = FNP_OP_ZERO;
        c.n_bufs = 1;
        c.returns = FNP_RETURNS_NONE;
        c.returns_void = true;
        c.state = FNP_STATE_PRESERVE;
        break;
    case MEMSET:
        c.op = FNP_OP_SET;
        c.n_bufs = 1;
        break;
    case MS64:
        c.abi = FNP_ABI_MS64;
        break;
    case REGS:
        c.abi = FNP_ABI_REGS;
        c.returns = FNP_RETURNS_NONE;
        c.returns_void = true;
        c.clobbers = 1u << FNP_RCX | 1u << FNP_RDI;
        break;
    case CLOBBERS:
        c.has_clobbers = true;
        c.clobbers = 1u << FNP_RCX | 1u << FNP_RBX;
        c.clobbers_vector = 1u << 3;
        break;
    case KFPU_LIST:
        c.has_clobbers = true;
        c.clobbers = 1u << FNP_RCX;
        __attribute__((fallthrough));
    case KFPU:
        c.state = FNP_STATE_KERNEL_FPU;
        break;
    case MMX_LIVE:
        c.state = FNP_STATE_MMX_LIVE;
        break;
    case INT32:
        c.returns_width = 4;
        break;
    }
    return c;
}

/* What the caller may lose is lost, so that every row also tests that it is free. */
static void spoil_free_state(const struct fnp_contract *c, struct fnp_outcome *o)
{
    struct fnp_state *out = &o->out;
    bool exact = c->abi == FNP_ABI_REGS || c->has_clobbers;

    out->rflags ^= FNP_FLAGS_STATUS;
    out->gpr[FNP_RCX] ^= 0x5555;
    for (unsigned i = 0; !exact && i < 3; i++) {
        out->gpr[(const unsigned[]){ FNP_RDX, FNP_R8, FNP_R11 }[i]] ^= 0x5555;
    }
    if (!exact && c->abi != FNP_ABI_MS64) {
        out->gpr[FNP_RSI] ^= 0x5555;
        out->gpr[FNP_RDI] ^= 0x5555;
    }
    if (c->state == FNP_STATE_PRESERVE) {
        return;
    }
    out->mxcsr |= 0x21;
    out->fsw |= 0x4100;
    memset(out->st, 0x77, sizeof(out->st));
    for (unsigned i = 0; i < 16; i++) {
        if (exact && c->state != FNP_STATE_KERNEL_FPU
                ? c->clobbers_vector >> i & 1
                : c->abi != FNP_ABI_MS64 || i < 6) {
            memset(out->xmm[i], 0x77, sizeof(out->xmm[i]));
        }
    }
    if (c->state == FNP_STATE_KERNEL_FPU) {
        memset(out->ymm_high, 0x77, sizeof(out->ymm_high));
        out->xinuse |= 4;
    }
}

static struct fnp_outcome clean_outcome(const struct fnp_contract *c)
{
    struct fnp_outcome o = { .c = fnp_case_default(),
                             .full = true,
                             .judged_bytes = true };
    struct fnp_state *in = &o.in;

    o.c.n = LEN;
    o.buf[FNP_DST] =
        (struct fnp_placed){ .addr = DST_ADDR, .len = LEN, .present = true };
    if (c->n_bufs > 1) {
        o.buf[FNP_SRC] = (struct fnp_placed){
            .addr = SRC_ADDR, .len = LEN, .present = true, .read_only = true
        };
    }
    for (unsigned i = 0; i < FNP_N_GPRS; i++) {
        in->gpr[i] = fnp_mix(i);
    }
    in->gpr[FNP_RSP] = 0x7f0000001008u;
    in->rflags = 0x246;
    in->fs_base = 0x7f1234560000u;
    in->mxcsr = FNP_MXCSR_DEFAULT;
    in->fcw = FNP_FCW_DEFAULT;
    in->xinuse = 2;
    memset(in->st, 0x11, sizeof(in->st));
    memset(in->xmm, 0x22, sizeof(in->xmm));
    if (c->state == FNP_STATE_PRESERVE) {
        in->ftw = 0xff;
        in->fsw = 0x3800;
        o.c.ymm = 1;
        memset(in->ymm_high, 0x33, sizeof(in->ymm_high));
    }
    in->captured = FNP_HAS_GPR | FNP_HAS_TAGS | FNP_HAS_X87 | FNP_HAS_XMM |
                   FNP_HAS_YMM | FNP_HAS_INUSE;
    o.out = *in;
    o.out.gpr[FNP_RSP] += 8;
    if (c->returns == FNP_RETURNS_DST) {
        o.has_want_return = true;
        o.want_return = DST_ADDR;
        o.out.gpr[FNP_RAX] = DST_ADDR;
    }
    spoil_free_state(c, &o);
    return o;
}

/* One field of an outcome and its new value, little endian. */
struct edit {
    size_t at, size;
    uint64_t value;
};

#define SET(field, new_value)                                                          \
    { offsetof(struct fnp_outcome, field),                                             \
      sizeof(((struct fnp_outcome *)NULL)->field), (uint64_t)(new_value) }

static void apply(struct fnp_outcome *o, const struct edit *edits, size_t count)
{
    for (size_t i = 0; i < count && edits[i].size; i++) {
        memcpy((unsigned char *)o + edits[i].at, &edits[i].value, edits[i].size);
    }
}

/* clang-format off */
#define DIFF(range, first_at, n)                                                         \
    SET(range.count, n), SET(range.first, first_at), SET(range.last, (first_at) + (n) - 1)
#define FAULT(where, how, off)                                                           \
    SET(end, FNP_END_FAULT), SET(fault.sig, SIGSEGV), SET(fault.rip, RIP),               \
    SET(fault.region, where), SET(fault.access, how), SET(fault.offset, off)
#define HUGE_CASE(len_) SET(huge, 1), SET(c.n, len_), SET(buf[FNP_DST].len, len_)
#define CAPTURED(bits) SET(out.captured, bits)

enum { MAX_EDITS = 12 };

static const struct row {
    const char *name;
    enum kind kind;
    const char *expect; /* slugs in order, or "-slug": clean, near that rule */
    const char *region; /* of the first finding, NULL: any */
    const char *says;   /* within its message, NULL: anything */
    struct edit edits[MAX_EDITS];
} rows[] = {
    /* bytes of the outputs */
    { "one byte differs", MEMCPY, "wrong-bytes", "dst-first64",
      "1 byte differs from the reference, first at dst+17: want 2a got 00",
      { DIFF(body[FNP_DST], 17, 1), SET(body[FNP_DST].n_bytes, 16),
        SET(body[FNP_DST].want[0], 0x2a) } },
    { "many bytes differ", MEMCPY, "wrong-bytes", "dst-body", "64 bytes differ",
      { DIFF(body[FNP_DST], 1024, 64) } },
    { "some never written", MEMCPY, "wrong-bytes", "dst-last64", "(2 never written)",
      { DIFF(body[FNP_DST], 4090, 3), SET(body[FNP_DST].stale, 2) } },
    { "all never written", MEMCPY, "wrong-bytes", "dst-last64",
      "4 bytes never written, first at dst+4092",
      { DIFF(body[FNP_DST], 4092, 4), SET(body[FNP_DST].stale, 4) } },
    { "last of 3 bytes missing", MEMSET, "wrong-bytes", "dst-last64", "first at dst+2",
      { DIFF(body[FNP_DST], 2, 1), SET(body[FNP_DST].stale, 1), SET(buf[FNP_DST].len, 3) } },
    { "first of 3 bytes wrong", MEMSET, "wrong-bytes", "dst-first64", NULL,
      { DIFF(body[FNP_DST], 0, 1), SET(buf[FNP_DST].len, 3) } },
    { "byte 63", MEMCPY, "wrong-bytes", "dst-first64", NULL, { DIFF(body[FNP_DST], 63, 1) } },
    { "byte 64", MEMCPY, "wrong-bytes", "dst-body", NULL, { DIFF(body[FNP_DST], 64, 1) } },
    { "byte 65 from the end", MEMCPY, "wrong-bytes", "dst-body", NULL,
      { DIFF(body[FNP_DST], 4031, 1) } },
    { "byte 64 from the end", MEMCPY, "wrong-bytes", "dst-last64", NULL,
      { DIFF(body[FNP_DST], 4032, 1) } },
    { "the only byte", MEMSET, "wrong-bytes", "dst-last64", NULL,
      { DIFF(body[FNP_DST], 0, 1), SET(buf[FNP_DST].len, 1) } },
    { "bytes were not compared", MEMCPY, "-wrong-bytes", NULL, NULL,
      { DIFF(body[FNP_DST], 17, 1), SET(judged_bytes, 0) } },
    { "huge, returned", MEMCPY, "wrong-bytes", "dst-huge",
      "returned although n=4294967296 bytes cannot have been written",
      { HUGE_CASE(1ull << 32), DIFF(body[FNP_DST], 17, 1) } },
    { "huge, jumped into the window", MEMCPY, "crash", NULL, NULL,
      { HUGE_CASE(1ull << 32), FAULT(FNP_REGION_HUGE, FNP_ACCESS_EXEC, 8192) } },
    { "a window without a huge case", MEMCPY, "stray-write", "dst-tail", NULL,
      { FAULT(FNP_REGION_HUGE, FNP_ACCESS_WRITE, 8192) } },
    { "huge, stopped at the window", MEMCPY, "-wrong-bytes", NULL, NULL,
      { HUGE_CASE(1ull << 32), FAULT(FNP_REGION_HUGE, FNP_ACCESS_WRITE, 8192) } },
    { "huge, reads the source's window", MEMCPY, "-stray-read", NULL, NULL,
      { HUGE_CASE(1ull << 32), FAULT(FNP_REGION_HUGE, FNP_ACCESS_READ, 8192),
        SET(fault.role, FNP_SRC) } },
    { "huge, writes the source's window", MEMCPY, "source-changed", NULL, NULL,
      { HUGE_CASE(1ull << 32), SET(buf[FNP_SRC].len, 1ull << 32),
        FAULT(FNP_REGION_HUGE, FNP_ACCESS_WRITE, 8192), SET(fault.role, FNP_SRC) } },
    { "huge, faulted in the guard", MEMCPY, "stray-write", "dst-head", NULL,
      { HUGE_CASE(1ull << 32), FAULT(FNP_REGION_GUARD, FNP_ACCESS_WRITE, -64) } },
    { "longer than the address space, #GP", MEMCPY, "-crash", NULL, NULL,
      { HUGE_CASE(1ull << 62), FAULT(FNP_REGION_NONCANONICAL, FNP_ACCESS_UNKNOWN, 0) } },
    { "huge, #GP", MEMCPY, "crash", NULL, NULL,
      { HUGE_CASE(1ull << 32), FAULT(FNP_REGION_NONCANONICAL, FNP_ACCESS_UNKNOWN, 0) } },

    /* memory around the buffers */
    { "block past the end", MEMCPY, "stray-write", "dst-tail",
      "64 bytes past the end of dst, first at dst+4096", { DIFF(tail[FNP_DST], 4096, 64) } },
    { "8 before the start", MEMCPY, "stray-write", "dst-head",
      "8 bytes before the start of dst, first at dst-8", { DIFF(head[FNP_DST], -8, 8) } },
    { "past the end of the source", MEMCPY, "stray-write", "src-tail",
      "1 byte past the end of from, first at from+4096", { DIFF(tail[FNP_SRC], 4096, 1) } },
    { "far off", MEMCPY, "stray-write", "dst-tail", "first at dst+70000",
      { DIFF(far_off[FNP_DST], 70000, 4) } },
    { "fencepost's memory", MEMCPY, "stray-write", "tool", "fencepost's own memory",
      { SET(tool.count, 1) } },
    { "both sides", MEMCPY, "stray-write stray-write", "dst-head", NULL,
      { DIFF(head[FNP_DST], -1, 1), DIFF(tail[FNP_DST], 4096, 1) } },
    { "a head with nothing changed", MEMCPY, "-stray-write", NULL, NULL,
      { SET(head[FNP_DST].first, -8), SET(tail[FNP_DST].first, 4096) } },
    { "write fault past the end", MEMCPY, "stray-write", "dst-tail",
      "write past the end of dst, at dst+8192",
      { FAULT(FNP_REGION_GUARD, FNP_ACCESS_WRITE, 8192) } },
    { "read fault past the end", MEMCPY, "stray-read", "src-tail",
      "read past the end of from, at from+4096",
      { FAULT(FNP_REGION_GUARD, FNP_ACCESS_READ, 4096), SET(fault.role, FNP_SRC) } },
    { "read fault before the start", MEMCPY, "stray-read", "src-head",
      "read before the start of from, at from-1",
      { FAULT(FNP_REGION_GUARD, FNP_ACCESS_READ, -1), SET(fault.role, FNP_SRC) } },
    { "jump into a guard", MEMCPY, "crash", "exec-fault", "jump at address 0x2a55",
      { FAULT(FNP_REGION_GUARD, FNP_ACCESS_EXEC, 4096), SET(fault.addr, 0x2a55) } },
    { "read fault in our memory", MEMCPY, "stray-read", "tool", "read fencepost's own",
      { FAULT(FNP_REGION_TOOL, FNP_ACCESS_READ, 0) } },
    { "write fault in our memory", MEMCPY, "stray-write", "tool", "wrote fencepost's own",
      { FAULT(FNP_REGION_TOOL, FNP_ACCESS_WRITE, 0) } },
    { "write to own code", MEMCPY, "stray-write", "image", "own code",
      { FAULT(FNP_REGION_IMAGE, FNP_ACCESS_WRITE, 0) } },
    { "executes its data", MEMCPY, "crash", "exec-fault", NULL,
      { FAULT(FNP_REGION_IMAGE, FNP_ACCESS_EXEC, 0) } },

    /* inputs */
    { "source byte changed", MEMCPY, "source-changed", "src-body",
      "1 byte of from changed, first at from+8", { DIFF(body[FNP_SRC], 8, 1) } },
    { "write fault in the source", MEMCPY, "source-changed", "src-body",
      "write inside from, at from+16, which is only to be read",
      { FAULT(FNP_REGION_SOURCE, FNP_ACCESS_WRITE, 16), SET(fault.role, FNP_SRC) } },
    { "write fault at its first byte", MEMCPY, "source-changed", "src-body", "at from+0",
      { FAULT(FNP_REGION_SOURCE, FNP_ACCESS_WRITE, 0), SET(fault.role, FNP_SRC) } },
    { "write fault beside the source", MEMCPY, "stray-write", "src-tail", NULL,
      { FAULT(FNP_REGION_SOURCE, FNP_ACCESS_WRITE, 4096), SET(fault.role, FNP_SRC) } },
    { "source not compared", MEMCPY, "-source-changed", NULL, NULL,
      { DIFF(body[FNP_SRC], 8, 1), SET(judged_bytes, 0) } },

    /* stack */
    { "stack argument written", MEMCPY, "stack-smashed", "stack",
      "8 bytes of the caller's frame changed, first at stack argument+0",
      { DIFF(frame, 0, 8) } },
    { "frame compared equal", MEMCPY, "-stack-smashed", NULL, NULL, { SET(frame.first, 8) } },
    { "write above the frame", MEMCPY, "stack-smashed", "stack", NULL,
      { FAULT(FNP_REGION_STACK_HIGH, FNP_ACCESS_WRITE, 0) } },
    { "read above the frame", MEMCPY, "stray-read", "stack", NULL,
      { FAULT(FNP_REGION_STACK_HIGH, FNP_ACCESS_READ, 0) } },
    { "written below the red zone", MEMCPY, "below-stack", "stack",
      "8 bytes below the stack changed, first at rsp-8", { DIFF(frame, -16, 8) } },
    { "stack overflow", MEMCPY, "below-stack", "stack", NULL,
      { FAULT(FNP_REGION_STACK_LOW, FNP_ACCESS_WRITE, 0) } },
    { "jump below the stack", MEMCPY, "crash", NULL, NULL,
      { FAULT(FNP_REGION_STACK_LOW, FNP_ACCESS_EXEC, 0) } },
    { "low stack region, no fault", MEMCPY, "-below-stack", NULL, NULL,
      { SET(fault.region, FNP_REGION_STACK_LOW) } },
    { "callee pops 8", MEMCPY, "stack-moved", NULL, "off by +8",
      { SET(out.gpr[FNP_RSP], 0x7f0000001018u) } },
    { "a push too many", MEMCPY, "stack-moved", NULL, "off by -8",
      { SET(out.gpr[FNP_RSP], 0x7f0000001008u) } },
    { "rsp destroyed", MEMCPY, "stack-moved", NULL, "rsp is 0x10 on return",
      { SET(out.gpr[FNP_RSP], 0x10) } },
    { "whole stack elsewhere", MEMCPY, "-stack-moved", NULL, NULL,
      { SET(in.gpr[FNP_RSP], 0x1008), SET(out.gpr[FNP_RSP], 0x1010) } },

    /* return value */
    { "wrong return", MEMCPY, "bad-return", "return",
      "returned 0x2a55a0002000 (dst+4096), want 0x2a55a0001000 (dst+0)",
      { SET(out.gpr[FNP_RAX], DST_ADDR + LEN) } },
    { "return points at neighbours", MEMCPY, "bad-return", NULL, " (dst+4096), want",
      { SET(out.gpr[FNP_RAX], DST_ADDR + LEN), SET(buf[FNP_SRC].addr, DST_ADDR + LEN) } },
    { "return points nowhere", MEMCPY, "bad-return", NULL, "0x7fffffff0000, want",
      { SET(out.gpr[FNP_RAX], 0x7fffffff0000) } },
    { "return never set", MEMCPY, "bad-return", NULL, "; rax was never set",
      { SET(out.gpr[FNP_RAX], 5), SET(in.gpr[FNP_RAX], 5) } },
    { "return cut to 32 bits", MEMCPY, "bad-return", NULL, "returned 0xa0001000, want",
      { SET(out.gpr[FNP_RAX], 0xa0001000) } },
    { "upper half of an int", INT32, "-bad-return", NULL, NULL,
      { SET(out.gpr[FNP_RAX], 0xdead0000a0001000) } },
    { "int differs", INT32, "bad-return", NULL, NULL, { SET(out.gpr[FNP_RAX], 0xa0001001) } },
    { "nobody looks", CLEAR_PRESERVE, "-bad-return", NULL, NULL,
      { SET(out.gpr[FNP_RAX], 1), SET(want_return, 2) } },
    { "no return after a fault", MEMCPY, "stray-read", NULL, NULL,
      { FAULT(FNP_REGION_GUARD, FNP_ACCESS_READ, 8192), SET(out.gpr[FNP_RAX], 0),
        SET(out.gpr[FNP_RBX], 0), SET(out.mxcsr, 0) } },

    /* registers */
    { "rbx", MEMCPY, "register-lost", "rbx", "got 0x5", { SET(out.gpr[FNP_RBX], 5) } },
    { "rbp and r15", MEMCPY, "register-lost", "rbp", ", also r15",
      { SET(out.gpr[FNP_RBP], 5), SET(out.gpr[FNP_R15], 5) } },
    { "r12", MEMCPY, "register-lost", "r12", NULL, { SET(out.gpr[FNP_R12], 5) } },
    { "r13", MEMCPY, "register-lost", "r13", NULL, { SET(out.gpr[FNP_R13], 5) } },
    { "r14", MEMCPY, "register-lost", "r14", NULL, { SET(out.gpr[FNP_R14], 5) } },
    { "r10 is free", MEMCPY, "-register-lost", NULL, NULL, { SET(out.gpr[FNP_R10], 5) } },
    { "rsi is free in sysv64", MEMCPY, "-register-lost", NULL, NULL,
      { SET(out.gpr[FNP_RSI], 5) } },
    { "rsi is kept in ms64", MS64, "register-lost", "rsi", NULL, { SET(out.gpr[FNP_RSI], 5) } },
    { "rdi is kept in ms64", MS64, "register-lost", "rdi", NULL, { SET(out.gpr[FNP_RDI], 5) } },
    { "rdx without clobber", REGS, "register-lost", "rdx", NULL, { SET(out.gpr[FNP_RDX], 5) } },
    { "rax without clobber", REGS, "register-lost", "rax", NULL, { SET(out.gpr[FNP_RAX], 5) } },
    { "rdi with clobber", REGS, "-register-lost", NULL, NULL, { SET(out.gpr[FNP_RDI], 5) } },
    { "rbx with clobber", CLOBBERS, "-register-lost", NULL, NULL, { SET(out.gpr[FNP_RBX], 5) } },
    { "r11 without clobber", CLOBBERS, "register-lost", "r11", NULL,
      { SET(out.gpr[FNP_R11], 5) } },
    { "the result is no loss", CLOBBERS, "-register-lost", NULL, NULL,
      { SET(out.gpr[FNP_RAX], DST_ADDR), SET(in.gpr[FNP_RAX], 1) } },
    { "fs base", MEMCPY, "register-lost", "fs", "fs base", { SET(out.fs_base, 0) } },
    { "fs selector", MEMCPY, "register-lost", "fs", "segment register fs", { SET(out.fs, 43) } },
    { "gs base", MEMCPY, "register-lost", "gs", NULL, { SET(out.gs_base, 1) } },
    { "gs selector", MEMCPY, "register-lost", "gs", NULL, { SET(out.gs, 43) } },
    { "ds", MEMCPY, "register-lost", "ds", NULL, { SET(out.ds, 43) } },
    { "es", MEMCPY, "register-lost", "es", NULL, { SET(out.es, 43) } },
    { "nothing captured", MEMCPY, "-register-lost", NULL, NULL,
      { CAPTURED(0), SET(out.gpr[FNP_RBX], 5), SET(out.gpr[FNP_RSP], 5), SET(out.fs, 4),
        SET(out.rflags, FNP_FLAG_DF) } },

    /* flags */
    { "DF", MEMCPY, "df-set", NULL, NULL, { SET(out.rflags, 0x646) } },
    { "all arithmetic flags", MEMCPY, "-df-set", NULL, NULL, { SET(out.rflags, 0xad7) } },
    { "AC", MEMCPY, "flags-changed", NULL, "AC set", { SET(out.rflags, 0x40246) } },
    { "NT, and ID, which has no role", MEMCPY, "flags-changed", NULL, "NT set on return",
      { SET(out.rflags, 0x204246) } },
    { "TF", MEMCPY, "flags-changed", NULL, "TF set", { SET(out.rflags, 0x346) } },
    { "AC cleared", MEMCPY, "flags-changed", NULL, "AC clear", { SET(in.rflags, 0x40246) } },
    { "AC kept", MEMCPY, "-flags-changed", NULL, NULL,
      { SET(in.rflags, 0x40246), SET(out.rflags, 0x40202) } },

    /* x87, MMX */
    { "no emms", MEMCPY, "mmx-dirty", NULL, "8 x87 registers", { SET(out.ftw, 0xff) } },
    { "one fld too many", MEMCPY, "mmx-dirty", NULL, "1 x87", { SET(out.ftw, 0x80) } },
    { "dirty in kernel-fpu", KFPU, "mmx-dirty", NULL, NULL, { SET(out.ftw, 0xff) } },
    { "dirty is the promise", MMX_LIVE, "-mmx-dirty", NULL, NULL, { SET(out.ftw, 0xff) } },
    { "dirty already at entry", MEMCPY, "-mmx-dirty", NULL, NULL,
      { SET(in.ftw, 0xff), SET(out.ftw, 0xff) } },
    { "tags not captured", MEMCPY, "-mmx-dirty", NULL, NULL,
      { CAPTURED(FNP_HAS_GPR), SET(out.ftw, 0xff) } },
    { "TOP moved, tags empty", MEMCPY, "x87-changed", "x87", "changed: TOP want 0 got 7",
      { SET(out.fsw, 0x3800) } },
    { "TOP moved in kernel-fpu", KFPU, "-x87-changed", NULL, NULL, { SET(out.fsw, 0x3800) } },
    { "TOP moved by an fld left over", MEMCPY, "mmx-dirty", NULL, NULL,
      { SET(out.fsw, 0x3800), SET(out.ftw, 0x80) } },
    { "exception flags and conditions", MEMCPY, "-x87-changed", NULL, NULL,
      { SET(out.fsw, 0x477f) } },
    { "TOP not captured", MEMCPY, "-x87-changed", NULL, NULL,
      { SET(out.fsw, 0x3800), CAPTURED(FNP_HAS_GPR) } },
    { "x87 control word", MEMCPY, "x87-changed", "x87", "want 037f got 027f",
      { SET(out.fcw, 0x27f) } },
    { "control word in kernel-fpu", KFPU, "x87-changed", "x87", NULL, { SET(out.fcw, 0x27f) } },
    { "tags in preserve", CLEAR_PRESERVE, "x87-changed", "x87", "got 00, TOP want 7 got 0", { SET(out.ftw, 0), SET(out.fsw, 0) } },
    { "TOP in preserve", CLEAR_PRESERVE, "x87-changed", "x87", "changed: TOP want 7 got 0",
      { SET(out.fsw, 0) } },
    { "status in preserve", CLEAR_PRESERVE, "x87-changed", "x87", "status flags want 0000 got 0001",
      { SET(out.fsw, 0x3801) } },
    { "ES and B follow from others", CLEAR_PRESERVE, "-x87-changed", NULL, NULL,
      { SET(out.fsw, 0xb880) } },
    { "MMX contents in preserve", CLEAR_PRESERVE, "x87-changed", "x87", "changed: contents of st3",
      { SET(out.st[3][7], 0) } },
    { "MMX registers, one finding", CLEAR_PRESERVE, "x87-changed", "x87", "contents of mm1-mm2, mm7",
      { SET(c.x87, FNP_X87_MMX), SET(out.st[1][0], 0), SET(out.st[2][0], 0), SET(out.st[7][0], 0) } },
    { "contents not captured", CLEAR_PRESERVE, "-x87-changed", NULL, NULL,
      { CAPTURED(FNP_HAS_GPR), SET(out.st[3][7], 0), SET(out.ftw, 0) } },

    /* MXCSR */
    { "flush to zero", MEMCPY, "mxcsr-changed", NULL, "want 1f80 got 9f80",
      { SET(out.mxcsr, 0x9f80) } },
    { "DAZ", MEMCPY, "mxcsr-changed", NULL, NULL, { SET(out.mxcsr, 0x1fc0) } },
    { "all sticky flags, user", MEMCPY, "-mxcsr-changed", NULL, NULL,
      { SET(out.mxcsr, 0x1fbf) } },
    { "a sticky flag, preserve", CLEAR_PRESERVE, "mxcsr-changed", NULL, "sticky",
      { SET(out.mxcsr, 0x1fa0) } },
    { "rounding, kernel-fpu", KFPU, "mxcsr-changed", NULL, NULL, { SET(out.mxcsr, 0x3f80) } },

    /* vectors */
    { "xmm6 in ms64", MS64, "vector-changed", "xmm6", "xmm6 changed",
      { SET(out.xmm[6][0], 0) } },
    { "xmm15 in ms64", MS64, "vector-changed", "xmm15", NULL, { SET(out.xmm[15][15], 0) } },
    { "xmm5 in ms64", MS64, "-vector-changed", NULL, NULL, { SET(out.xmm[5][0], 0) } },
    { "xmm6 in sysv64", MEMCPY, "-vector-changed", NULL, NULL, { SET(out.xmm[6][0], 0) } },
    { "xmm0 in preserve", CLEAR_PRESERVE, "vector-changed", "xmm0", "xmm0-xmm1 and the upper half of ymm9 changed",
      { SET(out.xmm[0][0], 0), SET(out.xmm[1][0], 0), SET(out.ymm_high[9][0], 0) } },
    { "upper half in preserve", CLEAR_PRESERVE, "vector-changed", "ymm9",
      "upper half of ymm9", { SET(out.ymm_high[9][0], 0) } },
    { "a vector that is not listed", CLOBBERS, "vector-changed", "xmm4", NULL,
      { SET(out.xmm[4][0], 0) } },
    { "a listed vector", CLOBBERS, "-vector-changed", NULL, NULL,
      { SET(c.ymm, 1), SET(out.xmm[3][5], 1), SET(out.ymm_high[3][0], 1) } },
    { "upper half of one not listed", CLOBBERS, "vector-changed", "ymm2", "upper half of ymm2",
      { SET(c.ymm, 1), SET(out.ymm_high[2][0], 1) } },
    { "a vector in an ABI of registers", REGS, "vector-changed", "xmm0", NULL,
      { SET(out.xmm[0][0], 0) } },
    { "a list without vectors, kernel-fpu", KFPU_LIST, "-vector-changed", NULL, NULL,
      { SET(out.xmm[4][0], 0) } },
    { "vectors not captured", CLEAR_PRESERVE, "-vector-changed", NULL, NULL,
      { CAPTURED(FNP_HAS_GPR | FNP_HAS_TAGS | FNP_HAS_X87), SET(out.xmm[0][0], 0) } },
    { "upper halves dirty", MEMCPY, "upper-dirty", NULL, "ymm3",
      { SET(out.ymm_high[3][0], 1) } },
    { "in-use bit alone", MEMCPY, "upper-dirty", NULL, NULL,
      { SET(out.xinuse, 6), CAPTURED(FNP_HAS_GPR | FNP_HAS_INUSE) } },
    { "in use at entry already", MEMCPY, "-upper-dirty", NULL, NULL,
      { SET(out.xinuse, 6), SET(in.xinuse, 6) } },
    { "dirty at entry already", MEMCPY, "-upper-dirty", NULL, NULL,
      { SET(out.ymm_high[3][0], 1), SET(c.ymm, 1) } },

    /* ends */
    { "hang", MEMCPY, "hang", NULL, NULL, { SET(end, FNP_END_HANG), SET(fault.rip, RIP) } },
    { "slow, but returned", MEMCPY, "-hang", NULL, NULL, { SET(fault.rip, RIP) } },
    { "system call", MEMCPY, "system-call", NULL, "made system call 231 (exit_group)",
      { SET(end, FNP_END_SYSCALL), SET(fault.addr, 231) } },
    { "unknown system call", MEMCPY, "system-call", NULL, "made system call 9999",
      { SET(end, FNP_END_SYSCALL), SET(fault.addr, 9999) } },
    { "an address like a number", MEMCPY, "-system-call", NULL, NULL,
      { SET(fault.addr, 231) } },
    { "killed", MEMCPY, "crash", "died", "died (SIGKILL)",
      { SET(end, FNP_END_DIED), SET(fault.sig, SIGKILL) } },
    { "exited", MEMCPY, "crash", "died", "died (it exited)", { SET(end, FNP_END_DIED) } },
    { "ud2", MEMCPY, "illegal-instruction", NULL, "instruction at 0x2a4000000012",
      { SET(end, FNP_END_FAULT), SET(fault.sig, SIGILL), SET(fault.rip, RIP) } },
    { "a signal left over", MEMCPY, "-illegal-instruction", NULL, NULL,
      { SET(fault.sig, SIGILL) } },
    { "undefined symbol", MEMCPY, "crash", "undefined", "called undefined symbol",
      { SET(end, FNP_END_FAULT), SET(fault.sig, SIGILL),
        SET(fault.region, FNP_REGION_TRAP) } },
    { "pointer cut to 32 bits", MEMCPY, "crash", "truncated",
      "write at address 0xa0001000, which is dst cut to 32 bits",
      { FAULT(FNP_REGION_TRUNCATED, FNP_ACCESS_WRITE, 0), SET(fault.addr, 0xa0001000) } },
    { "wild read", MEMCPY, "crash", "read-fault",
      "SIGSEGV: read at address 0x10, instruction at 0x2a4000000012",
      { FAULT(FNP_REGION_UNKNOWN, FNP_ACCESS_READ, 0), SET(fault.addr, 0x10) } },
    { "wild jump", MEMCPY, "crash", "exec-fault", "SIGSEGV: jump at address 0x10",
      { FAULT(FNP_REGION_UNKNOWN, FNP_ACCESS_EXEC, 0), SET(fault.addr, 0x10),
        SET(fault.rip, 0x10) } },
    { "movdqa on odd address", MEMCPY, "crash", NULL, "general protection fault",
      { FAULT(FNP_REGION_NONCANONICAL, FNP_ACCESS_UNKNOWN, 0) } },
    { "division by zero", MEMCPY, "crash", NULL, "SIGFPE: division",
      { FAULT(FNP_REGION_UNKNOWN, FNP_ACCESS_UNKNOWN, 0), SET(fault.sig, SIGFPE) } },
    { "int3", MEMCPY, "crash", NULL, "SIGTRAP: breakpoint",
      { FAULT(FNP_REGION_NONCANONICAL, FNP_ACCESS_UNKNOWN, 0), SET(fault.sig, SIGTRAP) } },
    { "AC set, then unaligned", MEMCPY, "crash", NULL, "SIGBUS: unaligned",
      { FAULT(FNP_REGION_UNKNOWN, FNP_ACCESS_UNKNOWN, 0), SET(fault.sig, SIGBUS) } },
    { "code at a low address", MEMCPY, "crash", NULL, "instruction at 0x20000010",
      { FAULT(FNP_REGION_UNKNOWN, FNP_ACCESS_READ, 0), SET(fault.rip, 0x20000010) } },
    { "code above the images", MEMCPY, "crash", NULL, "in code that is not the kernel's",
      { FAULT(FNP_REGION_UNKNOWN, FNP_ACCESS_READ, 0), SET(fault.rip, 0x7f0000000000) } },
    { "code elsewhere", MEMCPY, "crash", NULL, "in code that is not the kernel's",
      { FAULT(FNP_REGION_UNKNOWN, FNP_ACCESS_READ, 0), SET(fault.rip, 0x55aa) } },
    { "nothing ran", MEMCPY, "-crash", NULL, NULL,
      { SET(end, FNP_END_SKIPPED), SET(tool.count, 1), SET(out.gpr[FNP_RBX], 5) } },

    /* order of findings */
    { "over-run and wrong bytes", MEMCPY, "stray-write wrong-bytes", "dst-tail", NULL,
      { DIFF(body[FNP_DST], 17, 1), DIFF(tail[FNP_DST], 4096, 1) } },
    { "fault with what it did before", MEMCPY, "crash stray-write stack-smashed", NULL, NULL,
      { FAULT(FNP_REGION_UNKNOWN, FNP_ACCESS_READ, 0), DIFF(tail[FNP_DST], 4096, 1),
        SET(frame.count, 8) } },
    { "outputs are not judged after a fault", MEMCPY, "stray-read", NULL, NULL,
      { FAULT(FNP_REGION_GUARD, FNP_ACCESS_READ, 8192), DIFF(body[FNP_DST], 17, 1) } },
    { "DF and wrong bytes in one call", MEMCPY, "wrong-bytes df-set", NULL, NULL,
      { SET(out.rflags, 0x646), DIFF(body[FNP_DST], 17, 1) } },
    { "DF carried into the next call", MEMCPY, "df-set stray-write", NULL, NULL,
      { SET(out.rflags, 0x646), DIFF(head[FNP_DST], -17, 17), SET(c.repeat, 1) } },
    { "memory first", MEMCPY,
      "stray-write stack-smashed stray-write source-changed wrong-bytes bad-return df-set",
      NULL, NULL,
      { SET(tail[FNP_DST].count, 1), SET(frame.count, 8), SET(tool.count, 1),
        SET(body[FNP_SRC].count, 1), SET(body[FNP_DST].count, 1), SET(out.gpr[FNP_RAX], 0),
        SET(out.rflags, 0x646) } },
    { "memory after what was carried", MEMCPY,
      "df-set x87-changed stack-moved stray-write stack-smashed source-changed wrong-bytes",
      NULL, NULL,
      { SET(tail[FNP_DST].count, 1), SET(frame.count, 8), SET(body[FNP_SRC].count, 1),
        SET(body[FNP_DST].count, 1), SET(out.gpr[FNP_RSP], 0), SET(out.fcw, 0),
        SET(out.rflags, 0x646), SET(c.repeat, 1) } },
    { "everything at once", MEMCPY,
      "stack-moved stray-write bad-return register-lost df-set mxcsr-changed upper-dirty",
      "rsp", NULL,
      { SET(out.gpr[FNP_RSP], 0), DIFF(tail[FNP_DST], 4096, 1), SET(out.gpr[FNP_RAX], 0),
        SET(out.gpr[FNP_RBX], 0), SET(out.rflags, 0x646), SET(out.mxcsr, 0),
        SET(out.ymm_high[0][0], 1) } },
};
/* clang-format on */

/* The slugs of findings in order, separated by spaces. */
static void slugs_of(const struct fnp_finding *list, size_t count, struct fnp_str *out)
{
    for (size_t i = 0; i < count; i++) {
        fnp_str_add(out, "%s%s", i ? " " : "", fnp_rule_info(list[i].rule)->slug);
    }
}

static void test_rows(bool trips[FNP_N_RULES], bool near_miss[FNP_N_RULES])
{
    for (size_t i = 0; i < FNP_ARRAY_LEN(rows); i++) {
        const struct row *row = &rows[i];
        struct fnp_contract c = contract_of(row->kind);
        struct fnp_outcome o = clean_outcome(&c);
        struct fnp_finding found[FNP_CHECK_MAX];
        char slugs[256];
        struct fnp_str text = fnp_str_over(slugs, sizeof(slugs));
        size_t count;
        bool ok;

        apply(&o, row->edits, MAX_EDITS);
        count = fnp_check_outcome(&c, &o, found);
        slugs_of(found, count, &text);
        if (row->expect[0] == '-') {
            near_miss[fnp_rule_find(row->expect + 1)] = true;
            ok = count == 0;
        } else {
            ok = strcmp(slugs, row->expect) == 0;
        }
        for (size_t k = 0; ok && k < count; k++) {
            trips[found[k].rule] = true;
        }
        ok = ok && fnp_check_screen(&c, &o) == (count > 0) &&
             (!row->region || strcmp(found[0].region, row->region) == 0) &&
             (!row->says || strstr(found[0].message, row->says));
        tap_ok(ok, "%s", row->name);
        if (!ok) {
            printf("# %s: %s: %s\n", slugs, count ? found[0].region : "",
                   count ? found[0].message : "");
        }
    }
}

/* Rows are in check_group_test.c, in check_trace_test.c; bad-fault is not judged yet. */
static const enum fnp_rule elsewhere[] = {
    FNP_RULE_LOSSY_COPY,     FNP_RULE_UNDECLARED_INPUT, FNP_RULE_CPU_UNDECLARED,
    FNP_RULE_RESTORED_WRITE, FNP_RULE_TORN_WRITE,       FNP_RULE_REWRITTEN,
    FNP_RULE_FENCE_MISSING,  FNP_RULE_BAD_FAULT,
};

static bool judged_elsewhere(enum fnp_rule rule)
{
    bool found = false;

    for (size_t i = 0; i < FNP_ARRAY_LEN(elsewhere); i++)
        found |= elsewhere[i] == rule;
    return found;
}

static void test_complete(const bool trips[FNP_N_RULES],
                          const bool near_miss[FNP_N_RULES])
{
    for (unsigned r = 0; r < FNP_N_RULES; r++) {
        if (!judged_elsewhere((enum fnp_rule)r)) {
            tap_ok(trips[r] && near_miss[r], "%s has a row that trips and a near miss",
                   fnp_rule_info((enum fnp_rule)r)->slug);
        }
    }
}

static void test_clean(void)
{
    for (int k = MEMCPY; k <= INT32; k++) {
        struct fnp_contract c = contract_of((enum kind)k);
        struct fnp_outcome o = clean_outcome(&c);

        tap_ok(fnp_check_outcome(&c, &o, NULL) == 0 && !fnp_check_screen(&c, &o),
               "clean call of contract %d", k);
    }
}

/* More wrong than fits: the list is cut, nothing is written behind it. */
static void test_full(void)
{
    struct fnp_contract c = contract_of(MEMCPY);
    struct fnp_outcome o = clean_outcome(&c);
    struct fnp_finding found[FNP_CHECK_MAX + 1];

    memset(&o.body, 1, sizeof(o.body));
    memset(&o.head, 1, sizeof(o.head));
    memset(&o.tail, 1, sizeof(o.tail));
    memset(&o.far_off, 1, sizeof(o.far_off));
    memset(&o.frame, 1, sizeof(o.frame));
    memset(&o.out.gpr, 1, sizeof(o.out.gpr));
    o.tool.count = 1;
    o.out.fs = o.out.gs = o.out.ds = o.out.es = 1;
    o.out.ftw = 0xff;
    memset(&found[FNP_CHECK_MAX], 0x5a, sizeof(found[0]));
    tap_ok(fnp_check_outcome(&c, &o, found) == FNP_CHECK_MAX &&
               found[FNP_CHECK_MAX].region[0] == 0x5a,
           "at most %d findings", FNP_CHECK_MAX);
}

/* For lengths no object can have, what goes wrong is a warning. */
static void test_impossible_length(void)
{
    struct fnp_contract c = contract_of(MEMCPY);
    struct fnp_outcome o = clean_outcome(&c);
    struct fnp_finding found[FNP_CHECK_MAX];

    o.huge = true;
    o.c.n = (uint64_t)INT64_MAX + 1;
    tap_ok(fnp_check_outcome(&c, &o, found) == 1 &&
               found[0].rule == FNP_RULE_WRONG_BYTES &&
               found[0].severity == FNP_WARNING,
           "n > INT64_MAX gives a warning");
    o.c.n = INT64_MAX;
    tap_ok(fnp_check_outcome(&c, &o, found) == 1 && found[0].severity == FNP_ERROR,
           "n = INT64_MAX gives an error");
}

static void test_want_got(void)
{
    struct fnp_contract c = contract_of(MEMCPY);
    struct fnp_outcome o = clean_outcome(&c);
    struct fnp_finding found[FNP_CHECK_MAX];
    struct fnp_diff *d = &o.body[FNP_DST];

    d->count = 2;
    d->first = 100;
    d->last = 102;
    d->n_bytes = 16;
    memset(d->want, 0xab, sizeof(d->want));
    fnp_check_outcome(&c, &o, found);
    tap_ok(strcmp(found[0].want, "ababab") == 0 &&
               strcmp(found[0].got, "000000") == 0 && found[0].has_first &&
               found[0].first == 100 && found[0].count == 2,
           "want and got end at the last wrong byte");
    o = clean_outcome(&c);
    o.out.gpr[FNP_RBX] = 0x1234;
    fnp_check_outcome(&c, &o, found);
    tap_ok(strcmp(found[0].reg, "rbx") == 0 &&
               strcmp(found[0].got, "0000000000001234") == 0 && !found[0].has_first,
           "a register's finding names it and its value");
}

/* Fields for random changes; the value is the largest one, UINT64_MAX is any. */
static const struct edit fields[] = {
    SET(end, 5),
    SET(huge, 1),
    SET(judged_bytes, 1),
    SET(fault.sig, 31),
    SET(fault.access, 3),
    SET(fault.region, 10),
    SET(fault.role, 2),
    SET(fault.offset, UINT64_MAX),
    SET(c.n, UINT64_MAX),
    SET(c.repeat, 7),
    SET(c.ymm, 1),
    SET(body[0].count, 3),
    SET(body[1].count, 3),
    SET(body[2].count, 3),
    SET(body[0].stale, 3),
    SET(head[0].count, 3),
    SET(head[2].count, 3),
    SET(tail[1].count, 3),
    SET(far_off[2].count, 3),
    SET(frame.count, 3),
    SET(tool.count, 3),
    SET(has_want_return, 1),
    SET(want_return, UINT64_MAX),
    SET(out.gpr[FNP_RAX], UINT64_MAX),
    SET(out.gpr[FNP_RBX], UINT64_MAX),
    SET(out.gpr[FNP_RSP], UINT64_MAX),
    SET(out.gpr[FNP_RSI], UINT64_MAX),
    SET(out.gpr[FNP_R9], UINT64_MAX),
    SET(out.rflags, 0x3fffff),
    SET(out.fs_base, UINT64_MAX),
    SET(out.gs_base, UINT64_MAX),
    SET(out.ds, 0xffff),
    SET(out.fs, 0xffff),
    SET(out.mxcsr, 0xffff),
    SET(out.fcw, 0xffff),
    SET(out.fsw, 0xffff),
    SET(out.ftw, 0xff),
    SET(in.ftw, 0xff),
    SET(in.xinuse, 7),
    SET(out.xinuse, 7),
    SET(out.captured, 0x3f),
    SET(out.st[2][3], 0xff),
    SET(out.xmm[5][3], 0xff),
    SET(out.xmm[6][3], 0xff),
    SET(out.ymm_high[15][15], 0xff),
};

/*
 * The screen and the checks must agree on anything: random changes of one to three
 * fields, in every contract.
 */
static void test_screen_agrees(void)
{
    struct fnp_rng rng = { 1 };
    unsigned disagree = 0, dirty = 0;
    enum {
        ROUNDS = 40000
    };

    for (unsigned round = 0; round < ROUNDS; round++) {
        struct fnp_contract c = contract_of((enum kind)fnp_rng_below(&rng, INT32 + 1));
        struct fnp_outcome o = clean_outcome(&c);
        bool found;

        for (uint64_t k = 1 + fnp_rng_below(&rng, 3); k > 0; k--) {
            struct edit e = fields[fnp_rng_below(&rng, FNP_ARRAY_LEN(fields))];

            e.value = e.value == UINT64_MAX ? fnp_rng_next(&rng)
                                            : fnp_rng_below(&rng, e.value + 1);
            apply(&o, &e, 1);
        }
        found = fnp_check_outcome(&c, &o, NULL) > 0;
        disagree += found != fnp_check_screen(&c, &o);
        dirty += found;
    }
    tap_ok(disagree == 0, "the screen agrees with the checks (%u of %d dirty)", dirty,
           (int)ROUNDS);
    tap_ok(dirty > ROUNDS / 4 && dirty < ROUNDS - ROUNDS / 20,
           "the random changes reach both answers");
}

int main(void)
{
    bool trips[FNP_N_RULES] = { false };
    bool near_miss[FNP_N_RULES + 1] = { false };

    test_clean();
    test_rows(trips, near_miss);
    test_complete(trips, near_miss);
    test_full();
    test_impossible_length();
    test_want_got();
    test_screen_agrees();
    return tap_done();
}
