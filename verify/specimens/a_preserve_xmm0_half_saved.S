/* SPDX-License-Identifier: MIT */
/*
 * preserve_xmm0_half_saved - saves 64 of the 128 bits of xmm0
 *
 *     void preserve_xmm0_half_saved(void *dst, const void *src);
 *
 * Contract  dst[0, 4096) = src[0, 4096), no overlap
 * Fault     vector-changed: movq drops the upper half and clears it on the way back
 * Twin      preserve_xmm0_half_saved_ok movups
 *
 * Registers
 *   dst  rdi  next byte to write
 *   src  rsi  next byte to read
 *   n    ecx  blocks left
 */
#include "x86/asm.h"

FUNC(preserve_xmm0_half_saved)
        sub     $24, %rsp
        .cfi_adjust_cfa_offset 24
        movq    %xmm0, (%rsp)
        mov     $4096 / 16, %ecx

.Lblock:
        movups  (%rsi), %xmm0
        movups  %xmm0, (%rdi)
        add     $16, %rsi
        add     $16, %rdi
        dec     %ecx
        jnz     .Lblock
        movq    (%rsp), %xmm0
        add     $24, %rsp
        .cfi_adjust_cfa_offset -24
        ret
END_FUNC(preserve_xmm0_half_saved)

FUNC(preserve_xmm0_half_saved_ok)
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
END_FUNC(preserve_xmm0_half_saved_ok)
NO_EXEC_STACK
