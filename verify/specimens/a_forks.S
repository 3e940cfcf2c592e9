/* SPDX-License-Identifier: MIT */
/*
 * forks - makes a second process that returns, too
 *
 *     void *forks(void *dst, const void *src, size_t n);
 *
 * Contract  dst[0, n) = src[0, n), no overlap, returns dst
 * Fault     system-call: fork()
 * Twin      forks_ok loads the same registers and does not call
 *
 * Registers
 *   dst  rdi  next byte to write
 *   src  rsi  next byte to read
 *   n    rdx  bytes to copy; rcx counts them down
 *   r9        the result
 */
#include "x86/asm.h"

FUNC(forks)
        mov     %rdi, %r9
        mov     %rdx, %rcx
        rep movsb
        mov     $57, %eax
        syscall
        mov     %r9, %rax
        ret
END_FUNC(forks)

FUNC(forks_ok)
        mov     %rdi, %r9
        mov     %rdx, %rcx
        rep movsb
        mov     $57, %eax
        mov     %r9, %rax
        ret
END_FUNC(forks_ok)
NO_EXEC_STACK
