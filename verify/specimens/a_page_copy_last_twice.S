/* SPDX-License-Identifier: MIT */
/*
 * page_copy_last_twice - drains its pipeline twice, the second time past the page
 *
 *     void page_copy_last_twice(void *dst, const void *src);
 *
 * Contract  dst[0, 4096) = src[0, 4096), no overlap
 * Fault     stray-write: the last block is stored again behind the page;
 *           src is read exactly
 * Twin      page_copy_last_twice_ok stores it once
 *
 * Registers
 *   dst  rdi  next byte to write
 *   src  rsi  block in r8-r11
 *   n    ecx  blocks to load
 */
#include "x86/asm.h"

FUNC(page_copy_last_twice)
        mov     (%rsi), %r8
        mov     8(%rsi), %r9
        mov     16(%rsi), %r10
        mov     24(%rsi), %r11
        mov     $4096 / 32 - 1, %ecx

.Lblock:
        add     $32, %rsi
        movnti  %r8, (%rdi)
        mov     (%rsi), %r8
        movnti  %r9, 8(%rdi)
        mov     8(%rsi), %r9
        movnti  %r10, 16(%rdi)
        mov     16(%rsi), %r10
        movnti  %r11, 24(%rdi)
        mov     24(%rsi), %r11
        add     $32, %rdi
        dec     %ecx
        jnz     .Lblock

        movnti  %r8, (%rdi)
        movnti  %r9, 8(%rdi)
        movnti  %r10, 16(%rdi)
        movnti  %r11, 24(%rdi)
        movnti  %r8, 32(%rdi)
        movnti  %r9, 40(%rdi)
        movnti  %r10, 48(%rdi)
        movnti  %r11, 56(%rdi)
        sfence
        ret
END_FUNC(page_copy_last_twice)

FUNC(page_copy_last_twice_ok)
        mov     (%rsi), %r8
        mov     8(%rsi), %r9
        mov     16(%rsi), %r10
        mov     24(%rsi), %r11
        mov     $4096 / 32 - 1, %ecx

.Lblock_ok:
        add     $32, %rsi
        movnti  %r8, (%rdi)
        mov     (%rsi), %r8
        movnti  %r9, 8(%rdi)
        mov     8(%rsi), %r9
        movnti  %r10, 16(%rdi)
        mov     16(%rsi), %r10
        movnti  %r11, 24(%rdi)
        mov     24(%rsi), %r11
        add     $32, %rdi
        dec     %ecx
        jnz     .Lblock_ok

        movnti  %r8, (%rdi)
        movnti  %r9, 8(%rdi)
        movnti  %r10, 16(%rdi)
        movnti  %r11, 24(%rdi)
        sfence
        ret
END_FUNC(page_copy_last_twice_ok)
NO_EXEC_STACK
