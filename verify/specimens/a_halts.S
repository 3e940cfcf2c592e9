/* SPDX-License-Identifier: MIT */
/*
 * halts - waits for an interrupt
 *
 *     void *halts(void *dst, const void *src, size_t n);
 *
 * Contract  dst[0, n) = src[0, n), no overlap, returns dst
 * Fault     crash: hlt is privileged
 * Twin      halts_ok pause
 *
 * Registers
 *   dst  rdi  next byte to write
 *   src  rsi  next byte to read
 *   n    rdx  bytes to copy; rcx counts them down
 */
#include "x86/asm.h"

FUNC(halts)
        mov     %rdi, %rax
        mov     %rdx, %rcx
        rep movsb
        hlt
        ret
END_FUNC(halts)

FUNC(halts_ok)
        mov     %rdi, %rax
        mov     %rdx, %rcx
        rep movsb
        pause
        ret
END_FUNC(halts_ok)
NO_EXEC_STACK
