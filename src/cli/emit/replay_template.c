/* SPDX-License-Identifier: MIT */
/*
 * One call of one kernel, set up as fencepost does it, and a look at what it left.
 * Needs nothing but gcc and Linux on x86-64.  Exit status: 0 the kernel kept its
 * promises, 1 it did not (a sentence says which), 2 the call could not be set up.
 */
#define _GNU_SOURCE
#include <cpuid.h>
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ucontext.h>
#include <unistd.h>

/* ---- what the data is made of */

/* Pages with one protection; bytes behind `n_bytes` are zero. */
struct pages {
    uint64_t addr;
    size_t len;
    int prot;
    const unsigned char *bytes;
    size_t n_bytes;
};

/* Accessible memory [lo, hi) between no-access pages; `fill` where no piece lies. */
struct field {
    uint64_t lo, hi;
    int prot; /* while the kernel runs */
    unsigned char fill;
};

/* What stands in a field before the call. */
struct piece {
    uint64_t addr;
    size_t len;
    const unsigned char *bytes;
};

struct buffer {
    const char *name;
    uint64_t addr, len;
    uint64_t mapped;             /* < len: the kernel must fault where the field ends */
    int output;                  /* the kernel may write it */
    const unsigned char *expect; /* NULL: all bytes are `constant` */
    int constant;                /* < 0 and no `expect`: contents are not compared */
};

/* Machine state at entry and what must hold at return. */
struct call {
    uint64_t entry;
    uint64_t stack_lo, stack_hi; /* the kernel's stack */
    uint64_t gpr[16];            /* in encoding order; rsp as it is before the call */
    uint64_t flags;
    uint32_t mxcsr;
    uint16_t fcw, fsw;
    unsigned char ftw;
    unsigned char st[8][10], xmm[16][16], ymm_high[16][16];
    uint64_t stack_args[8];
    size_t n_stack_args;
    unsigned frame_free; /* bytes above the return address that are the callee's */
    unsigned calls;      /* how often, one after another, each on fresh buffers */

    unsigned keep_gprs; /* bit k: register k must not change */
    int has_return;     /* register return_reg must hold want_return */
    unsigned return_reg, return_bytes;
    uint64_t want_return;
    uint32_t keep_mxcsr; /* mask */
    int keep_fcw, keep_x87, keep_top, empty_tags, clean_upper;
    unsigned keep_xmm, keep_ymm; /* masks of registers */
};

/* @DATA@ */

/* ---- the call */

enum {
    RSP = 4,
    FRAME_MAX = 4096,
    AREA_LEN = 4096
};

static const char *const gpr_names[16] = {
    "rax", "rcx", "rdx", "rbx", "rsp", "rbp", "rsi", "rdi",
    "r8",  "r9",  "r10", "r11", "r12", "r13", "r14", "r15",
};

/* Read and written by the code below, hence global. */
uint64_t in_gpr[16], in_flags, in_entry, out_gpr[16], out_flags, host_rsp, host_fs,
    host_gs, out_gs, out_fs;
unsigned char area_in[AREA_LEN] __attribute__((aligned(64)));
unsigned char area_out[AREA_LEN] __attribute__((aligned(64)));
uint32_t area_mask, host_mxcsr = 0x1f80;
volatile unsigned char have_fsgsbase; /* RDFSBASE works */
volatile unsigned char blocked;       /* 1: system calls become SIGSYS */
volatile unsigned char armed;         /* 1: a signal belongs to the kernel */

void call_kernel(void);
extern const char kernel_returned[], kernel_left[], call_kernel_end[];
void signal_entry(int sig, siginfo_t *info, void *context);
void signal_seen(int sig, siginfo_t *info, void *context);

