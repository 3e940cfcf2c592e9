/* SPDX-License-Identifier: MIT */
/*
 * One call of one kernel, set up as fencepost does it, and a look at what it left.
 * Needs nothing but gcc and Linux on x86-64.  Exit status: 0 the kernel kept its
 * promises, 1 it did not (a sentence says which), 2 the call could not be set up.
 */
#define _GNU_SOURCE
#include <asm/ldt.h>
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
#include <sys/syscall.h>
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
    uint32_t gate; /* 0, or for 32-bit code: a page for the way to it and back */
    uint32_t
        gs_page; /* what 32-bit code has behind gs: its stack protector looks there */
    uint64_t stack_lo, stack_hi; /* the kernel's stack */
    uint64_t gpr[16];            /* in encoding order; rsp as it is before the call */
    uint64_t flags;
    uint32_t mxcsr;
    uint16_t fcw, fsw;
    unsigned char ftw;
    unsigned char st[8][10], xmm[16][16], ymm_high[16][16];
    unsigned char stack_args[96];
    size_t stack_args_at, stack_args_len; /* bytes above the return address */
    unsigned frame_free; /* bytes above the return address that are the callee's */
    unsigned calls;      /* how often, one after another, each on fresh buffers */

    unsigned keep_gprs; /* bit k: register k must not change */
    uint64_t below;     /* bytes from stack_lo on that must not change */
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
    N_GPRS_32 = 8, /* that 32-bit code has */
    FRAME_MAX = 4096,
    AREA_LEN = 4096,
    GATE_LEN = 4096,
    GATE_BACK = 1024, /* where in the gate 64-bit code goes on */
    CS_32 = 0x23,     /* Linux's __USER32_CS and __USER_DS */
    DS_FLAT = 0x2b,
    STACK_FILL = 0xd7,
};

static const char *const gpr_names[16] = {
    "rax", "rcx", "rdx", "rbx", "rsp", "rbp", "rsi", "rdi",
    "r8",  "r9",  "r10", "r11", "r12", "r13", "r14", "r15",
};

/* Read and written by the code below, hence global. */
uint64_t in_gpr[16], in_flags, in_entry, out_gpr[16], out_flags, host_rsp, host_fs,
    host_gs, out_gs, out_fs;
uint16_t host_segments[4], out_segments[4]; /* ds es fs gs */
/* Where the 32-bit code segment is entered: a far pointer. */
struct {
    uint32_t offset;
    uint16_t selector;
} gate_call;
unsigned char area_in[AREA_LEN] __attribute__((aligned(64)));
unsigned char area_out[AREA_LEN] __attribute__((aligned(64)));
uint32_t area_mask, host_mxcsr = 0x1f80;
volatile unsigned char have_fsgsbase; /* RDFSBASE works */
volatile unsigned char blocked;       /* 1: system calls become SIGSYS */
volatile unsigned char armed;         /* 1: a signal belongs to the kernel */

void call_kernel(void);
void enter_32(void);
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
        "        mov %ds, out_segments+0(%rip)\n"
        "        mov %es, out_segments+2(%rip)\n"
        "        mov %fs, out_segments+4(%rip)\n"
        "        mov %gs, out_segments+6(%rip)\n"
        "        cmpb $0, have_fsgsbase(%rip)\n"
        "        je kernel_left\n"
        "        rdfsbase %rax\n"
        "        mov %rax, out_fs(%rip)\n"
        "        rdgsbase %rax\n"
        "        mov %rax, out_gs(%rip)\n"
        /* The signal handler comes here, too. */
        "kernel_left:\n"
        "        mov host_rsp(%rip), %rsp\n"
        "        call restore_segments\n"
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
        /*
         * Called in place of a 32-bit kernel, whose return address the gate pushes: half
         * of ours goes there, the other half becomes STACK_FILL again.
         */
        "enter_32:\n"
        "        lea 8(%rsp), %rsp\n"
        "        movl $0xd7d7d7d7, -8(%rsp)\n"
        "        ljmpl *gate_call(%rip)\n"
        "call_kernel_end:\n"
        /* Loading a selector changes the base, so the selector comes first. */
        "restore_segments:\n"
        "        mov host_segments+0(%rip), %ds\n"
        "        mov host_segments+2(%rip), %es\n"
        "        cmpb $0, have_fsgsbase(%rip)\n"
        "        je 1f\n"
        "        mov host_segments+4(%rip), %fs\n"
        "        mov host_segments+6(%rip), %gs\n"
        "        mov host_fs(%rip), %rax\n"
        "        wrfsbase %rax\n"
        "        mov host_gs(%rip), %rax\n"
        "        wrgsbase %rax\n"
        "1:      ret\n"
        /* AC may be set and fs may be the kernel's doing: put both right before C. */
        "signal_entry:\n"
        "        movb $0, blocked(%rip)\n"
        "        pushq $0x202\n"
        "        popfq\n"
        "        call restore_segments\n"
        "        jmp signal_seen\n");

