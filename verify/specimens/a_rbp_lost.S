/* SPDX-License-Identifier: MIT */
/*
 * rbp_lost - sets up a frame pointer and forgets that it had a caller
 *
 *     void *rbp_lost(void *dst, const void *src, size_t n);
 *
 * Contract  dst[0, n) = src[0, n), no overlap, returns dst
 * Fault     register-lost: rbp is not restored
 * Twin      rbp_lost_ok pushes and pops it
 *
 * Registers
 *   dst  rdi  next byte to write
 *   src  rsi  next byte to read
 *   n    rdx  bytes to copy; rcx counts them down
 */
#include "x86/asm.h"

FUNC(rbp_lost)
        mov     %rsp, %rbp
        mov     %rdi, -8(%rbp)
        mov     %rdx, %rcx
        rep movsb
        mov     -8(%rbp), %rax
        ret
END_FUNC(rbp_lost)

FUNC(rbp_lost_ok)
        push    %rbp
        .cfi_adjust_cfa_offset 8
        mov     %rsp, %rbp
        mov     %rdi, -8(%rbp)
        mov     %rdx, %rcx
        rep movsb
        mov     -8(%rbp), %rax
        pop     %rbp
        .cfi_adjust_cfa_offset -8
        ret
END_FUNC(rbp_lost_ok)
NO_EXEC_STACK
