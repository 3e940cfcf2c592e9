/* SPDX-License-Identifier: MIT */
/*
 * blocks_signals - blocks every signal
 *
 *     void *blocks_signals(void *dst, const void *src, size_t n);
 *
 * Contract  dst[0, n) = src[0, n), no overlap, returns dst
 * Fault     system-call: rt_sigprocmask(SIG_SETMASK, all)
 * Twin      blocks_signals_ok loads the same registers and does not call
 *
 * Registers
 *   dst  rdi  next byte to write
 *   src  rsi  next byte to read
 *   n    rdx  bytes to copy; rcx counts them down
 *   r9        the result
 */
#include "x86/asm.h"

FUNC(blocks_signals)
        mov     %rdi, %r9
        mov     %rdx, %rcx
        rep movsb
        movq    $-1, -16(%rsp)
        mov     $2, %edi
        lea     -16(%rsp), %rsi
        xor     %edx, %edx
        mov     $8, %r10d
        mov     $14, %eax
        syscall
        mov     %r9, %rax
        ret
END_FUNC(blocks_signals)

FUNC(blocks_signals_ok)
        mov     %rdi, %r9
        mov     %rdx, %rcx
        rep movsb
        movq    $-1, -16(%rsp)
        mov     $2, %edi
        lea     -16(%rsp), %rsi
        xor     %edx, %edx
        mov     $8, %r10d
        mov     $14, %eax
        mov     %r9, %rax
        ret
END_FUNC(blocks_signals_ok)
NO_EXEC_STACK
