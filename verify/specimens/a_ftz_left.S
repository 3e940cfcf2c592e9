/* SPDX-License-Identifier: MIT */
/*
 * ftz_left - leaves denormals flushed to zero
 *
 *     void *ftz_left(void *dst, const void *src, size_t n);
 *
 * Contract  dst[0, n) = src[0, n), no overlap, returns dst
 * Fault     mxcsr-changed: FTZ is set at return
 * Twin      ftz_left_ok restores MXCSR
 *
 * Registers
 *   dst  rdi  next byte to write
 *   src  rsi  next byte to read
 *   n    rdx  bytes to copy; rcx counts them down
 *   -4(%rsp) the caller's MXCSR, -8(%rsp) ours
 */
#include "x86/asm.h"

FUNC(ftz_left)
        mov     %rdi, %rax
        stmxcsr -4(%rsp)
        mov     -4(%rsp), %ecx
        or      $0x8000, %ecx
        mov     %ecx, -8(%rsp)
        ldmxcsr -8(%rsp)
        mov     %rdx, %rcx
        rep movsb
        ret
END_FUNC(ftz_left)

FUNC(ftz_left_ok)
        mov     %rdi, %rax
        stmxcsr -4(%rsp)
        mov     -4(%rsp), %ecx
        or      $0x8000, %ecx
        mov     %ecx, -8(%rsp)
        ldmxcsr -8(%rsp)
        mov     %rdx, %rcx
        rep movsb
        ldmxcsr -4(%rsp)
        ret
END_FUNC(ftz_left_ok)
NO_EXEC_STACK
