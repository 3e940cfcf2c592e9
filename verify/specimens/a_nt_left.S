/* SPDX-License-Identifier: MIT */
/*
 * nt_left - sets the nested-task flag
 *
 *     void *nt_left(void *dst, const void *src, size_t n);
 *
 * Contract  dst[0, n) = src[0, n), no overlap, returns dst
 * Fault     flags-changed: NT is set at return
 * Twin      nt_left_ok restores the flags
 *
 * Registers
 *   dst  rdi  next byte to write
 *   src  rsi  next byte to read
 *   n    rdx  bytes to copy; rcx counts them down
 */
#include "x86/asm.h"

FUNC(nt_left)
        mov     %rdi, %rax
        mov     %rdx, %rcx
        pushfq
        .cfi_adjust_cfa_offset 8
        orl     $0x4000, (%rsp)
        popfq
        .cfi_adjust_cfa_offset -8
        rep movsb
        ret
END_FUNC(nt_left)

FUNC(nt_left_ok)
        mov     %rdi, %rax
        mov     %rdx, %rcx
        pushfq
        .cfi_adjust_cfa_offset 8
        pushfq
        .cfi_adjust_cfa_offset 8
        orl     $0x4000, (%rsp)
        popfq
        .cfi_adjust_cfa_offset -8
        rep movsb
        popfq
        .cfi_adjust_cfa_offset -8
        ret
END_FUNC(nt_left_ok)
NO_EXEC_STACK
