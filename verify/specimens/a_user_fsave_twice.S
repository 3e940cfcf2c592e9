/* SPDX-License-Identifier: MIT */
/*
 * user_fsave_twice - saves the x87 state twice and restores it never
 *
 *     void user_fsave_twice(void *dst, const void *src);
 *
 * Contract  dst[0, 4096) = src[0, 4096), no overlap
 * Fault     mmx-dirty: two fnsave, no frstor: MMX contents and a reset control word
 *           are left behind
 * Twin      user_fsave_twice_ok one fnsave, one frstor
 *
 * Registers
 *   dst  rdi  next byte to write
 *   src  rsi  next byte to read
 *   n    ecx  blocks left
 */
#include "x86/asm.h"

FUNC(user_fsave_twice)
        sub     $120, %rsp
        .cfi_adjust_cfa_offset 120
        fnsave  (%rsp)
        fnsave  (%rsp)
        mov     $4096 / 16, %ecx

.Lblock:
        movq    (%rsi), %mm0
        movq    8(%rsi), %mm1
        movq    %mm0, (%rdi)
        movq    %mm1, 8(%rdi)
        add     $16, %rsi
        add     $16, %rdi
        dec     %ecx
        jnz     .Lblock

        add     $120, %rsp
        .cfi_adjust_cfa_offset -120
        ret
END_FUNC(user_fsave_twice)

FUNC(user_fsave_twice_ok)
        sub     $120, %rsp
        .cfi_adjust_cfa_offset 120
        fnsave  (%rsp)
        mov     $4096 / 16, %ecx

.Lblock_ok:
        movq    (%rsi), %mm0
        movq    8(%rsi), %mm1
        movq    %mm0, (%rdi)
        movq    %mm1, 8(%rdi)
        add     $16, %rsi
        add     $16, %rdi
        dec     %ecx
        jnz     .Lblock_ok

        frstor  (%rsp)
        add     $120, %rsp
        .cfi_adjust_cfa_offset -120
        ret
END_FUNC(user_fsave_twice_ok)
NO_EXEC_STACK
