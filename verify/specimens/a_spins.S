/* SPDX-License-Identifier: MIT */
/*
 * spins - waits for ever
 *
 *     void *spins(void *dst, const void *src, size_t n);
 *
 * Contract  dst[0, n) = src[0, n), no overlap, returns dst
 * Fault     hang: the loop counter is never touched
 * Twin      spins_ok counts it down
 *
 * Registers
 *   dst  rdi  next byte to write
 *   src  rsi  next byte to read
 *   n    rdx  bytes to copy; rcx counts them down
 *   r8d       rounds left
 */
#include "x86/asm.h"

FUNC(spins)
        mov     %rdi, %rax
        mov     %rdx, %rcx
        rep movsb
        mov     $8, %r8d
.Lwait:
        pause
        test    %r8d, %r8d
        jnz     .Lwait
        ret
END_FUNC(spins)

FUNC(spins_ok)
        mov     %rdi, %rax
        mov     %rdx, %rcx
        rep movsb
        mov     $8, %r8d
.Lwait_ok:
        pause
        dec     %r8d
        jnz     .Lwait_ok
        ret
END_FUNC(spins_ok)
NO_EXEC_STACK
