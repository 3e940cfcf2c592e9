/* SPDX-License-Identifier: MIT */
/*
 * sse_unmasked - leaves division by zero unmasked
 *
 *     void *sse_unmasked(void *dst, const void *src, size_t n);
 *
 * Contract  dst[0, n) = src[0, n), no overlap, returns dst
 * Fault     mxcsr-changed: a mask bit of MXCSR is clear at return
 * Twin      sse_unmasked_ok restores MXCSR
 *
 * Registers
 *   dst  rdi  next byte to write
 *   src  rsi  next byte to read
 *   n    rdx  bytes to copy; rcx counts them down
 *   -4(%rsp) the caller's MXCSR, -8(%rsp) ours
 */
#include "x86/asm.h"

FUNC(sse_unmasked)
        mov     %rdi, %rax
        stmxcsr -4(%rsp)
        mov     -4(%rsp), %ecx
        and     $~0x200, %ecx
        mov     %ecx, -8(%rsp)
        ldmxcsr -8(%rsp)
        mov     %rdx, %rcx
        rep movsb
        ret
END_FUNC(sse_unmasked)

FUNC(sse_unmasked_ok)
        mov     %rdi, %rax
        stmxcsr -4(%rsp)
        mov     -4(%rsp), %ecx
        and     $~0x200, %ecx
        mov     %ecx, -8(%rsp)
        ldmxcsr -8(%rsp)
        mov     %rdx, %rcx
        rep movsb
        ldmxcsr -4(%rsp)
        ret
END_FUNC(sse_unmasked_ok)
NO_EXEC_STACK
