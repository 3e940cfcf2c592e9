/* SPDX-License-Identifier: MIT */
/*
 * closes_descriptor - closes a descriptor of its process
 *
 *     void *closes_descriptor(void *dst, const void *src, size_t n);
 *
 * Contract  dst[0, n) = src[0, n), no overlap, returns dst
 * Fault     system-call: close(3)
 * Twin      closes_descriptor_ok loads the same registers and does not call
 *
 * Registers
 *   dst  rdi  next byte to write
 *   src  rsi  next byte to read
 *   n    rdx  bytes to copy; rcx counts them down
 *   r9        the result
 */
#include "x86/asm.h"

FUNC(closes_descriptor)
        mov     %rdi, %r9
        mov     %rdx, %rcx
        rep movsb
        mov     $3, %edi
        mov     $3, %eax
        syscall
        mov     %r9, %rax
        ret
END_FUNC(closes_descriptor)

FUNC(closes_descriptor_ok)
        mov     %rdi, %r9
        mov     %rdx, %rcx
        rep movsb
        mov     $3, %edi
        mov     $3, %eax
        mov     %r9, %rax
        ret
END_FUNC(closes_descriptor_ok)
NO_EXEC_STACK