/* What ended the call, if it did not return. */
static struct {
    volatile int sig;
    int code, number;
    uint64_t addr, rip;
    int write, fetch, page_fault;
} ended;

/* ds es fs gs, as they are now. */
static void read_segments(uint16_t out[4])
{
    __asm__ volatile("mov %%ds, %0" : "=m"(out[0]));
    __asm__ volatile("mov %%es, %0" : "=m"(out[1]));
    __asm__ volatile("mov %%fs, %0" : "=m"(out[2]));
    __asm__ volatile("mov %%gs, %0" : "=m"(out[3]));
}

static uint16_t own_cs(void)
{
    uint16_t cs;

    __asm__ volatile("mov %%cs, %0" : "=r"(cs));
    return cs;
}

void signal_seen(int sig, siginfo_t *info, void *context)
{
    const uint16_t cs = own_cs();
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
    memcpy(&reg[REG_CSGSFS], &cs, sizeof(cs)); /* it may have been 32-bit code */
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
    memset(at(call.stack_lo), STACK_FILL, call.stack_hi - call.stack_lo);
    frame_len = call.stack_hi - call.gpr[RSP];
    if (frame_len > sizeof(frame)) {
        frame_len = sizeof(frame);
    }
    for (size_t i = 0; i < frame_len; i++) {
        frame[i] = (unsigned char)(0x80 | i * 7);
    }
    memcpy(frame + call.stack_args_at, call.stack_args, call.stack_args_len);
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

/* call rel32; ljmp $selector,$offset */
struct call32 {
    uint8_t call;
    uint32_t distance;
    uint8_t jump;
    uint32_t offset;
    uint16_t selector;
} __attribute__((packed));

/* jmp *2(%rip); its target, aligned: the kernel may have set AC */
struct back64 {
    uint8_t jump[8];
    uint64_t target;
} __attribute__((packed));

/*
 * The gate: a real 32-bit call and a far jump back.  Registers pass through, because a
 * mode switch keeps the low halves.  Data segments must not be null in 32-bit code, and
 * gs gets a descriptor of the LDT, where the system gives one.
 */
static void make_gate(void)
{
    const struct call32 to = {
        .call = 0xe8,
        .distance = (uint32_t)call.entry - (call.gate + 5),
        .jump = 0xea,
        .offset = call.gate + GATE_BACK,
        .selector = own_cs(),
    };
    const struct back64 back = {
        .jump = { 0xff, 0x25, 2 },
        .target = (uintptr_t)kernel_returned,
    };
    const struct user_desc tls = {
        .base_addr = call.gs_page + GATE_LEN / 2,
        .limit = 0xfffff,
        .limit_in_pages = 1,
        .seg_32bit = 1,
        .useable = 1,
    };

    map(call.gate, GATE_LEN, PROT_READ | PROT_WRITE);
    memcpy(at(call.gate), &to, sizeof(to));
    memcpy(at(call.gate + GATE_BACK), &back, sizeof(back));
    map(call.gs_page, GATE_LEN, PROT_READ | PROT_WRITE);
    memset(at(call.gs_page), 0x9b, GATE_LEN);
    memcpy(at(tls.base_addr), &tls.base_addr, 4);
    if (mprotect(at(call.gate), GATE_LEN, PROT_READ | PROT_EXEC) != 0 ||
        mprotect(at(call.gs_page), GATE_LEN, PROT_READ) != 0) {
        give_up("mprotect of the way to 32-bit code");
    }
    __asm__ volatile("mov %0, %%ds\n\tmov %0, %%es" : : "r"(DS_FLAT));
    if (syscall(SYS_modify_ldt, 0x11, &tls, sizeof(tls)) == 0) {
        __asm__ volatile("mov %0, %%gs" : : "r"(7)); /* entry 0, privilege 3 */
    }
    gate_call.offset = call.gate;
    gate_call.selector = CS_32;
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
    in_entry = call.gate ? (uintptr_t)enter_32 : call.entry;
    read_segments(host_segments);
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

/* 32-bit code sees eight registers, and the halves that a mode switch keeps. */
static void narrow_registers(void)
{
    for (unsigned i = 0; i < 16; i++) {
        out_gpr[i] = i < N_GPRS_32 ? (uint32_t)out_gpr[i] : call.gpr[i];
    }
}
