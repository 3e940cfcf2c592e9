/* SPDX-License-Identifier: MIT */
/*
 * clear_once_at_least - clears a block even where it was asked for none
 *
 *     void clear_once_at_least(void *dst, size_t n);
 *
 * Contract  dst[0, n) = 0, n a multiple of 64, 0 included
 * Fault     stray-write: the loop tests at its foot only: n = 0 still clears 64 bytes
 * Twin      clear_once_at_least_ok tests before the loop
 *
 * Registers
 *   dst  rdi  next byte to write
 *   n    rsi  bytes left
 *   zero xmm0
 */
#include "x86/asm.h"

FUNC(clear_once_at_least)
        pxor    %xmm0, %xmm0

.Lblock:
        movdqu  %xmm0, (%rdi)
        movdqu  %xmm0, 16(%rdi)
        movdqu  %xmm0, 32(%rdi)
        movdqu  %xmm0, 48(%rdi)
        add     $64, %rdi
        sub     $64, %rsi
        ja      .Lblock
        ret
END_FUNC(clear_once_at_least)

FUNC(clear_once_at_least_ok)
        pxor    %xmm0, %xmm0
        test    %rsi, %rsi
        jz      .Ldone_ok

.Lblock_ok:
        movdqu  %xmm0, (%rdi)
        movdqu  %xmm0, 16(%rdi)
        movdqu  %xmm0, 32(%rdi)
        movdqu  %xmm0, 48(%rdi)
        add     $64, %rdi
        sub     $64, %rsi
        ja      .Lblock_ok
.Ldone_ok:
        ret
END_FUNC(clear_once_at_least_ok)
NO_EXEC_STACK
