/* SPDX-License-Identifier: MIT */
/*
 * context_offsets.h - byte offsets of struct fnp_context for the assembly
 *
 * context.h asserts every one of them.
 *
 * Depends on: nothing.
 */
#ifndef FNP_RUN_CONTEXT_OFFSETS_H
#define FNP_RUN_CONTEXT_OFFSETS_H

#define CTX_IN_GPR     0 /* 16 quadwords in encoding order */
#define CTX_IN_RFLAGS  128
#define CTX_ENTRY      136
#define CTX_IN_VECTORS 144 /* pointer to 16 * 16 bytes */
#define CTX_IN_MXCSR   152
#define CTX_IN_FCW     156
#define CTX_FULL       160 /* bytes: 0 or 1 */
#define CTX_ENV        161
#define CTX_INUSE      162
#define CTX_AVX        163
#define CTX_FSGSBASE   164
#define CTX_SELECTOR   165 /* Syscall User Dispatch: 0 allow, 1 block */
#define CTX_ARMED      166
#define CTX_MXCSR      167
#define CTX_OUT_GPR    168
#define CTX_OUT_RFLAGS 296
#define CTX_OUT_FS     304 /* base */
#define CTX_OUT_GS     312
#define CTX_XINUSE     320
#define CTX_OUT_MXCSR  328
#define CTX_OUT_FCW    332
#define CTX_OUT_FSW    334
#define CTX_OUT_DS     336
#define CTX_OUT_ES     338
#define CTX_OUT_FSSEL  340
#define CTX_OUT_GSSEL  342
#define CTX_OUT_ENV    344 /* 28 bytes */
#define CTX_HOST_RSP   376
#define CTX_HOST_FS    384
#define CTX_HOST_GS    392
#define CTX_HOST_MXCSR 400
#define CTX_HOST_FCW   404
#define CTX_HOST_FSSEL 406
#define CTX_HOST_GSSEL 408
#define CTX_MASK_LOW   412 /* XSAVE component mask */
#define CTX_MASK_HIGH  416
#define CTX_FAR32      420 /* m16:32: where 32-bit code is entered */
#define CTX_HOST_DS    426
#define CTX_HOST_ES    428
#define CTX_IS32       430
#define CTX_XSAVE_IN   512
#define CTX_XSAVE_OUT  4608
#define CTX_SIZE       12288 /* three pages */

#endif
