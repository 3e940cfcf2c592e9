/* SPDX-License-Identifier: MIT */
/*
 * rsp_garbage_at_return - returns with a stack pointer that points nowhere
 *
 *     void *rsp_garbage_at_return(void *dst, const void *src, size_t n);
 *
 * Contract  dst[0, n) = src[0, n), no overlap, returns dst
 * Fault     stack-moved: rsp is 16 at return
 * Twin      rsp_garbage_at_return_ok leaves rsp alone
 *
 * Registers
 *   dst  rdi  next byte to write
 *   src  rsi  next byte to read
 *   n    rdx  bytes to copy; rcx counts them down
 */
#include "x86/asm.h"

FUNC(rsp_garbage_at_return)
        mov     %rdi, %rax
        mov     %rdx, %rcx
        rep movsb
        mov     (%rsp), %rcx
        mov     $16, %esp
        jmp     *%rcx
END_FUNC(rsp_garbage_at_return)

FUNC(rsp_garbage_at_return_ok)
        mov     %rdi, %rax
        mov     %rdx, %rcx
        rep movsb
        mov     (%rsp), %rcx
        add     $8, %rsp
        jmp     *%rcx
END_FUNC(rsp_garbage_at_return_ok)
NO_EXEC_STACK
