/* SPDX-License-Identifier: MIT */
/*
 * rbx_lost - keeps its result in rbx
 *
 *     void *rbx_lost(void *dst, const void *src, size_t n);
 *
 * Contract  dst[0, n) = src[0, n), no overlap, returns dst
 * Fault     register-lost: rbx is not restored
 * Twin      rbx_lost_ok saves it
 *
 * Registers
 *   dst  rdi  next byte to write
 *   src  rsi  next byte to read
 *   n    rdx  bytes to copy; rcx counts them down
 */
#include "x86/asm.h"

FUNC(rbx_lost)
        mov     %rdi, %rbx
        mov     %rdx, %rcx
        rep movsb
        mov     %rbx, %rax
        ret
END_FUNC(rbx_lost)

FUNC(rbx_lost_ok)
        push    %rbx
        .cfi_adjust_cfa_offset 8
        mov     %rdi, %rbx
        mov     %rdx, %rcx
        rep movsb
        mov     %rbx, %rax
        pop     %rbx
        .cfi_adjust_cfa_offset -8
        ret
END_FUNC(rbx_lost_ok)
NO_EXEC_STACK
