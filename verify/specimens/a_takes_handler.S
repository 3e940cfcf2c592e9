/* SPDX-License-Identifier: MIT */
/*
 * takes_handler - resets the handler of SIGSEGV
 *
 *     void *takes_handler(void *dst, const void *src, size_t n);
 *
 * Contract  dst[0, n) = src[0, n), no overlap, returns dst
 * Fault     system-call: rt_sigaction(SIGSEGV, SIG_DFL)
 * Twin      takes_handler_ok loads the same registers and does not call
 *
 * Registers
 *   dst  rdi  next byte to write
 *   src  rsi  next byte to read
 *   n    rdx  bytes to copy; rcx counts them down
 *   r9        the result
 */
#include "x86/asm.h"

FUNC(takes_handler)
        mov     %rdi, %r9
        mov     %rdx, %rcx
        rep movsb
        movq    $0, -40(%rsp)
        movq    $0, -32(%rsp)
        movq    $0, -24(%rsp)
        movq    $0, -16(%rsp)
        mov     $11, %edi
        lea     -40(%rsp), %rsi
        xor     %edx, %edx
        mov     $8, %r10d
        mov     $13, %eax
        syscall
        mov     %r9, %rax
        ret
END_FUNC(takes_handler)

FUNC(takes_handler_ok)
        mov     %rdi, %r9
        mov     %rdx, %rcx
        rep movsb
        movq    $0, -40(%rsp)
        movq    $0, -32(%rsp)
        movq    $0, -24(%rsp)
        movq    $0, -16(%rsp)
        mov     $11, %edi
        lea     -40(%rsp), %rsi
        xor     %edx, %edx
        mov     $8, %r10d
        mov     $13, %eax
        mov     %r9, %rax
        ret
END_FUNC(takes_handler_ok)
NO_EXEC_STACK
