/* SPDX-License-Identifier: MIT */
/*
 * check_end.c - judge how a call ended: faults by region and access, hangs, system
 * calls, and the huge cases that are right only when they fault
 */
#include <assert.h>
#include <inttypes.h>
#include <signal.h>
#include <stddef.h>
#include <sys/syscall.h>

#include "base/status.h"
#include "subject/image.h"
#include "verify/check_internal.h"

/* Where the lower half of the address space ends: nothing is at an address beyond. */
#define LOWER_HALF (1ull << 47)

static const char *signal_name(int sig)
{
    static const struct {
        int sig;
        const char *name;
    } names[] = {
        { SIGSEGV, "SIGSEGV" },
        { SIGBUS,  "SIGBUS"  },
        { SIGILL,  "SIGILL"  },
        { SIGFPE,  "SIGFPE"  },
        { SIGTRAP, "SIGTRAP" },
        { SIGSYS,  "SIGSYS"  },
        { SIGKILL, "SIGKILL" },
        { SIGABRT, "SIGABRT" },
        { SIGTERM, "SIGTERM" },
        { SIGALRM, "SIGALRM" },
        { SIGXCPU, "SIGXCPU" },
    };

    for (size_t i = 0; i < FNP_ARRAY_LEN(names); i++) {
        if (names[i].sig == sig) {
            return names[i].name;
        }
    }
    return NULL;
}

static void add_signal(struct fnp_str *text, int sig)
{
    const char *name = signal_name(sig);

    if (name) {
        fnp_str_add(text, "%s", name);
    } else {
        fnp_str_add(text, "signal %d", sig);
    }
}

/* "read" "write" "jump" "access" */
static const char *access_word(uint8_t access)
{
    static const char *const words[] = {
        [FNP_ACCESS_UNKNOWN] = "access",
        [FNP_ACCESS_READ] = "read",
        [FNP_ACCESS_WRITE] = "write",
        [FNP_ACCESS_EXEC] = "jump",
    };

    return words[access <= FNP_ACCESS_EXEC ? access : FNP_ACCESS_UNKNOWN];
}

/* Region of a crash, so that a wild read and a wild jump stay two findings. */
static const char *crash_region(uint8_t access)
{
    static const char *const names[] = {
        [FNP_ACCESS_UNKNOWN] = "fault",
        [FNP_ACCESS_READ] = "read-fault",
        [FNP_ACCESS_WRITE] = "write-fault",
        [FNP_ACCESS_EXEC] = "exec-fault",
    };

    return names[access <= FNP_ACCESS_EXEC ? access : FNP_ACCESS_UNKNOWN];
}

/*
 * Images are mapped at fixed addresses, all other code is not: naming an address
 * outside would make two equal runs differ.
 */
static bool in_image(uint64_t rip)
{
    return (rip >= FNP_IMAGE_HIGH && rip - FNP_IMAGE_HIGH < 2ull * FNP_IMAGE_SPAN) ||
           (rip >= FNP_IMAGE_LOW && rip - FNP_IMAGE_LOW < 2ull * FNP_IMAGE_SPAN);
}

static void add_instruction(struct fnp_str *text, const struct fnp_fault *fault)
{
    if (in_image(fault->rip)) {
        fnp_str_add(text, ", instruction at 0x%" PRIx64, fault->rip);
    } else if (fault->access != FNP_ACCESS_EXEC) {
        fnp_str_add(text, ", in code that is not the kernel's");
    }
}

/* "read past the end of src, at src+4096" beside or inside a buffer. */
static struct fnp_finding *beside_buffer(struct fnp_judging *j, enum fnp_rule rule,
                                         const char *remark)
{
    const struct fnp_fault *fault = &j->o->fault;
    const struct fnp_placed *buf = &j->o->buf[fault->role];
    const char *name = fnp_buf_label(j->contract, fault->role);
    const char *verb = access_word(fault->access);
    char region[24];
    struct fnp_finding *f;
    struct fnp_str text;

    fnp_region_beside(region, fault->role, fault->offset, buf->len);
    f = fnp_judging_add(j, rule, region);
    text = fnp_finding_text(f);
    if (fault->offset < 0) {
        fnp_str_add(&text, "%s before the start of %s, at ", verb, name);
    } else if ((uint64_t)fault->offset >= buf->len) {
        fnp_str_add(&text, "%s past the end of %s, at ", verb, name);
    } else {
        fnp_str_add(&text, "%s inside %s, at ", verb, name);
    }
    fnp_add_place(&text, j->contract, fault->role, fault->offset);
    fnp_str_add(&text, "%s", remark);
    f->has_first = true;
    f->first = fault->offset;
    return f;
}

