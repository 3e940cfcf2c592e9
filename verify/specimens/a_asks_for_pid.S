/* SPDX-License-Identifier: MIT */
/*
 * asks_for_pid - asks for its process id
 *
 *     void *asks_for_pid(void *dst, const void *src, size_t n);
 *
 * Contract  dst[0, n) = src[0, n), no overlap, returns dst
 * Fault     system-call: getpid: harmless, and still not a kernel's business
 * Twin      asks_for_pid_ok loads the same registers and does not call
 *
 * Registers
 *   dst  rdi  next byte to write
 *   src  rsi  next byte to read
 *   n    rdx  bytes to copy; rcx counts them down
 *   r9        the result
 */
#include "x86/asm.h"

FUNC(asks_for_pid)
        mov     %rdi, %r9
        mov     %rdx, %rcx
        rep movsb
        mov     $39, %eax
        syscall
        mov     %r9, %rax
        ret
END_FUNC(asks_for_pid)

FUNC(asks_for_pid_ok)
        mov     %rdi, %r9
        mov     %rdx, %rcx
        rep movsb
        mov     $39, %eax
        mov     %r9, %rax
        ret
END_FUNC(asks_for_pid_ok)
NO_EXEC_STACK
