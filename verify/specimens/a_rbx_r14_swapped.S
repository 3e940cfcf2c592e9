/* SPDX-License-Identifier: MIT */
/*
 * rbx_r14_swapped - pops in the order in which it pushed
 *
 *     void *rbx_r14_swapped(void *dst, const void *src, size_t n);
 *
 * Contract  dst[0, n) = src[0, n), no overlap, returns dst
 * Fault     register-lost: rbx and r14 come back exchanged
 * Twin      rbx_r14_swapped_ok pops in reverse
 *
 * Registers
 *   dst  rdi  next byte to write
 *   src  rsi  next byte to read
 *   n    rdx  bytes to copy; rcx counts them down
 */
#include "x86/asm.h"

FUNC(rbx_r14_swapped)
        push    %rbx
        .cfi_adjust_cfa_offset 8
        push    %r14
        .cfi_adjust_cfa_offset 8
        mov     %rdi, %rbx
        mov     %rdx, %r14
        mov     %r14, %rcx
        rep movsb
        mov     %rbx, %rax
        pop     %rbx
        .cfi_adjust_cfa_offset -8
        pop     %r14
        .cfi_adjust_cfa_offset -8
        ret
END_FUNC(rbx_r14_swapped)

FUNC(rbx_r14_swapped_ok)
        push    %rbx
        .cfi_adjust_cfa_offset 8
        push    %r14
        .cfi_adjust_cfa_offset 8
        mov     %rdi, %rbx
        mov     %rdx, %r14
        mov     %r14, %rcx
        rep movsb
        mov     %rbx, %rax
        pop     %r14
        .cfi_adjust_cfa_offset -8
        pop     %rbx
        .cfi_adjust_cfa_offset -8
        ret
END_FUNC(rbx_r14_swapped_ok)
NO_EXEC_STACK
