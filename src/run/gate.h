/* SPDX-License-Identifier: MIT */
/*
 * gate.h - the way into a 32-bit code segment of this 64-bit process, and back
 *
 * A page below 4 GiB holds, for kernel and reference, a real 32-bit call and a far jump
 * back to the 64-bit segment; fnp_context.gate_entry says which of them the trampoline
 * jumps to.  Registers pass through: nothing is loaded or stored on the way, because a
 * mode switch keeps the low halves (Intel SDM vol. 1, 3.4.1.1).  No IA-32 system calls
 * are needed, only the segment that Linux keeps in the GDT.
 *
 * Depends on: base.
 */
#ifndef FNP_RUN_GATE_H
#define FNP_RUN_GATE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"

#define FNP_GATE_BASE 0x6f000000u
#define FNP_GATE_LEN  4096u
#define FNP_GATE_TLS  (FNP_GATE_BASE + 0x10000u) /* one read-only page behind gs */

/* Linux's __USER_DS, arch/x86/include/asm/segment.h. */
#define FNP_DS_FLAT 0x2bu

/* Which call of the gate: the kernel's or the reference's. */
enum fnp_gate {
    FNP_GATE_KERNEL,
    FNP_GATE_REF,
    FNP_N_GATES
};

/* Map the page; once per process. */
enum fnp_status fnp_gate_map(struct fnp_err *err);

/* The return address of a call of the gate. */
uint64_t fnp_gate_return(enum fnp_gate which);

/* Let a call of the gate go to `entry`, an address below 4 GiB. */
void fnp_gate_aim(enum fnp_gate which, uint64_t entry);

/*
 * The selector that 32-bit code has in gs: its base is the middle of a page of junk, so
 * that a stack protector finds its canary at gs:0x14 and a thread its variables below the
 * address at gs:0; 0 where the system gives no descriptor.
 */
uint16_t fnp_gate_gs(void);

/* Send the trampoline's next calls through this one. */
void fnp_gate_choose(enum fnp_gate which);

/* Is it what 32-bit code takes for its thread's variables? */
static inline bool fnp_gate_is_tls(uint64_t addr)
{
    return addr - FNP_GATE_TLS < FNP_GATE_LEN;
}

/* Is it an address of the gate? */
static inline bool fnp_gate_holds(uint64_t addr)
{
    return addr - FNP_GATE_BASE < FNP_GATE_LEN;
}

#endif
