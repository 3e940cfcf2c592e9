/* SPDX-License-Identifier: MIT */
/*
 * return_code_patched - patches the code that it returns to
 *
 *     void *return_code_patched(void *dst, const void *src, size_t n);
 *
 * Contract  dst[0, n) = src[0, n), no overlap, returns dst
 * Fault     stray-write: writes where its return address points
 * Twin      return_code_patched_ok reads there
 *
 * Registers
 *   dst  rdi  next byte to write
 *   src  rsi  next byte to read
 *   n    rdx  bytes to copy; rcx counts them down
 *   r8        return address
 */
#include "x86/asm.h"

FUNC(return_code_patched)
        mov     %rdi, %rax
        mov     %rdx, %rcx
        rep movsb
        mov     (%rsp), %r8
        movb    $0x90, (%r8)
        ret
END_FUNC(return_code_patched)

FUNC(return_code_patched_ok)
        mov     %rdi, %rax
        mov     %rdx, %rcx
        rep movsb
        mov     (%rsp), %r8
        movzbl  (%r8), %ecx
        ret
END_FUNC(return_code_patched_ok)
NO_EXEC_STACK
