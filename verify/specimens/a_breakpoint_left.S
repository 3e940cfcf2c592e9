/* SPDX-License-Identifier: MIT */
/*
 * breakpoint_left - was shipped with a breakpoint
 *
 *     void *breakpoint_left(void *dst, const void *src, size_t n);
 *
 * Contract  dst[0, n) = src[0, n), no overlap, returns dst
 * Fault     crash: int3
 * Twin      breakpoint_left_ok nop
 *
 * Registers
 *   dst  rdi  next byte to write
 *   src  rsi  next byte to read
 *   n    rdx  bytes to copy; rcx counts them down
 */
#include "x86/asm.h"

FUNC(breakpoint_left)
        mov     %rdi, %rax
        mov     %rdx, %rcx
        rep movsb
        int3
        ret
END_FUNC(breakpoint_left)

FUNC(breakpoint_left_ok)
        mov     %rdi, %rax
        mov     %rdx, %rcx
        rep movsb
        nop
        ret
END_FUNC(breakpoint_left_ok)
NO_EXEC_STACK
