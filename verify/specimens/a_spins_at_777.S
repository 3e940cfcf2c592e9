/* SPDX-License-Identifier: MIT */
/*
 * spins_at_777 - waits for ever at one size
 *
 *     void *spins_at_777(void *dst, const void *src, size_t n);
 *
 * Contract  dst[0, n) = src[0, n), no overlap, returns dst
 * Fault     hang: n = 777 never leaves
 * Twin      spins_at_777_ok copies 777 bytes like any other number
 *
 * Registers
 *   dst  rdi  next byte to write
 *   src  rsi  next byte to read
 *   n    rdx  bytes to copy; rcx counts them down
 */
#include "x86/asm.h"

FUNC(spins_at_777)
.Lagain:
        cmp     $777, %rdx
        je      .Lagain
        mov     %rdi, %rax
        mov     %rdx, %rcx
        rep movsb
        ret
END_FUNC(spins_at_777)

FUNC(spins_at_777_ok)
        mov     %rdi, %rax
        mov     %rdx, %rcx
        rep movsb
        ret
END_FUNC(spins_at_777_ok)
NO_EXEC_STACK
