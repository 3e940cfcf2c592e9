/* SPDX-License-Identifier: MIT */
/*
 * preserve_fldenv_only - restores the x87 environment, not the registers
 *
 *     void preserve_fldenv_only(void *dst);
 *
 * Contract  dst[0, 4096) = 0
 * Fault     x87-changed: fldenv brings back tags and control word;
 *           what mm0 overwrote stays lost
 * Twin      preserve_fldenv_only_ok frstor
 *
 * Registers
 *   dst  rdi  next byte to write
 *   n    ecx  blocks left
 *   zero mm0
 */
#include "x86/asm.h"

FUNC(preserve_fldenv_only)
        sub     $120, %rsp
        .cfi_adjust_cfa_offset 120
        fnsave  (%rsp)
        mov     $4096 / 16, %ecx
        pxor    %mm0, %mm0

.Lblock:
        movq    %mm0, (%rdi)
        movq    %mm0, 8(%rdi)
        add     $16, %rdi
        dec     %ecx
        jnz     .Lblock

        fldenv  (%rsp)
        add     $120, %rsp
        .cfi_adjust_cfa_offset -120
        ret
END_FUNC(preserve_fldenv_only)

FUNC(preserve_fldenv_only_ok)
        sub     $120, %rsp
        .cfi_adjust_cfa_offset 120
        fnsave  (%rsp)
        mov     $4096 / 16, %ecx
        pxor    %mm0, %mm0

.Lblock_ok:
        movq    %mm0, (%rdi)
        movq    %mm0, 8(%rdi)
        add     $16, %rdi
        dec     %ecx
        jnz     .Lblock_ok

        frstor  (%rsp)
        add     $120, %rsp
        .cfi_adjust_cfa_offset -120
        ret
END_FUNC(preserve_fldenv_only_ok)
NO_EXEC_STACK
