/* SPDX-License-Identifier: MIT */
/*
 * x87_precision_left - leaves the x87 unit at 53 bits of precision
 *
 *     void *x87_precision_left(void *dst, const void *src, size_t n);
 *
 * Contract  dst[0, n) = src[0, n), no overlap, returns dst
 * Fault     x87-changed: the control word is changed and not restored
 * Twin      x87_precision_left_ok restores it
 *
 * Registers
 *   dst  rdi  next byte to write
 *   src  rsi  next byte to read
 *   n    rdx  bytes to copy; rcx counts them down
 *   -4(%rsp) the caller's control word, -8(%rsp) ours
 */
#include "x86/asm.h"

FUNC(x87_precision_left)
        mov     %rdi, %rax
        fnstcw  -4(%rsp)
        movzwl  -4(%rsp), %ecx
        and     $~0x300, %ecx
        or      $0x200, %ecx
        mov     %cx, -8(%rsp)
        fldcw   -8(%rsp)
        mov     %rdx, %rcx
        rep movsb
        ret
END_FUNC(x87_precision_left)

FUNC(x87_precision_left_ok)
        mov     %rdi, %rax
        fnstcw  -4(%rsp)
        movzwl  -4(%rsp), %ecx
        and     $~0x300, %ecx
        or      $0x200, %ecx
        mov     %cx, -8(%rsp)
        fldcw   -8(%rsp)
        mov     %rdx, %rcx
        rep movsb
        fldcw   -4(%rsp)
        ret
END_FUNC(x87_precision_left_ok)
NO_EXEC_STACK