__asm__(".text\n"
        "call_kernel:\n"
        "        push %rbx\n"
        "        push %rbp\n"
        "        push %r12\n"
        "        push %r13\n"
        "        push %r14\n"
        "        push %r15\n"
        "        mov %rsp, host_rsp(%rip)\n"
        "        mov area_mask(%rip), %eax\n"
        "        xor %edx, %edx\n"
        "        xrstor64 area_in(%rip)\n"
        "        movb $1, armed(%rip)\n"
        "        movb $1, blocked(%rip)\n"
        "        mov in_gpr+32(%rip), %rsp\n"
        "        pushq in_flags(%rip)\n"
        "        popfq\n"
        "        mov in_gpr+0(%rip), %rax\n"
        "        mov in_gpr+8(%rip), %rcx\n"
        "        mov in_gpr+16(%rip), %rdx\n"
        "        mov in_gpr+24(%rip), %rbx\n"
        "        mov in_gpr+40(%rip), %rbp\n"
        "        mov in_gpr+48(%rip), %rsi\n"
        "        mov in_gpr+56(%rip), %rdi\n"
        "        mov in_gpr+64(%rip), %r8\n"
        "        mov in_gpr+72(%rip), %r9\n"
        "        mov in_gpr+80(%rip), %r10\n"
        "        mov in_gpr+88(%rip), %r11\n"
        "        mov in_gpr+96(%rip), %r12\n"
        "        mov in_gpr+104(%rip), %r13\n"
        "        mov in_gpr+112(%rip), %r14\n"
        "        mov in_gpr+120(%rip), %r15\n"
        "        call *in_entry(%rip)\n"
        /* Nothing is read through rsp before our own is back. */
        "kernel_returned:\n"
        "        mov %rax, out_gpr+0(%rip)\n"
        "        mov %rcx, out_gpr+8(%rip)\n"
        "        mov %rdx, out_gpr+16(%rip)\n"
        "        mov %rbx, out_gpr+24(%rip)\n"
        "        mov %rsp, out_gpr+32(%rip)\n"
        "        mov %rbp, out_gpr+40(%rip)\n"
        "        mov %rsi, out_gpr+48(%rip)\n"
        "        mov %rdi, out_gpr+56(%rip)\n"
        "        mov %r8, out_gpr+64(%rip)\n"
        "        mov %r9, out_gpr+72(%rip)\n"
        "        mov %r10, out_gpr+80(%rip)\n"
        "        mov %r11, out_gpr+88(%rip)\n"
        "        mov %r12, out_gpr+96(%rip)\n"
        "        mov %r13, out_gpr+104(%rip)\n"
        "        mov %r14, out_gpr+112(%rip)\n"
        "        mov %r15, out_gpr+120(%rip)\n"
        "        mov host_rsp(%rip), %rsp\n"
        "        pushfq\n"
        "        pop out_flags(%rip)\n"
        "        pushq $0x202\n"
        "        popfq\n"
        "        mov area_mask(%rip), %eax\n"
        "        xor %edx, %edx\n"
        "        xsave64 area_out(%rip)\n"
        "        cmpb $0, have_fsgsbase(%rip)\n"
        "        je kernel_left\n"
        "        rdfsbase %rax\n"
        "        mov %rax, out_fs(%rip)\n"
        "        mov host_fs(%rip), %rax\n"
        "        wrfsbase %rax\n"
        "        rdgsbase %rax\n"
        "        mov %rax, out_gs(%rip)\n"
        /* The signal handler comes here, too. */
        "kernel_left:\n"
        "        mov host_rsp(%rip), %rsp\n"
        "        movb $0, blocked(%rip)\n"
        "        movb $0, armed(%rip)\n"
        "        fninit\n"
        "        ldmxcsr host_mxcsr(%rip)\n"
        "        pop %r15\n"
        "        pop %r14\n"
        "        pop %r13\n"
        "        pop %r12\n"
        "        pop %rbp\n"
        "        pop %rbx\n"
        "        ret\n"
        "call_kernel_end:\n"
        /* AC may be set and fs may be the kernel's doing: put both right before C. */
        "signal_entry:\n"
        "        movb $0, blocked(%rip)\n"
        "        pushq $0x202\n"
        "        popfq\n"
        "        cmpb $0, have_fsgsbase(%rip)\n"
        "        je 1f\n"
        "        mov host_fs(%rip), %rax\n"
        "        wrfsbase %rax\n"
        "1:      jmp signal_seen\n");

/* What ended the call, if it did not return. */
static struct {
    volatile int sig;
    int code, number;
    uint64_t addr, rip;
    int write, fetch, page_fault;
} ended;

void signal_seen(int sig, siginfo_t *info, void *context)
{
    ucontext_t *uc = context;
    greg_t *reg = uc->uc_mcontext.gregs;

    if (!armed) {
        signal(sig, SIG_DFL);
        return;
    }
    ended.sig = sig;
    ended.code = info->si_code;
    ended.number = sig == SIGSYS ? info->si_syscall : 0;
    ended.rip = (uint64_t)reg[REG_RIP];
    ended.page_fault = sig != SIGALRM && reg[REG_TRAPNO] == 14;
    ended.addr = (uint64_t)reg[REG_CR2];
    ended.write = reg[REG_ERR] >> 1 & 1;
    ended.fetch = reg[REG_ERR] >> 4 & 1;
    reg[REG_RIP] = (greg_t)(uintptr_t)kernel_left;
    reg[REG_EFL] = 0x202;
}

