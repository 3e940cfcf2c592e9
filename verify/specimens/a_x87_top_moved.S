/* SPDX-License-Identifier: MIT */
/*
 * x87_top_moved - turns the empty x87 stack by one register
 *
 *     void *x87_top_moved(void *dst, const void *src, size_t n);
 *
 * Contract  dst[0, n) = src[0, n), no overlap, returns dst
 * Fault     x87-changed: fincstp without its fdecstp: TOP differs at return
 * Twin      x87_top_moved_ok turns it back
 *
 * Registers
 *   dst  rdi  next byte to write
 *   src  rsi  next byte to read
 *   n    rdx  bytes to copy; rcx counts them down
 */
#include "x86/asm.h"

FUNC(x87_top_moved)
        mov     %rdi, %rax
        fincstp
        mov     %rdx, %rcx
        rep movsb
        ret
END_FUNC(x87_top_moved)

FUNC(x87_top_moved_ok)
        mov     %rdi, %rax
        fincstp
        mov     %rdx, %rcx
        rep movsb
        fdecstp
        ret
END_FUNC(x87_top_moved_ok)
NO_EXEC_STACK
