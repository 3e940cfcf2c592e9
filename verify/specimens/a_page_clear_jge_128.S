/* SPDX-License-Identifier: MIT */
/*
 * page_clear_jge_128 - clears one 128-byte block more than the page has
 *
 *     void page_clear_jge_128(void *dst);
 *
 * Contract  dst[0, 4096) = 0
 * Fault     stray-write: jge also takes the 0 after the last block for one more
 * Twin      page_clear_jge_128_ok leaves the loop at 0
 *
 * Registers
 *   dst  rdi  next byte to write
 *   n    ecx  blocks left
 *   zero xmm0
 */
#include "x86/asm.h"

FUNC(page_clear_jge_128)
        mov     $4096 / 128, %ecx
        xorps   %xmm0, %xmm0

.Lblock:
        movntps %xmm0, (%rdi)
        movntps %xmm0, 16(%rdi)
        movntps %xmm0, 32(%rdi)
        movntps %xmm0, 48(%rdi)
        movntps %xmm0, 64(%rdi)
        movntps %xmm0, 80(%rdi)
        movntps %xmm0, 96(%rdi)
        movntps %xmm0, 112(%rdi)
        add     $128, %rdi
        dec     %ecx
        jge     .Lblock
        sfence
        ret
END_FUNC(page_clear_jge_128)

FUNC(page_clear_jge_128_ok)
        mov     $4096 / 128, %ecx
        xorps   %xmm0, %xmm0

.Lblock_ok:
        movntps %xmm0, (%rdi)
        movntps %xmm0, 16(%rdi)
        movntps %xmm0, 32(%rdi)
        movntps %xmm0, 48(%rdi)
        movntps %xmm0, 64(%rdi)
        movntps %xmm0, 80(%rdi)
        movntps %xmm0, 96(%rdi)
        movntps %xmm0, 112(%rdi)
        add     $128, %rdi
        dec     %ecx
        jnz     .Lblock_ok
        sfence
        ret
END_FUNC(page_clear_jge_128_ok)
NO_EXEC_STACK