static int thread_changed; /* see call_guarded */

/* ---- setting up */

static void give_up(const char *what)
{
    printf("%s: cannot set up: %s: %s\n", kernel_name, what, strerror(errno));
    exit(2);
}

static unsigned char *at(uint64_t addr)
{
    return (unsigned char *)(uintptr_t)addr;
}

static void map(uint64_t addr, uint64_t len, int prot)
{
    void *page =
        mmap(at(addr), len, prot,
             MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE | MAP_NORESERVE, -1, 0);

    if (page == MAP_FAILED) {
        give_up("mmap at a fixed address");
    }
    if (page != at(addr)) {
        errno = EEXIST;
        give_up("mmap at a fixed address");
    }
}

static void map_guarded(uint64_t lo, uint64_t hi)
{
    map(lo - 4096, 4096, PROT_NONE);
    map(lo, hi - lo, PROT_READ | PROT_WRITE);
    map(hi, 4096, PROT_NONE);
}

static unsigned char *before[N_FIELDS]; /* each field as it was */
static unsigned char frame[FRAME_MAX];  /* the caller's frame as it was */
static size_t frame_len;

static void make_memory(void)
{
    for (size_t i = 0; i < N_IMAGE; i++) {
        map(image[i].addr, image[i].len, PROT_READ | PROT_WRITE);
        memcpy(at(image[i].addr), image[i].bytes, image[i].n_bytes);
        if (mprotect(at(image[i].addr), image[i].len, image[i].prot) != 0) {
            give_up("mprotect of the kernel's pages");
        }
    }
    for (size_t i = 0; i < N_FIELDS; i++) {
        map_guarded(fields[i].lo, fields[i].hi);
        memset(at(fields[i].lo), fields[i].fill, fields[i].hi - fields[i].lo);
    }
    for (size_t i = 0; i < N_PIECES; i++) {
        memcpy(at(pieces[i].addr), pieces[i].bytes, pieces[i].len);
    }
    for (size_t i = 0; i < N_FIELDS; i++) {
        size_t len = fields[i].hi - fields[i].lo;
        before[i] = malloc(len);
        if (!before[i]) {
            give_up("malloc");
        }
        memcpy(before[i], at(fields[i].lo), len);
        mprotect(at(fields[i].lo), len, fields[i].prot);
    }
    map_guarded(call.stack_lo, call.stack_hi);
    memset(at(call.stack_lo), 0xd7, call.stack_hi - call.stack_lo);
    frame_len = call.stack_hi - call.gpr[RSP];
    if (frame_len > sizeof(frame)) {
        frame_len = sizeof(frame);
    }
    for (size_t i = 0; i < frame_len; i++) {
        frame[i] = (unsigned char)(0x80 | i * 7);
    }
    memcpy(frame + call.frame_free, call.stack_args, 8 * call.n_stack_args);
    memcpy(at(call.gpr[RSP]), frame, frame_len);
}

/* Before a further call: fresh buffers, but the FP state that the last call left. */
static void refill(void)
{
    for (size_t i = 0; i < N_FIELDS; i++) {
        if (fields[i].prot & PROT_WRITE) {
            memcpy(at(fields[i].lo), before[i], fields[i].hi - fields[i].lo);
        }
    }
    memcpy(at(call.gpr[RSP]), frame, frame_len);
    memcpy(area_in, area_out, 576);
}

/* Where the upper YMM halves are in an XSAVE area; 0: there are none. */
static unsigned ymm_offset(void)
{
    unsigned a, b, c, d;

    if (!(area_mask & 4) || !__get_cpuid_count(0xd, 2, &a, &b, &c, &d)) {
        return 0;
    }
    return b + 256 <= AREA_LEN ? b : 0;
}

