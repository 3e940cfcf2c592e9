/* SPDX-License-Identifier: MIT */
/*
 * preserve_emms_only - empties the x87 stack that it should preserve
 *
 *     void preserve_emms_only(void *dst);
 *
 * Contract  dst[0, 4096) = 0
 * Fault     x87-changed: emms is enough for user code, not where x87 registers are live
 * Twin      preserve_emms_only_ok fnsave and frstor
 *
 * Registers
 *   dst  rdi  next byte to write
 *   n    ecx  blocks left
 *   zero mm0
 */
#include "x86/asm.h"

FUNC(preserve_emms_only)
        mov     $4096 / 16, %ecx
        pxor    %mm0, %mm0

.Lblock:
        movq    %mm0, (%rdi)
        movq    %mm0, 8(%rdi)
        add     $16, %rdi
        dec     %ecx
        jnz     .Lblock

        emms
        ret
END_FUNC(preserve_emms_only)

FUNC(preserve_emms_only_ok)
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
END_FUNC(preserve_emms_only_ok)
NO_EXEC_STACK
