/* SPDX-License-Identifier: MIT */
/*
 * asks_for_pid_int80 - asks for its process id the 32-bit way
 *
 *     void *asks_for_pid_int80(void *dst, const void *src, size_t n);
 *
 * Contract  dst[0, n) = src[0, n), no overlap, returns dst
 * Fault     system-call: getpid through int $0x80
 * Twin      asks_for_pid_int80_ok loads the same registers and does not call
 *
 * Registers
 *   dst  rdi  next byte to write
 *   src  rsi  next byte to read
 *   n    rdx  bytes to copy; rcx counts them down
 *   r9        the result
 */
#include "x86/asm.h"

FUNC(asks_for_pid_int80)
        mov     %rdi, %r9
        mov     %rdx, %rcx
        rep movsb
        mov     $20, %eax
        int     $0x80
        mov     %r9, %rax
        ret
END_FUNC(asks_for_pid_int80)

FUNC(asks_for_pid_int80_ok)
        mov     %rdi, %r9
        mov     %rdx, %rcx
        rep movsb
        mov     $20, %eax
        mov     %r9, %rax
        ret
END_FUNC(asks_for_pid_int80_ok)
NO_EXEC_STACK
