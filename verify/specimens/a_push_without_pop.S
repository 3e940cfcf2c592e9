/* SPDX-License-Identifier: MIT */
/*
 * push_without_pop - jumps to its return address and leaves both words on the stack
 *
 *     void *push_without_pop(void *dst, const void *src, size_t n);
 *
 * Contract  dst[0, n) = src[0, n), no overlap, returns dst
 * Fault     stack-moved: rsp is 16 bytes too low at return
 * Twin      push_without_pop_ok pops, then ret
 *
 * Registers
 *   dst  rdi  next byte to write
 *   src  rsi  next byte to read
 *   n    rdx  bytes to copy; rcx counts them down
 */
#include "x86/asm.h"

FUNC(push_without_pop)
        push    %rdi
        .cfi_adjust_cfa_offset 8
        mov     %rdx, %rcx
        rep movsb
        mov     (%rsp), %rax
        mov     8(%rsp), %rcx
        jmp     *%rcx
END_FUNC(push_without_pop)

FUNC(push_without_pop_ok)
        push    %rdi
        .cfi_adjust_cfa_offset 8
        mov     %rdx, %rcx
        rep movsb
        pop     %rax
        .cfi_adjust_cfa_offset -8
        ret
END_FUNC(push_without_pop_ok)
NO_EXEC_STACK
