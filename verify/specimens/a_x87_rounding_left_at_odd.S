/* SPDX-License-Identifier: MIT */
/*
 * x87_rounding_left_at_odd - leaves the x87 unit truncating when n is odd
 *
 *     void *x87_rounding_left_at_odd(void *dst, const void *src, size_t n);
 *
 * Contract  dst[0, n) = src[0, n), no overlap, returns dst
 * Fault     x87-changed: the control word is changed on one path only
 * Twin      x87_rounding_left_at_odd_ok restores it there
 *
 * Registers
 *   dst  rdi  next byte to write
 *   src  rsi  next byte to read
 *   n    rdx  bytes to copy; rcx counts them down
 *   -4(%rsp) the caller's control word, -8(%rsp) ours
 */
#include "x86/asm.h"

FUNC(x87_rounding_left_at_odd)
        mov     %rdi, %rax
        test    $1, %dl
        jz      .Lcopy
        fnstcw  -4(%rsp)
        movzwl  -4(%rsp), %ecx
        or      $0xc00, %ecx
        mov     %cx, -8(%rsp)
        fldcw   -8(%rsp)

.Lcopy:
        mov     %rdx, %rcx
        rep movsb
        ret
END_FUNC(x87_rounding_left_at_odd)

FUNC(x87_rounding_left_at_odd_ok)
        mov     %rdi, %rax
        test    $1, %dl
        jz      .Lcopy_ok
        fnstcw  -4(%rsp)
        movzwl  -4(%rsp), %ecx
        or      $0xc00, %ecx
        mov     %cx, -8(%rsp)
        fldcw   -8(%rsp)
        fldcw   -4(%rsp)

.Lcopy_ok:
        mov     %rdx, %rcx
        rep movsb
        ret
END_FUNC(x87_rounding_left_at_odd_ok)
NO_EXEC_STACK