static void make_state(void)
{
    unsigned a, b, c, d, xcr0_low, xcr0_high;
    uint64_t components = 3;

    if (!__get_cpuid(1, &a, &b, &c, &d) || !(c >> 27 & 1)) {
        errno = ENOSYS;
        give_up("XSAVE");
    }
    __asm__ volatile("xgetbv" : "=a"(xcr0_low), "=d"(xcr0_high) : "c"(0));
    area_mask = xcr0_low & 7;
    memcpy(area_in, &call.fcw, 2);
    memcpy(area_in + 2, &call.fsw, 2);
    area_in[4] = call.ftw;
    memcpy(area_in + 24, &call.mxcsr, 4);
    for (unsigned i = 0; i < 8; i++) {
        memcpy(area_in + 32 + 16 * i, call.st[i], 10);
    }
    memcpy(area_in + 160, call.xmm, sizeof(call.xmm));
    if (ymm_offset()) {
        static const unsigned char zero[sizeof(call.ymm_high)];
        memcpy(area_in + ymm_offset(), call.ymm_high, sizeof(call.ymm_high));
        components |= memcmp(call.ymm_high, zero, sizeof(zero)) ? 4 : 0;
    }
    memcpy(area_in + 512, &components, 8);
    memcpy(in_gpr, call.gpr, sizeof(in_gpr));
    in_flags = call.flags;
    in_entry = call.entry;
    have_fsgsbase = getauxval(AT_HWCAP2) >> 1 & 1;
    if (have_fsgsbase) {
        __asm__ volatile("rdfsbase %0" : "=r"(host_fs));
        __asm__ volatile("rdgsbase %0" : "=r"(host_gs));
        out_fs = host_fs;
        out_gs = host_gs;
    }
}

static void catch_signals(void)
{
    static const int signals[] = { SIGSEGV, SIGBUS, SIGILL, SIGFPE,
                                   SIGTRAP, SIGSYS, SIGALRM };
    static unsigned char stack[65536];
    stack_t alternate = { .ss_sp = stack, .ss_size = sizeof(stack) };
    struct sigaction action = { .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER };

    action.sa_sigaction = signal_entry;
    sigemptyset(&action.sa_mask);
    if (sigaltstack(&alternate, NULL) != 0) {
        give_up("sigaltstack");
    }
    for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]); i++) {
        sigaction(signals[i], &action, NULL);
    }
    /* 59 is PR_SET_SYSCALL_USER_DISPATCH, Linux 5.11. */
    if (prctl(59, 1, 0, 0, &blocked) != 0) {
        printf("%s: note: system calls of the kernel take effect here\n", kernel_name);
    }
}

/* Stands right below the base of fs, where a stray write to thread-local memory goes. */
static __thread volatile unsigned char thread_bytes[128];

/* Thread-local memory is looked at and put back before anybody uses it. */
static void call_guarded(void)
{
    static unsigned char old[192];
    unsigned char *thread = have_fsgsbase ? at(host_fs - 128) : NULL;

    for (size_t i = 0; i < sizeof(thread_bytes); i++) {
        thread_bytes[i] = 0xa7;
    }
    if (thread) {
        memcpy(old, thread, sizeof(old));
    }
    call_kernel();
    if (thread && memcmp(old, thread, sizeof(old)) != 0) {
        memcpy(thread, old, sizeof(old));
        thread_changed = 1;
    }
}

/* ---- judging */

static int broken;

static void blame(const char *what)
{
    printf("%s: %s\n", kernel_name, what);
    broken = 1;
}

/* "dst+12", for the buffer nearest to an address. */
static const char *place(uint64_t addr)
{
    static char text[64];
    const struct buffer *near = NULL;
    uint64_t least = UINT64_MAX;

    for (size_t i = 0; i < N_BUFFERS; i++) {
        const struct buffer *b = &buffers[i];
        uint64_t away = addr < b->addr            ? b->addr - addr
                        : addr < b->addr + b->len ? 0
                                                  : addr - b->addr - b->len + 1;
        if (away < least || (away == least && b->output)) {
            least = away;
            near = b;
        }
    }
    if (!near || least > 1ull << 32) {
        snprintf(text, sizeof(text), "0x%" PRIx64, addr);
    } else {
        snprintf(text, sizeof(text), "%s%+" PRId64, near->name,
                 (int64_t)(addr - near->addr));
    }
    return text;
}

/* A huge buffer is mapped in part: faulting at the end of that part is right. */
static int is_huge_edge(void)
{
    for (size_t i = 0; i < N_BUFFERS; i++) {
        const struct buffer *b = &buffers[i];
        if (ended.page_fault && b->mapped < b->len &&
            ended.addr - b->addr >= b->mapped && ended.addr - b->addr < b->len) {
            return 1;
        }
    }
    return 0;
}

