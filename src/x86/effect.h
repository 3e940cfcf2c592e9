/* SPDX-License-Identifier: MIT */
/*
 * effect.h - what one decoded instruction does to memory, control flow and store order
 *
 * Zydis decodes; overlay.def corrects what it says where it is wrong or says nothing
 * (hidden stack operands, bit strings, whole lines, hints that touch nothing, state
 * images whose size depends on the CPU).  Addresses are given as recipes that need the
 * registers before the instruction.  Nothing is executed here.
 *
 * Depends on: scan (struct fnp_code), state (register numbers), Zydis.
 */
#ifndef FNP_X86_EFFECT_H
#define FNP_X86_EFFECT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "x86/scan.h"
#include "x86/state.h"

/* Where control goes. */
enum fnp_flow {
    FNP_FLOW_NEXT,
    FNP_FLOW_JUMP,   /* direct, or indirect when the target is not known */
    FNP_FLOW_BRANCH, /* conditional, to `target` or on */
    FNP_FLOW_CALL,
    FNP_FLOW_RET,
    FNP_FLOW_TRAP,    /* raises an exception on purpose: ud2, int3, hlt, into ... */
    FNP_FLOW_SYSCALL, /* syscall, sysenter, int n */
    FNP_FLOW_FAR,     /* far transfers, iret, xbegin ...: not followed */
};

/* How the address of a touch is found. */
enum fnp_touch_where {
    FNP_WHERE_PLAIN,  /* segment + base + index * scale + disp */
    FNP_WHERE_PUSHED, /* rsp - len */
    FNP_WHERE_BITS,   /* plain, and the signed bit number in `index` / 8, per operand */
    FNP_WHERE_XLAT,   /* base + al */
    FNP_WHERE_LINE,   /* base, rounded down to 64 */
    FNP_WHERE_STRING, /* from base, `len` bytes per element, forward or backward by DF */
    FNP_WHERE_VECTOR,  /* a gather, scatter or tile: not known from registers alone */
    FNP_WHERE_IMAGE,   /* plain; an XSAVE image of the parts in edx:eax, at most */
    FNP_WHERE_COMPACT, /* the same in the compacted form */
};

/* Does a mask decide which of the bytes are touched? */
enum fnp_masked {
    FNP_MASKED_NOT,
    FNP_MASKED_BYTES,    /* maskmovq, maskmovdqu: top bit of each byte of `mask` */
    FNP_MASKED_ELEMENTS, /* vmaskmov, vpmaskmov: top bit of each element of `mask` */
    FNP_MASKED_K,        /* EVEX: bit of the opmask per element */
    FNP_MASKED_PACKED,   /* compress, expand: as many elements as the opmask has bits */
};

/* One access to memory. */
struct fnp_touch {
    uint8_t where;       /* enum fnp_touch_where */
    uint8_t base, index; /* GPR number or FNP_NO_REG */
    uint8_t scale;       /* 1 2 4 8 */
    uint8_t width;   /* bytes of the address: 2 4 8; what is above them is cut off */
    uint8_t segment; /* 0: flat; else 'f' or 'g' for fs and gs */
    uint8_t masked;  /* enum fnp_masked */
    uint8_t mask;    /* number of the mm, xmm/ymm or k register */
    uint8_t element; /* bytes that one bit of the mask decides about */
    bool read, write;
    bool maybe;   /* parts of it, or nothing */
    bool weak;    /* written as a weak store */
    uint16_t len; /* bytes; of one element for strings */
    int64_t disp; /* rip-relative ones are absolute already */
};

enum fnp_order_class {
    FNP_ORDERS_NOTHING,
    FNP_ORDERS_WEAK,  /* its store is weak */
    FNP_ORDERS_FENCE, /* earlier weak stores are visible before later stores */
    FNP_ORDERS_FLUSH, /* clflush and the like */
};

/* Why the recorder does not run the instruction itself. */
enum fnp_stand_in {
    FNP_STAND_IN_NONE,
    FNP_STAND_IN_NOP,  /* privileged, or a CPU without it: recorded and left out */
    FNP_STAND_IN_EMMS, /* femms, where the CPU has none */
};

/* What becomes of the x87 registers, which MMX shares: are they full, and where is TOP? */
enum fnp_x87_stack {
    FNP_X87_STACK_SAME,
    FNP_X87_STACK_STACK,  /* single ones are filled or emptied, TOP moves by x87_top */
    FNP_X87_STACK_VALID,  /* all are full and TOP is 0: an MMX instruction */
    FNP_X87_STACK_EMPTY,  /* all are empty and TOP is 0 */
    FNP_X87_STACK_LOADED, /* as memory says */
};

enum {
    FNP_MAX_TOUCHES = 4
};

struct fnp_effect {
    uint8_t len;
    uint8_t flow;            /* enum fnp_flow */
    uint8_t order;           /* enum fnp_order_class */
    uint8_t stand_in;        /* enum fnp_stand_in */
    uint8_t x87;             /* enum fnp_x87_stack */
    int8_t x87_top;          /* what is added to TOP, modulo 8; 1 is a pop */
    bool is_direct;          /* of a jump, call or branch: `target` is valid */
    bool rep;                /* repeated by rcx */
    bool rep_compare;        /* ... and by ZF, so that it may end early */
    bool sets_df, clears_df; /* popf counts as clearing: it restores the caller's */
    bool short_branch;       /* loop and jrcxz: there is no long form */
    bool ecx_only;           /* address-size prefix: they count in ecx (cx) */
    bool rip_relative;
    uint8_t disp_at;   /* offset of a rip-relative displacement in the bytes */
    uint8_t modrm_at;  /* offset of the modrm byte, if there is one */
    bool mask_is_mmx;  /* the register that masks is an MMX one */
    uint8_t condition; /* of an ordinary branch: low four bits of its opcode */
    uint8_t opcode;
    uint16_t pop_len; /* ret n */
    uint64_t target;
    uint8_t n_touches;
    struct fnp_touch touch[FNP_MAX_TOUCHES];
    const char *refused; /* why it must not be run under the recorder; NULL: it may */
    /* General registers, as masks of whole registers. */
    uint16_t regs_read;    /* whose value makes a difference, that of nops does not */
    uint16_t regs_written; /* as a whole or in part */
    uint16_t regs_maybe;   /* of those written: on a condition only */
};

/* False when the bytes at addr do not decode. */
bool fnp_effect_of(const struct fnp_code *code, uint64_t addr, struct fnp_effect *out);

#endif