static struct fnp_finding *plain(struct fnp_judging *j, enum fnp_rule rule,
                                 const char *region, const char *sentence)
{
    struct fnp_finding *f = fnp_judging_add(j, rule, region);
    struct fnp_str text = fnp_finding_text(f);

    fnp_str_add(&text, "%s", sentence);
    return f;
}

static void crash(struct fnp_judging *j, const char *what)
{
    const struct fnp_fault *fault = &j->o->fault;
    struct fnp_finding *f =
        fnp_judging_add(j, FNP_RULE_CRASH, crash_region(fault->access));
    struct fnp_str text = fnp_finding_text(f);

    add_signal(&text, fault->sig);
    fnp_str_add(&text, ": %s", what);
    add_instruction(&text, fault);
}

/* A crash with an address that is the same in every run. */
static void crash_at(struct fnp_judging *j)
{
    const struct fnp_fault *fault = &j->o->fault;
    char what[64];
    struct fnp_str text = fnp_str_over(what, sizeof(what));

    fnp_str_add(&text, "%s at address 0x%" PRIx64, access_word(fault->access),
                fault->addr);
    crash(j, what);
}

/* A whole aligned block that holds source bytes may be read; here it was not mapped. */
static bool is_promised_block(const struct fnp_judging *j)
{
    const struct fnp_fault *fault = &j->o->fault;
    const struct fnp_placed *p = &j->o->buf[fault->role];
    uint64_t block = j->contract->reads_aligned;

    return j->o->huge && block && fault->access == FNP_ACCESS_READ &&
           (fault->addr & ~(block - 1)) < p->addr + p->len;
}

static void judge_guard(struct fnp_judging *j)
{
    if (is_promised_block(j)) {
        return;
    }
    switch (j->o->fault.access) {
    case FNP_ACCESS_EXEC:
        crash_at(j);
        break;
    case FNP_ACCESS_WRITE:
        beside_buffer(j, FNP_RULE_STRAY_WRITE, "");
        break;
    default:
        beside_buffer(j, FNP_RULE_STRAY_READ, "");
        break;
    }
}

static void judge_source_fault(struct fnp_judging *j)
{
    const struct fnp_fault *fault = &j->o->fault;
    bool inside =
        fault->offset >= 0 && (uint64_t)fault->offset < j->o->buf[fault->role].len;

    if (fault->access != FNP_ACCESS_WRITE) {
        judge_guard(j);
    } else if (inside) {
        beside_buffer(j, FNP_RULE_SOURCE_CHANGED, ", which is only to be read");
    } else {
        beside_buffer(j, FNP_RULE_STRAY_WRITE, "");
    }
}

/* Beyond the window of a huge case: the right end, unless an input is written. */
static void judge_window(struct fnp_judging *j)
{
    const struct fnp_fault *fault = &j->o->fault;

    if (!j->o->huge || fault->access == FNP_ACCESS_EXEC) {
        judge_guard(j);
    } else if (fault->access == FNP_ACCESS_WRITE &&
               !fnp_role_written(j->contract, fault->role)) {
        judge_source_fault(j);
    }
}

static void judge_stack_low(struct fnp_judging *j)
{
    if (j->o->fault.access == FNP_ACCESS_EXEC) {
        crash(j, "jump into the stack");
        return;
    }
    plain(j, FNP_RULE_BELOW_STACK, "stack",
          "the stack was used down to the guard page below it");
}

static void judge_stack_high(struct fnp_judging *j)
{
    switch (j->o->fault.access) {
    case FNP_ACCESS_EXEC:
        crash(j, "jump into the stack");
        break;
    case FNP_ACCESS_WRITE:
        plain(j, FNP_RULE_STACK_SMASHED, "stack",
              "write through the caller's frame up to the guard page above it");
        break;
    default:
        plain(j, FNP_RULE_STRAY_READ, "stack",
              "read through the caller's frame up to the guard page above it");
        break;
    }
}

static void judge_image(struct fnp_judging *j)
{
    if (j->o->fault.access == FNP_ACCESS_WRITE) {
        plain(j, FNP_RULE_STRAY_WRITE, "image",
              "write to its own code or read-only data");
    } else {
        crash_at(j);
    }
}

static void judge_trap(struct fnp_judging *j)
{
    /* Who composes the finding knows the symbol's name and adds it. */
    plain(j, FNP_RULE_CRASH, "undefined",
          fnp_fault_is_data(&j->o->fault) ? "read or wrote undefined symbol"
                                          : "called undefined symbol");
}

