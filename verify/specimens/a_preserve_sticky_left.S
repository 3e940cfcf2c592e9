/* SPDX-License-Identifier: MIT */
/*
 * preserve_sticky_left - computes with masked exceptions and hands their flags on
 *
 *     void *preserve_sticky_left(void *dst, const void *src, size_t n);
 *
 * Contract  dst[0, n) = src[0, n), no overlap, returns dst
 * Fault     mxcsr-changed: the inexact flag of the interrupted task's MXCSR is set
 * Twin      preserve_sticky_left_ok restores MXCSR as it was
 *
 * Registers
 *   dst  rdi  next byte to write
 *   src  rsi  next byte to read
 *   n    rdx  bytes to copy; rcx counts them down
 *   (%rsp) the task's xmm0, 16(%rsp) its MXCSR
 */
#include "x86/asm.h"

FUNC(preserve_sticky_left)
        sub     $24, %rsp
        .cfi_adjust_cfa_offset 24
        movups  %xmm0, (%rsp)
        stmxcsr 16(%rsp)
        movl    $0x1f80, 20(%rsp)
        ldmxcsr 20(%rsp)

        /* 2^63 - 1 has more bits than a double: inexact */
        mov     $0x7fffffffffffffff, %rcx
        cvtsi2sd %rcx, %xmm0
        stmxcsr 20(%rsp)
        mov     20(%rsp), %ecx
        and     $0x3f, %ecx
        or      %ecx, 16(%rsp)
        ldmxcsr 16(%rsp)
        movups  (%rsp), %xmm0
        add     $24, %rsp
        .cfi_adjust_cfa_offset -24

        mov     %rdi, %rax
        mov     %rdx, %rcx
        rep movsb
        ret
END_FUNC(preserve_sticky_left)

FUNC(preserve_sticky_left_ok)
        sub     $24, %rsp
        .cfi_adjust_cfa_offset 24
        movups  %xmm0, (%rsp)
        stmxcsr 16(%rsp)
        movl    $0x1f80, 20(%rsp)
        ldmxcsr 20(%rsp)

        /* 2^63 - 1 has more bits than a double: inexact */
        mov     $0x7fffffffffffffff, %rcx
        cvtsi2sd %rcx, %xmm0
        ldmxcsr 16(%rsp)
        movups  (%rsp), %xmm0
        add     $24, %rsp
        .cfi_adjust_cfa_offset -24

        mov     %rdi, %rax
        mov     %rdx, %rcx
        rep movsb
        ret
END_FUNC(preserve_sticky_left_ok)
NO_EXEC_STACK
