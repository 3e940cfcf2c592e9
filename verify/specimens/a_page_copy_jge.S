/* SPDX-License-Identifier: MIT */
/*
 * page_copy_jge - copies one 64-byte block more than the page has
 *
 *     void page_copy_jge(void *dst, const void *src);
 *
 * Contract  dst[0, 4096) = src[0, 4096), no overlap
 * Fault     stray-write: jge also takes the 0 after the last block for one more;
 *           what lies behind src lands behind dst, unseen where the two are equal
 * Twin      page_copy_jge_ok leaves the loop at 0
 *
 * Registers
 *   dst  rdi  next byte to write
 *   src  rsi  next byte to read
 *   n    ecx  blocks left
 */
#include "x86/asm.h"

FUNC(page_copy_jge)
        mov     $4096 / 64, %ecx

.Lblock:
        movq    (%rsi), %mm0
        movq    8(%rsi), %mm1
        movq    16(%rsi), %mm2
        movq    24(%rsi), %mm3
        movq    32(%rsi), %mm4
        movq    40(%rsi), %mm5
        movq    48(%rsi), %mm6
        movq    56(%rsi), %mm7
        movntq  %mm0, (%rdi)
        movntq  %mm1, 8(%rdi)
        movntq  %mm2, 16(%rdi)
        movntq  %mm3, 24(%rdi)
        movntq  %mm4, 32(%rdi)
        movntq  %mm5, 40(%rdi)
        movntq  %mm6, 48(%rdi)
        movntq  %mm7, 56(%rdi)
        add     $64, %rsi
        add     $64, %rdi
        dec     %ecx
        jge     .Lblock
        sfence
        emms
        ret
END_FUNC(page_copy_jge)

FUNC(page_copy_jge_ok)
        mov     $4096 / 64, %ecx

.Lblock_ok:
        movq    (%rsi), %mm0
        movq    8(%rsi), %mm1
        movq    16(%rsi), %mm2
        movq    24(%rsi), %mm3
        movq    32(%rsi), %mm4
        movq    40(%rsi), %mm5
        movq    48(%rsi), %mm6
        movq    56(%rsi), %mm7
        movntq  %mm0, (%rdi)
        movntq  %mm1, 8(%rdi)
        movntq  %mm2, 16(%rdi)
        movntq  %mm3, 24(%rdi)
        movntq  %mm4, 32(%rdi)
        movntq  %mm5, 40(%rdi)
        movntq  %mm6, 48(%rdi)
        movntq  %mm7, 56(%rdi)
        add     $64, %rsi
        add     $64, %rdi
        dec     %ecx
        jnz     .Lblock_ok
        sfence
        emms
        ret
END_FUNC(page_copy_jge_ok)
NO_EXEC_STACK