/* No fault of the kernel's: who composes verdicts makes it an open one. */
static void judge_refused(struct fnp_judging *j)
{
    plain(j, FNP_RULE_CRASH, FNP_REGION_NAME_REFUSED,
          fnp_fault_is_data(&j->o->fault) ? "needs" : "calls");
}

/* A reference that does not do what it is for says nothing about a kernel. */
void fnp_judge_reference(struct fnp_judging *j)
{
    static const char *const ends[] = {
        [FNP_END_RETURNED] = "the reference wrote outside of its buffers",
        [FNP_END_FAULT] = "the reference crashed",
        [FNP_END_HANG] = "the reference did not return within the time limit of a case",
        [FNP_END_SYSCALL] = "the reference made a system call",
    };

    if (j->contract->op == FNP_OP_REF &&
        (j->o->ref_end != FNP_END_RETURNED || j->o->ref_strayed)) {
        assert(j->o->ref_end < FNP_ARRAY_LEN(ends));
        plain(j, FNP_RULE_CRASH, FNP_REGION_NAME_REFUSED, ends[j->o->ref_end]);
    }
}

static void judge_tool_fault(struct fnp_judging *j)
{
    switch (j->o->fault.access) {
    case FNP_ACCESS_EXEC:
        crash(j, "jump into fencepost's own memory");
        break;
    case FNP_ACCESS_WRITE:
        plain(j, FNP_RULE_STRAY_WRITE, "tool", "wrote fencepost's own memory");
        break;
    default:
        plain(j, FNP_RULE_STRAY_READ, "tool", "read fencepost's own memory");
        break;
    }
}

static void judge_truncated(struct fnp_judging *j)
{
    const struct fnp_fault *fault = &j->o->fault;
    struct fnp_finding *f = fnp_judging_add(j, FNP_RULE_CRASH, "truncated");
    struct fnp_str text = fnp_finding_text(f);

    add_signal(&text, fault->sig);
    fnp_str_add(&text, ": %s at address 0x%" PRIx64 ", which is %s cut to 32 bits",
                access_word(fault->access), fault->addr,
                fnp_buf_label(j->contract, fault->role));
}

/* Is a buffer so long that its end lies outside the lower half of the address space? */
static bool beyond_addresses(const struct fnp_outcome *o)
{
    for (size_t i = 0; i < FNP_MAX_BUFS; i++) {
        const struct fnp_placed *buf = &o->buf[i];

        if (buf->present && buf->len > LOWER_HALF - buf->addr)
            return true;
    }
    return false;
}

static void judge_no_address(struct fnp_judging *j)
{
    /* Whoever begins at the end of such a buffer must fault like this. */
    if (j->o->huge && beyond_addresses(j->o)) {
        return;
    }
    switch (j->o->fault.sig) {
    case SIGFPE:
        crash(j, "division error or unmasked floating-point exception");
        break;
    case SIGBUS:
        crash(j, "unaligned access with AC set, or non-canonical stack address");
        break;
    case SIGTRAP:
        crash(j, "breakpoint or trap flag");
        break;
    default:
        crash(j, "general protection fault (unaligned vector operand, non-canonical "
                 "address or privileged instruction)");
        break;
    }
}

static void judge_unknown(struct fnp_judging *j)
{
    switch (j->o->fault.sig) {
    case SIGFPE:
    case SIGBUS:
    case SIGTRAP:
        judge_no_address(j);
        break;
    default:
        crash_at(j);
        break;
    }
}

static fnp_check_fn *const by_region[] = {
    [FNP_REGION_UNKNOWN] = judge_unknown,
    [FNP_REGION_GUARD] = judge_guard,
    [FNP_REGION_SOURCE] = judge_source_fault,
    [FNP_REGION_HUGE] = judge_window,
    [FNP_REGION_STACK_LOW] = judge_stack_low,
    [FNP_REGION_STACK_HIGH] = judge_stack_high,
    [FNP_REGION_IMAGE] = judge_image,
    [FNP_REGION_TRAP] = judge_trap,
    [FNP_REGION_REFUSED] = judge_refused,
    [FNP_REGION_TOOL] = judge_tool_fault,
    [FNP_REGION_TRUNCATED] = judge_truncated,
    [FNP_REGION_NONCANONICAL] = judge_no_address,
};

static bool at_trap(uint8_t region)
{
    return region == FNP_REGION_TRAP || region == FNP_REGION_REFUSED;
}

