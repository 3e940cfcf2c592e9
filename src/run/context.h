/* SPDX-License-Identifier: MIT */
/*
 * context.h - the one static record the trampoline reads and writes
 *
 * It has pages of its own (section fnp_rw), because everything else a worker owns
 * is read-only while a kernel runs.  Addressed rip-relative, so that a kernel which
 * destroys every register and its stack is survived.
 *
 * Depends on: context_offsets.h, x86/state.h.
 */
#ifndef FNP_RUN_CONTEXT_H
#define FNP_RUN_CONTEXT_H

#include <stddef.h>
#include <stdint.h>

#include "run/context_offsets.h"
#include "x86/state.h"

struct fnp_context {
    uint64_t
        in_gpr[FNP_N_GPRS]; /* rsp: the kernel's, before the return address is pushed */
    uint64_t in_rflags;
    uint64_t entry;
    const void *in_vectors; /* xmm0-15, cheap level only */
    uint32_t in_mxcsr;
    uint16_t in_fcw;
    uint16_t pad0;
    uint8_t full;     /* load xsave_in, store xsave_out */
    uint8_t env;      /* store the x87 environment (real tags) */
    uint8_t inuse;    /* store XGETBV(1) */
    uint8_t avx;      /* the CPU has AVX: vzeroupper on the way out */
    uint8_t fsgsbase; /* RDFSBASE works */
    uint8_t selector; /* Syscall User Dispatch */
    uint8_t armed;    /* a kernel is running: a signal belongs to it */
    uint8_t mxcsr;    /* the code could change MXCSR: read it at the cheap level, too */
    uint64_t out_gpr[FNP_N_GPRS];
    uint64_t out_rflags;
    uint64_t out_fs, out_gs;
    uint64_t xinuse;
    uint32_t out_mxcsr;
    uint16_t out_fcw, out_fsw;
    uint16_t out_ds, out_es, out_fs_selector, out_gs_selector;
    uint8_t out_env[28];
    uint8_t pad2[4];
    uint64_t host_rsp;
    uint64_t host_fs, host_gs;
    uint32_t host_mxcsr;
    uint16_t host_fcw, host_fs_selector, host_gs_selector;
    uint16_t pad3;
    uint32_t mask_low, mask_high;
    uint32_t gate_entry; /* with gate_selector: a far pointer into the gate */
    uint16_t gate_selector;
    uint16_t host_ds, host_es;
    uint8_t is32; /* the kernel is called through the gate, in a 32-bit segment */
    uint8_t pad4[81];
    uint8_t xsave_in[4096];
    uint8_t xsave_out[4096];
    /* What the signal handler saw. */
    struct {
        volatile uint32_t ended; /* enum fnp_end + 1; 0: no signal ended this call */
        int32_t sig, code;
        uint32_t access;
        uint64_t addr, rip;
        uint64_t trapno;
    } signal;
    /* Hang detection: the handler compares `sequence` with what it saw last. */
    volatile uint64_t sequence;
    uint64_t seen_sequence;
    uint32_t ticks, ticks_limit;
    uint32_t trap_flag; /* the kernel returned with TF set */
    uint32_t pad6;
    uint8_t pad5[CTX_SIZE - 8776];
};

