/* SPDX-License-Identifier: MIT */
/*
 * tls_written - clears a word of its thread's variables
 *
 *     void *tls_written(void *dst, const void *src, size_t n);
 *
 * Contract  dst[0, n) = src[0, n), no overlap, returns dst
 * Fault     stray-write: writes 64 bytes before the thread pointer
 * Twin      tls_written_ok reads there
 *
 * Registers
 *   dst  rdi  next byte to write
 *   src  rsi  next byte to read
 *   n    rdx  bytes to copy; rcx counts them down
 *   r8        thread pointer
 */
#include "x86/asm.h"

FUNC(tls_written)
        mov     %rdi, %rax
        mov     %rdx, %rcx
        rep movsb
        mov     %fs:0, %r8
        movq    $0, -64(%r8)
        ret
END_FUNC(tls_written)

FUNC(tls_written_ok)
        mov     %rdi, %rax
        mov     %rdx, %rcx
        rep movsb
        mov     %fs:0, %r8
        mov     -64(%r8), %r8
        ret
END_FUNC(tls_written_ok)
NO_EXEC_STACK
