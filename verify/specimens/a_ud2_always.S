/* SPDX-License-Identifier: MIT */
/*
 * ud2_always - runs into the trap behind its own end
 *
 *     void *ud2_always(void *dst, const void *src, size_t n);
 *
 * Contract  dst[0, n) = src[0, n), no overlap, returns dst
 * Fault     illegal-instruction: the ret is missing
 * Twin      ud2_always_ok returns
 *
 * Registers
 *   dst  rdi  next byte to write
 *   src  rsi  next byte to read
 *   n    rdx  bytes to copy; rcx counts them down
 */
#include "x86/asm.h"

FUNC(ud2_always)
        mov     %rdi, %rax
        mov     %rdx, %rcx
        rep movsb
        ud2
END_FUNC(ud2_always)

FUNC(ud2_always_ok)
        mov     %rdi, %rax
        mov     %rdx, %rcx
        rep movsb
        ret
        ud2
END_FUNC(ud2_always_ok)
NO_EXEC_STACK
