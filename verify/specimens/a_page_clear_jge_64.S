/* SPDX-License-Identifier: MIT */
/*
 * page_clear_jge_64 - clears one 64-byte block more than the page has
 *
 *     void page_clear_jge_64(void *dst);
 *
 * Contract  dst[0, 4096) = 0
 * Fault     stray-write: jge also takes the 0 after the last block for one more
 * Twin      page_clear_jge_64_ok leaves the loop at 0
 *
 * Registers
 *   dst  rdi  next byte to write
 *   n    ecx  blocks left
 *   zero mm0
 */
#include "x86/asm.h"

FUNC(page_clear_jge_64)
        mov     $4096 / 64, %ecx
        pxor    %mm0, %mm0

.Lblock:
        movntq  %mm0, (%rdi)
        movntq  %mm0, 8(%rdi)
        movntq  %mm0, 16(%rdi)
        movntq  %mm0, 24(%rdi)
        movntq  %mm0, 32(%rdi)
        movntq  %mm0, 40(%rdi)
        movntq  %mm0, 48(%rdi)
        movntq  %mm0, 56(%rdi)
        add     $64, %rdi
        dec     %ecx
        jge     .Lblock
        sfence
        emms
        ret
END_FUNC(page_clear_jge_64)

FUNC(page_clear_jge_64_ok)
        mov     $4096 / 64, %ecx
        pxor    %mm0, %mm0

.Lblock_ok:
        movntq  %mm0, (%rdi)
        movntq  %mm0, 8(%rdi)
        movntq  %mm0, 16(%rdi)
        movntq  %mm0, 24(%rdi)
        movntq  %mm0, 32(%rdi)
        movntq  %mm0, 40(%rdi)
        movntq  %mm0, 48(%rdi)
        movntq  %mm0, 56(%rdi)
        add     $64, %rdi
        dec     %ecx
        jnz     .Lblock_ok
        sfence
        emms
        ret
END_FUNC(page_clear_jge_64_ok)
NO_EXEC_STACK