/* A ret that took another word than its return address: something was left on the stack. */
static bool judge_ret(struct fnp_judging *j)
{
    const bool popped = j->o->fault.access == FNP_ACCESS_EXEC;
    const uint64_t want =
        j->o->in.gpr[FNP_RSP] + (popped ? fnp_word_len(j->contract->is32) : 0);
    const uint64_t got = j->o->out.gpr[FNP_RSP];
    const char *name = fnp_gpr_name(FNP_RSP, j->contract->is32);
    struct fnp_finding *f;
    struct fnp_str text;

    if (!j->o->fault.by_ret || got == want) {
        return false;
    }
    f = fnp_judging_add(j, FNP_RULE_STACK_MOVED, name);
    text = fnp_finding_text(f);
    fnp_str_add(&text, "%s is off by %+" PRId64 " bytes at a ret, which did not return",
                name, (int64_t)(got - want));
    fnp_finding_register(f, name, want, got, fnp_word_len(j->contract->is32));
    return true;
}

static void judge_fault(struct fnp_judging *j)
{
    const struct fnp_fault *fault = &j->o->fault;
    struct fnp_finding *f;
    struct fnp_str text;

    assert(fault->region < FNP_ARRAY_LEN(by_region) && fault->role < FNP_MAX_BUFS);
    if (fault->sig == SIGILL && !at_trap(fault->region)) {
        f = fnp_judging_add(j, FNP_RULE_ILLEGAL_INSTRUCTION, "instruction");
        text = fnp_finding_text(f);
        fnp_str_add(&text, "the CPU refused an instruction");
        add_instruction(&text, fault);
        return;
    }
    if (!judge_ret(j)) {
        by_region[fault->region](j);
    }
}

/* Numbers of x86-64 and i386, arch/x86/entry/syscalls. */
static const char *syscall_name(uint64_t number, bool is32)
{
    static const struct {
        const char *name;
        uint64_t number[2];
    } names[] = {
        { "read",           { SYS_read, 3 }             },
        { "write",          { SYS_write, 4 }            },
        { "close",          { SYS_close, 6 }            },
        { "mmap",           { SYS_mmap, 90 }            },
        { "mprotect",       { SYS_mprotect, 125 }       },
        { "munmap",         { SYS_munmap, 91 }          },
        { "rt_sigaction",   { SYS_rt_sigaction, 174 }   },
        { "rt_sigprocmask", { SYS_rt_sigprocmask, 175 } },
        { "arch_prctl",     { SYS_arch_prctl, 384 }     },
        { "clone",          { SYS_clone, 120 }          },
        { "fork",           { SYS_fork, 2 }             },
        { "vfork",          { SYS_vfork, 190 }          },
        { "execve",         { SYS_execve, 11 }          },
        { "kill",           { SYS_kill, 37 }            },
        { "getpid",         { SYS_getpid, 20 }          },
        { "exit",           { SYS_exit, 1 }             },
        { "exit_group",     { SYS_exit_group, 252 }     },
    };

    for (size_t i = 0; i < FNP_ARRAY_LEN(names); i++) {
        if (names[i].number[is32] == number) {
            return names[i].name;
        }
    }
    return NULL;
}

static void judge_syscall(struct fnp_judging *j)
{
    uint64_t number = j->o->fault.addr;
    const char *name = syscall_name(number, j->contract->is32);
    struct fnp_finding *f = fnp_judging_add(j, FNP_RULE_SYSTEM_CALL, "system-call");
    struct fnp_str text = fnp_finding_text(f);

    fnp_str_add(&text, "made system call %" PRIu64, number);
    if (name) {
        fnp_str_add(&text, " (%s)", name);
    }
}

static void judge_death(struct fnp_judging *j)
{
    struct fnp_finding *f = fnp_judging_add(j, FNP_RULE_CRASH, "died");
    struct fnp_str text = fnp_finding_text(f);

    fnp_str_add(&text, "the process that ran it died (");
    if (j->o->fault.sig) {
        add_signal(&text, j->o->fault.sig);
    } else {
        fnp_str_add(&text, "it exited");
    }
    fnp_str_add(&text, ")");
}

void fnp_judge_end(struct fnp_judging *j)
{
    switch ((enum fnp_end)j->o->end) {
    case FNP_END_RETURNED:
    case FNP_END_SKIPPED:
        break;
    case FNP_END_FAULT:
        judge_fault(j);
        break;
    case FNP_END_HANG:
        plain(j, FNP_RULE_HANG, "hang",
              "did not return within the time limit of a case");
        break;
    case FNP_END_SYSCALL:
        judge_syscall(j);
        break;
    case FNP_END_DIED:
        judge_death(j);
        break;
    }
}