static int is_huge(void)
{
    for (size_t i = 0; i < N_BUFFERS; i++) {
        if (buffers[i].mapped < buffers[i].len) {
            return 1;
        }
    }
    return 0;
}

static int in_image(uint64_t addr)
{
    for (size_t i = 0; i < N_IMAGE; i++) {
        if (addr - image[i].addr < image[i].len) {
            return 1;
        }
    }
    return 0;
}

static void judge_end(void)
{
    char text[256];
    char where[64];

    if (in_image(ended.rip)) {
        snprintf(where, sizeof(where), "at entry%+" PRId64,
                 (int64_t)(ended.rip - call.entry));
    } else {
        snprintf(where, sizeof(where), "at 0x%" PRIx64, ended.rip);
    }
    if (ended.sig == SIGALRM) {
        snprintf(text, sizeof(text), "did not return within 2 s, last seen %s", where);
    } else if (ended.sig == SIGSYS) {
        snprintf(text, sizeof(text), "made system call %d %s", ended.number, where);
    } else if (ended.sig == SIGTRAP && ended.rip >= (uintptr_t)kernel_returned &&
               ended.rip < (uintptr_t)call_kernel_end) {
        snprintf(text, sizeof(text), "returned with the trap flag set");
    } else if (ended.page_fault) {
        snprintf(text, sizeof(text), "signal %d (%s) %s: %s %s", ended.sig,
                 strsignal(ended.sig), where,
                 ended.fetch   ? "jumped to"
                 : ended.write ? "wrote to"
                               : "read from",
                 place(ended.addr));
    } else {
        snprintf(text, sizeof(text), "signal %d (%s) %s", ended.sig,
                 strsignal(ended.sig), where);
    }
    blame(text);
}

static const struct buffer *owner(uint64_t addr, int output)
{
    for (size_t i = 0; i < N_BUFFERS; i++) {
        if (buffers[i].output == output && addr - buffers[i].addr < buffers[i].len) {
            return &buffers[i];
        }
    }
    return NULL;
}

/* What a byte must be now; -1: anything. */
static int wanted(const struct buffer *out, uint64_t addr, unsigned char old)
{
    if (!out) {
        return old;
    }
    return out->expect ? out->expect[addr - out->addr] : out->constant;
}

static void judge_memory(void)
{
    static const char *const kinds[] = { "wrong bytes in the output",
                                         "input bytes changed",
                                         "bytes changed outside the buffers" };
    uint64_t count[3] = { 0 }, first[3] = { 0 };
    int want[3] = { 0 }, got[3] = { 0 };
    char text[256];

    for (size_t f = 0; f < N_FIELDS; f++) {
        for (uint64_t a = fields[f].lo; a < fields[f].hi; a++) {
            const struct buffer *out = owner(a, 1);
            int is = *at(a), must = wanted(out, a, before[f][a - fields[f].lo]);
            int kind = out ? 0 : owner(a, 0) ? 1 : 2;
            if (must < 0 || is == must) {
                continue;
            }
            if (count[kind]++ == 0) {
                first[kind] = a;
                want[kind] = must;
                got[kind] = is;
            }
        }
    }
    for (int k = 0; k < 3; k++) {
        if (count[k]) {
            snprintf(text, sizeof(text),
                     "%s: %" PRIu64 ", first at %s: %02x where %02x belongs", kinds[k],
                     count[k], place(first[k]), (unsigned)got[k], (unsigned)want[k]);
            blame(text);
        }
    }
}

