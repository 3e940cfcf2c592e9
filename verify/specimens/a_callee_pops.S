/* SPDX-License-Identifier: MIT */
/*
 * callee_pops - pops its stack argument as stdcall would
 *
 *     void *callee_pops(void *dst, const void *src, size_t n, 0, 0, 0, 7);
 *
 * Contract  dst[0, n) = src[0, n), no overlap, returns dst; the 7 is on the stack
 * Fault     stack-moved: ret $8 leaves rsp 8 bytes too high
 * Twin      callee_pops_ok ret
 *
 * Registers
 *   dst  rdi  next byte to write
 *   src  rsi  next byte to read
 *   n    rdx  bytes to copy; rcx counts them down
 */
#include "x86/asm.h"

FUNC(callee_pops)
        mov     %rdi, %rax
        mov     %rdx, %rcx
        rep movsb
        ret     $8
END_FUNC(callee_pops)

FUNC(callee_pops_ok)
        mov     %rdi, %rax
        mov     %rdx, %rcx
        rep movsb
        ret
END_FUNC(callee_pops_ok)
NO_EXEC_STACK
