/* SPDX-License-Identifier: MIT */
/*
 * preserve_xmm0_lost - copies through a register that belongs to the interrupted task
 *
 *     void preserve_xmm0_lost(void *dst, const void *src);
 *
 * Contract  dst[0, 4096) = src[0, 4096), no overlap
 * Fault     vector-changed: xmm0 is not saved
 * Twin      preserve_xmm0_lost_ok saves it
 *
 * Registers
 *   dst  rdi  next byte to write
 *   src  rsi  next byte to read
 *   n    ecx  blocks left
 */
#include "x86/asm.h"

FUNC(preserve_xmm0_lost)
        mov     $4096 / 16, %ecx

.Lblock:
        movups  (%rsi), %xmm0
        movups  %xmm0, (%rdi)
        add     $16, %rsi
        add     $16, %rdi
        dec     %ecx
        jnz     .Lblock
        ret
END_FUNC(preserve_xmm0_lost)

FUNC(preserve_xmm0_lost_ok)
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
END_FUNC(preserve_xmm0_lost_ok)
NO_EXEC_STACK
