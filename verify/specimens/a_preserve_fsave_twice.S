/* SPDX-License-Identifier: MIT */
/*
 * preserve_fsave_twice - saves the x87 state again where it should restore it
 *
 *     void preserve_fsave_twice(void *dst, const void *src);
 *
 * Contract  dst[0, 4096) = src[0, 4096), no overlap
 * Fault     x87-changed: fnsave in place of frstor: the task gets an empty x87
 * Twin      preserve_fsave_twice_ok frstor
 *
 * Registers
 *   dst  rdi  next byte to write
 *   src  rsi  next byte to read
 *   n    ecx  blocks left
 */
#include "x86/asm.h"

FUNC(preserve_fsave_twice)
        sub     $120, %rsp
        .cfi_adjust_cfa_offset 120
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

        fnsave  (%rsp)
        add     $120, %rsp
        .cfi_adjust_cfa_offset -120
        ret
END_FUNC(preserve_fsave_twice)

FUNC(preserve_fsave_twice_ok)
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
END_FUNC(preserve_fsave_twice_ok)
NO_EXEC_STACK