_Static_assert(offsetof(struct fnp_context, in_gpr) == CTX_IN_GPR, "");
_Static_assert(offsetof(struct fnp_context, in_rflags) == CTX_IN_RFLAGS, "");
_Static_assert(offsetof(struct fnp_context, entry) == CTX_ENTRY, "");
_Static_assert(offsetof(struct fnp_context, in_vectors) == CTX_IN_VECTORS, "");
_Static_assert(offsetof(struct fnp_context, in_mxcsr) == CTX_IN_MXCSR, "");
_Static_assert(offsetof(struct fnp_context, in_fcw) == CTX_IN_FCW, "");
_Static_assert(offsetof(struct fnp_context, full) == CTX_FULL, "");
_Static_assert(offsetof(struct fnp_context, env) == CTX_ENV, "");
_Static_assert(offsetof(struct fnp_context, inuse) == CTX_INUSE, "");
_Static_assert(offsetof(struct fnp_context, avx) == CTX_AVX, "");
_Static_assert(offsetof(struct fnp_context, fsgsbase) == CTX_FSGSBASE, "");
_Static_assert(offsetof(struct fnp_context, selector) == CTX_SELECTOR, "");
_Static_assert(offsetof(struct fnp_context, armed) == CTX_ARMED, "");
_Static_assert(offsetof(struct fnp_context, mxcsr) == CTX_MXCSR, "");
_Static_assert(offsetof(struct fnp_context, out_gpr) == CTX_OUT_GPR, "");
_Static_assert(offsetof(struct fnp_context, out_rflags) == CTX_OUT_RFLAGS, "");
_Static_assert(offsetof(struct fnp_context, out_fs) == CTX_OUT_FS, "");
_Static_assert(offsetof(struct fnp_context, out_gs) == CTX_OUT_GS, "");
_Static_assert(offsetof(struct fnp_context, xinuse) == CTX_XINUSE, "");
_Static_assert(offsetof(struct fnp_context, out_mxcsr) == CTX_OUT_MXCSR, "");
_Static_assert(offsetof(struct fnp_context, out_fcw) == CTX_OUT_FCW, "");
_Static_assert(offsetof(struct fnp_context, out_fsw) == CTX_OUT_FSW, "");
_Static_assert(offsetof(struct fnp_context, out_ds) == CTX_OUT_DS, "");
_Static_assert(offsetof(struct fnp_context, out_es) == CTX_OUT_ES, "");
_Static_assert(offsetof(struct fnp_context, out_fs_selector) == CTX_OUT_FSSEL, "");
_Static_assert(offsetof(struct fnp_context, out_gs_selector) == CTX_OUT_GSSEL, "");
_Static_assert(offsetof(struct fnp_context, out_env) == CTX_OUT_ENV, "");
_Static_assert(offsetof(struct fnp_context, host_rsp) == CTX_HOST_RSP, "");
_Static_assert(offsetof(struct fnp_context, host_fs) == CTX_HOST_FS, "");
_Static_assert(offsetof(struct fnp_context, host_gs) == CTX_HOST_GS, "");
_Static_assert(offsetof(struct fnp_context, host_mxcsr) == CTX_HOST_MXCSR, "");
_Static_assert(offsetof(struct fnp_context, host_fcw) == CTX_HOST_FCW, "");
_Static_assert(offsetof(struct fnp_context, host_fs_selector) == CTX_HOST_FSSEL, "");
_Static_assert(offsetof(struct fnp_context, host_gs_selector) == CTX_HOST_GSSEL, "");
_Static_assert(offsetof(struct fnp_context, mask_low) == CTX_MASK_LOW, "");
_Static_assert(offsetof(struct fnp_context, mask_high) == CTX_MASK_HIGH, "");
_Static_assert(offsetof(struct fnp_context, gate_entry) == CTX_FAR32, "");
_Static_assert(offsetof(struct fnp_context, gate_selector) == CTX_FAR32 + 4, "");
_Static_assert(offsetof(struct fnp_context, host_ds) == CTX_HOST_DS, "");
_Static_assert(offsetof(struct fnp_context, host_es) == CTX_HOST_ES, "");
_Static_assert(offsetof(struct fnp_context, is32) == CTX_IS32, "");
_Static_assert(offsetof(struct fnp_context, xsave_in) == CTX_XSAVE_IN, "");
_Static_assert(offsetof(struct fnp_context, xsave_out) == CTX_XSAVE_OUT, "");
_Static_assert(sizeof(struct fnp_context) == CTX_SIZE, "");

extern struct fnp_context fnp_context;

/* The pages that stay writable while a kernel runs. */
/* NOLINTNEXTLINE(bugprone-reserved-identifier): the linker makes these names. */
extern char __start_fnp_rw[], __stop_fnp_rw[];

/*
 * Run the kernel described by fnp_context once.  Returns when it returned or when a
 * signal handler called fnp_escape; either way the host's flags, segment bases,
 * MXCSR and x87 state are restored.  Defined in trampoline64.S.
 */
void fnp_trampoline(void);

/* Leave a signal handler for the end of fnp_trampoline.  Only while armed. */
_Noreturn void fnp_escape(void);

/* [start, end) of the code above and of the signal return stub. */
extern const char fnp_trampoline_start[], fnp_trampoline_end[];
/* Where the kernel returns to; for debuggers: a breakpoint on the call before it. */
extern const char fnp_call_point[], fnp_return_point[];

#endif
