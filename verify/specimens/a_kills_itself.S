/* SPDX-License-Identifier: MIT */
/*
 * kills_itself - sends its process a signal that cannot be caught
 *
 *     void *kills_itself(void *dst, const void *src, size_t n);
 *
 * Contract  dst[0, n) = src[0, n), no overlap, returns dst
 * Fault     system-call: kill(0, SIGKILL) to its process group
 * Twin      kills_itself_ok loads the same registers and does not call
 *
 * Registers
 *   dst  rdi  next byte to write
 *   src  rsi  next byte to read
 *   n    rdx  bytes to copy; rcx counts them down
 *   r9        the result
 */
#include "x86/asm.h"

FUNC(kills_itself)
        mov     %rdi, %r9
        mov     %rdx, %rcx
        rep movsb
        xor     %edi, %edi
        mov     $9, %esi
        mov     $62, %eax
        syscall
        mov     %r9, %rax
        ret
END_FUNC(kills_itself)

FUNC(kills_itself_ok)
        mov     %rdi, %r9
        mov     %rdx, %rcx
        rep movsb
        xor     %edi, %edi
        mov     $9, %esi
        mov     $62, %eax
        mov     %r9, %rax
        ret
END_FUNC(kills_itself_ok)
NO_EXEC_STACK