static void judge_registers(void)
{
    char text[256];
    uint64_t mask = call.return_bytes >= 8 ? UINT64_MAX
                                           : ((uint64_t)1 << 8 * call.return_bytes) - 1;

    for (unsigned i = 0; i < 16; i++) {
        if (i == RSP || !(call.keep_gprs >> i & 1) || out_gpr[i] == call.gpr[i]) {
            continue;
        }
        snprintf(text, sizeof(text),
                 "%s changed: %" PRIx64 " where %" PRIx64 " belongs", gpr_names[i],
                 out_gpr[i], call.gpr[i]);
        blame(text);
    }
    if (out_gpr[RSP] != call.gpr[RSP]) {
        snprintf(text, sizeof(text), "returned with rsp off by %" PRId64,
                 (int64_t)(out_gpr[RSP] - call.gpr[RSP]));
        blame(text);
    }
    if (memcmp(at(call.gpr[RSP]) + call.frame_free, frame + call.frame_free,
               frame_len - call.frame_free) != 0) {
        blame("wrote to the caller's frame or to its stack arguments");
    }
    if (call.has_return && ((out_gpr[call.return_reg] ^ call.want_return) & mask)) {
        snprintf(text, sizeof(text),
                 "returned %" PRIx64 " in %s where %" PRIx64 " belongs",
                 out_gpr[call.return_reg] & mask, gpr_names[call.return_reg],
                 call.want_return & mask);
        blame(text);
    }
    if (out_flags >> 10 & 1) {
        blame("returned with the direction flag set");
    }
    if ((out_flags ^ call.flags) & 0x244100) {
        blame("changed AC, NT, TF or ID");
    }
    if (out_fs != host_fs || out_gs != host_gs) {
        blame("changed the base of fs or gs");
    }
    if (thread_changed) {
        blame("changed thread-local memory of this program (at fs)");
    }
}

static void judge_vectors(uint64_t components)
{
    static const unsigned char zero[16];
    unsigned offset = ymm_offset();
    char text[64];

    for (unsigned i = 0; i < 16; i++) {
        const unsigned char *xmm = components & 2 ? area_out + 160 + 16 * i : zero;
        const unsigned char *ymm =
            (components & 4) && offset ? area_out + offset + 16 * i : zero;
        if (((call.keep_xmm >> i & 1) && memcmp(xmm, call.xmm[i], 16)) ||
            ((call.keep_ymm >> i & 1) && memcmp(ymm, call.ymm_high[i], 16))) {
            snprintf(text, sizeof(text), "vector register %u changed", i);
            blame(text);
        }
        if (call.clean_upper && memcmp(ymm, zero, 16)) {
            snprintf(text, sizeof(text),
                     "returned with data in the upper half of ymm%u", i);
            blame(text);
        }
    }
}

/* What the kernel did to registers or status word that it had to keep; NULL: nothing. */
static const char *x87_fault(const unsigned char *area)
{
    uint16_t fsw;

    memcpy(&fsw, area + 2, 2);
    if (call.keep_top && !call.ftw && !area[4] && ((fsw ^ call.fsw) & 0x3800)) {
        return "changed the top of the x87 stack";
    }
    if (!call.keep_x87) {
        return NULL;
    }
    if (area[4] != call.ftw) {
        return "changed which x87 registers are in use";
    }
    if ((fsw ^ call.fsw) & 0x7f7f) {
        return "changed the x87 status word";
    }
    for (unsigned i = 0; i < 8; i++) {
        if (memcmp(area + 32 + 16 * i, call.st[i], 10)) {
            return "changed the contents of x87 or MMX registers";
        }
    }
    return NULL;
}

static void judge_x87(uint64_t components)
{
    static const unsigned char initial[416] = { 0x7f, 0x03 };
    const unsigned char *area = components & 1 ? area_out : initial;
    const char *fault = x87_fault(area);

    if (call.empty_tags && (area[4] & ~call.ftw)) {
        blame("left x87 or MMX registers in use (no emms)");
    }
    if (fault) {
        blame(fault);
    }
    if (call.keep_fcw && memcmp(area, &call.fcw, 2)) {
        blame("changed the x87 control word");
    }
}

static void judge_fp(void)
{
    uint64_t components;
    uint32_t mxcsr;

    memcpy(&components, area_out + 512, 8);
    memcpy(&mxcsr, area_out + 24, 4);
    judge_x87(components);
    if ((mxcsr ^ call.mxcsr) & call.keep_mxcsr) {
        blame("changed MXCSR");
    }
    judge_vectors(components);
}

int main(void)
{
    setvbuf(stdout, NULL, _IOLBF, 0);
    make_memory();
    make_state();
    catch_signals();
    for (unsigned i = 0; i < call.calls && !ended.sig; i++) {
        if (i > 0) {
            refill();
        }
        alarm(2);
        call_guarded();
        alarm(0);
    }
    if (ended.sig) {
        if (!is_huge_edge()) {
            judge_end();
        }
    } else if (is_huge()) {
        blame("returned before it had touched all of a huge buffer");
    } else {
        judge_memory();
        judge_registers();
        judge_fp();
    }
    if (!broken) {
        printf("%s: kept its promises in this case (%s)\n", kernel_name, case_text);
    }
    return broken;
}
