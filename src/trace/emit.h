/* SPDX-License-Identifier: MIT */
/*
 * emit.h - the few instructions that recording code is made of, in both widths
 *
 * mov, lea, movzx, jrcxz, lahf, seto, push and pop with memory, jumps: none changes a
 * flag, a vector register or the kernel's stack (but for the pushes it asks for).
 * Memory is addressed rip-relative in 64-bit code and absolute in 32-bit code, so no
 * register is needed to reach the cache.
 *
 * Depends on: nothing.
 */
#ifndef FNP_TRACE_EMIT_H
#define FNP_TRACE_EMIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct fnp_emit {
    unsigned char *at, *end; /* where the next byte goes, and where room ends */
    bool is32;
    bool full; /* there was no room: what was written is not to be run */
};

void fnp_emit_bytes(struct fnp_emit *e, const void *bytes, size_t len);
void fnp_emit_u8(struct fnp_emit *e, unsigned byte);
void fnp_emit_u32(struct fnp_emit *e, uint32_t word);

/* Registers by number; `slot` is an address in the cache. */
void fnp_emit_store(struct fnp_emit *e, unsigned reg, const void *slot);
void fnp_emit_load(struct fnp_emit *e, unsigned reg, const void *slot);
void fnp_emit_address(struct fnp_emit *e, unsigned reg, const void *slot); /* lea */
void fnp_emit_push(struct fnp_emit *e, const void *slot);
void fnp_emit_pop(struct fnp_emit *e, const void *slot);
void fnp_emit_jump_through(struct fnp_emit *e, const void *slot);
void fnp_emit_set_byte(struct fnp_emit *e, const void *slot); /* movb $1 */

/* With reg and base full registers: mov reg,disp(base), mov disp(base),reg, lea. */
void fnp_emit_mov_to(struct fnp_emit *e, unsigned base, int32_t disp, unsigned reg);
void fnp_emit_mov_from(struct fnp_emit *e, unsigned reg, unsigned base, int32_t disp);
void fnp_emit_lea(struct fnp_emit *e, unsigned reg, unsigned base, int32_t disp);
/* lea (base,index,scale),reg */
void fnp_emit_lea_index(struct fnp_emit *e, unsigned reg, unsigned base, unsigned index,
                        unsigned scale);
/* movl $word,(base) */
void fnp_emit_mov_word(struct fnp_emit *e, unsigned base, uint32_t word);

/* jmp or, with a condition 0..15, jcc to `target`, which is in the cache. */
void fnp_emit_jump(struct fnp_emit *e, const unsigned char *target);
void fnp_emit_branch(struct fnp_emit *e, unsigned condition,
                     const unsigned char *target);

/* Let the jump or branch whose last byte lies before `behind` go to `target`. */
void fnp_emit_aim(unsigned char *behind, const unsigned char *target);

#endif
