/* SPDX-License-Identifier: MIT */
#include "verify/self/effect_machine.h"

#include <assert.h>
#include <cpuid.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>

#include "base/status.h"
#include "x86/cpuid.h"

struct effect_context {
    uint64_t in[FNP_N_GPRS], out[FNP_N_GPRS];
    uint64_t flags, flags_after, host;
    uint64_t go;
    uint32_t far_target;
    uint16_t far_segment;
    uint64_t leave;
    unsigned char stack[4096 - 304];
    unsigned char x_in[EFFECT_XLEN], x_out[EFFECT_XLEN], x_init[EFFECT_XLEN];
};
_Static_assert(sizeof(struct effect_context) == CTX_LEN, "as effect_layout.h has it");
_Static_assert(offsetof(struct effect_context, leave) == CTX_LEAVE - CTX, "the same");

void effect_enter(void);
extern const unsigned char effect_go32[], effect_leave[];
extern const unsigned char effect_exit64[], effect_exit32[];

static struct effect_context *const context = (struct effect_context *)CTX;
static volatile struct effect_end end;

/* Go on where the state is stored, in a 64-bit segment with harmless flags. */
static void handle(int sig, siginfo_t *info, void *arg)
{
    ucontext_t *u = arg;
    const uint64_t keep = 0xffff0000;

    end.sig = sig;
    end.addr = (uint64_t)(uintptr_t)info->si_addr;
    end.known = sig == SIGSEGV && info->si_code != SI_KERNEL;
    u->uc_mcontext.gregs[REG_RIP] = (greg_t)(uintptr_t)effect_leave;
    u->uc_mcontext.gregs[REG_CSGSFS] =
        (greg_t)(((uint64_t)u->uc_mcontext.gregs[REG_CSGSFS] & ~(uint64_t)0xffff) |
                 0x33);
    u->uc_mcontext.gregs[REG_EFL] &= (greg_t)(keep | FNP_FLAGS_STATUS);
}

static void *map(uint64_t addr, size_t len, int prot)
{
    void *at = (void *)(uintptr_t)addr;

    if (mmap(at, len, prot, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0) !=
        at)
        fnp_die("cannot map %zu bytes at %#llx", len, (unsigned long long)addr);
    return at;
}

void effect_machine_open(void)
{
    static unsigned char stack[65536];
    const stack_t alternate = { .ss_sp = stack, .ss_size = sizeof(stack) };
    const int caught[] = { SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP };
    struct sigaction action = { .sa_sigaction = handle,
                                .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER };
    const uint32_t mxcsr = 0x1f80;

    map(CTX, CTX_LEN, PROT_READ | PROT_WRITE);
    map(CODE, CODE_LEN, PROT_READ | PROT_WRITE | PROT_EXEC);
    for (unsigned i = 0; i < N_SLOTS; i++)
        map(SLOT(i), EFFECT_SLOT_LEN, PROT_READ | PROT_WRITE);
    memcpy(context->x_init + 24, &mxcsr, sizeof(mxcsr));
    sigaltstack(&alternate, NULL);
    for (size_t i = 0; i < FNP_ARRAY_LEN(caught); i++)
        sigaction(caught[i], &action, NULL);
}

unsigned effect_machine_offset(unsigned part)
{
    unsigned size = 0, offset = 0, c = 0, d = 0;

    __cpuid_count(0xd, part, size, offset, c, d);
    return offset;
}

static void put_code(const unsigned char *code, size_t len, bool is32)
{
    unsigned char *at = (unsigned char *)CODE;

    assert(len <= EXIT - INSN);
    memset(at, 0x90, CODE_LEN);
    memcpy(at + (INSN - CODE), code, len);
    memcpy(at + (EXIT - CODE), is32 ? effect_exit32 : effect_exit64, 7);
    memcpy(at + (BACK64 - CODE), effect_exit64, 7);
    context->leave = (uint64_t)(uintptr_t)effect_leave;
    context->go = is32 ? (uint64_t)(uintptr_t)effect_go32 : INSN;
    context->far_target = INSN;
    context->far_segment = FNP_CS_32;
}

static void protect(const struct effect_away *away, int prot)
{
    unsigned char *at = (unsigned char *)(uintptr_t)SLOT(away->slot);

    if (away->whole)
        mprotect(at, EFFECT_SLOT_LEN, prot);
    else
        mprotect(at + (away->high ? SLOT_HALF : 0), SLOT_HALF, prot);
}

struct effect_end effect_machine_run(const unsigned char *code, size_t len, bool is32,
                                     const struct effect_state *before,
                                     const struct effect_away *away,
                                     struct effect_state *after)
{
    put_code(code, len, is32);
    memcpy(context->in, before->gpr, sizeof(context->in));
    context->flags = before->flags;
    memcpy(context->x_in, before->x, EFFECT_XLEN);
    memset(context->x_out, 0, EFFECT_XLEN);
    for (unsigned i = 0; i < N_SLOTS; i++)
        memcpy((void *)(uintptr_t)SLOT(i), before->memory[i], EFFECT_SLOT_LEN);
    end.sig = 0;
    if (away)
        protect(away, away->writes ? PROT_READ : PROT_NONE);
    effect_enter();
    if (away)
        protect(away, PROT_READ | PROT_WRITE);
    if (after) {
        memcpy(after->gpr, context->out, sizeof(after->gpr));
        after->flags = context->flags_after;
        memcpy(after->x, context->x_out, EFFECT_XLEN);
        for (unsigned i = 0; i < N_SLOTS; i++)
            memcpy(after->memory[i], (void *)(uintptr_t)SLOT(i), EFFECT_SLOT_LEN);
        for (unsigned i = 0; is32 && i < FNP_N_GPRS; i++)
            after->gpr[i] &= UINT32_MAX;
    }
    return (struct effect_end){ end.sig, end.addr, end.known };
}
