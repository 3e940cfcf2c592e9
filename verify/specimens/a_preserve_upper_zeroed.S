/* SPDX-License-Identifier: MIT */
/*
 * preserve_upper_zeroed - saves and restores xmm0 with VEX moves
 *
 *     void preserve_upper_zeroed(void *dst, const void *src);
 *
 * Contract  dst[0, 4096) = src[0, 4096), no overlap
 * Fault     vector-changed: a VEX move to xmm0 clears the upper half of ymm0
 * Twin      preserve_upper_zeroed_ok uses moves without VEX
 *
 * Registers
 *   dst  rdi  next byte to write
 *   src  rsi  next byte to read
 *   n    ecx  blocks left
 */
#include "x86/asm.h"

FUNC(preserve_upper_zeroed)
        sub     $24, %rsp
        .cfi_adjust_cfa_offset 24
        vmovdqu %xmm0, (%rsp)
        mov     $4096 / 16, %ecx

.Lblock:
        vmovdqu (%rsi), %xmm0
        vmovdqu %xmm0, (%rdi)
        add     $16, %rsi
        add     $16, %rdi
        dec     %ecx
        jnz     .Lblock
        vmovdqu (%rsp), %xmm0
        add     $24, %rsp
        .cfi_adjust_cfa_offset -24
        ret
END_FUNC(preserve_upper_zeroed)

FUNC(preserve_upper_zeroed_ok)
        sub     $24, %rsp
        .cfi_adjust_cfa_offset 24
        movups  %xmm0, (%rsp)
        mov     $4096 / 16, %ecx

.Lblock_ok:
        movups  (%rsi), %xmm0
        movups  %xmm0, (%rdi)
        add     $16, %rsi
        add     $16, %rdi
        dec     %ecx
        jnz     .Lblock_ok
        movups  (%rsp), %xmm0
        add     $24, %rsp
        .cfi_adjust_cfa_offset -24
        ret
END_FUNC(preserve_upper_zeroed_ok)
NO_EXEC_STACK
