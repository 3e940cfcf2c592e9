/* SPDX-License-Identifier: MIT */
/*
 * effect_layout.h - the fixed addresses that effect_call.S, the rows and C agree on
 *
 * All lie below 2 GiB, so that both widths reach them.  Read by the assembler too.
 *
 * Depends on: nothing.
 */
#ifndef FNP_VERIFY_SELF_EFFECT_LAYOUT_H
#define FNP_VERIFY_SELF_EFFECT_LAYOUT_H

/* struct effect_context. */
#define CTX         0x30000000
#define CTX_IN      CTX
#define CTX_OUT     (CTX + 128)
#define CTX_FLAGS   (CTX + 256)
#define CTX_AFTER   (CTX + 264)
#define CTX_HOST    (CTX + 272)
#define CTX_GO      (CTX + 280)
#define CTX_FAR     (CTX + 288)
#define CTX_LEAVE   (CTX + 296)
#define CTX_TOP     (CTX + 4096)
#define CTX_XIN     (CTX + 4096)
#define CTX_XOUT    (CTX + 8192)
#define CTX_XINIT   (CTX + 12288)
#define CTX_LEN     16384
#define XSAVE_PARTS 0xe7 /* x87, SSE, AVX, opmask, ZMM */

/* Code: the instruction, nops behind it, the way back. */
#define CODE     0x30010000
#define CODE_LEN 4096
#define INSN     (CODE + 32)
#define EXIT     (CODE + 256)
#define BACK64   (CODE + 288)

/* Memory that instructions touch: pages on both sides of an edge. */
#define SLOT(i)   (0x30100000 + (i) * 0x100000)
#define SLOT_HALF 0x4000
#define EDGE(i)   (SLOT(i) + SLOT_HALF)
#define N_SLOTS   4

/* What is known of a row beforehand. */
#define LOOSE   1  /* how much is touched is not known exactly */
#define PROBES  2  /* may fault where nothing is accessed */
#define UNKNOWN 4  /* where it goes is not known */
#define WILD    8  /* faults, at an address that must be the claimed one */
#define REGS    16 /* here it makes no use of some registers */
#define NEVER   32 /* cannot be run in a user's process: only looked at */

#endif
