/* SPDX-License-Identifier: MIT */
/*
 * recursion_without_end - calls itself until the stack is used up
 *
 *     void *recursion_without_end(void *dst, const void *src, size_t n);
 *
 * Contract  dst[0, n) = src[0, n), no overlap, returns dst
 * Fault     below-stack: the depth is tested and never counted
 * Twin      recursion_without_end_ok counts it
 *
 * Registers
 *   dst  rdi  next byte to write
 *   src  rsi  next byte to read
 *   n    rdx  bytes to copy; rcx counts them down
 *   r8d       calls left
 */
#include "x86/asm.h"

FUNC(recursion_without_end)
        mov     %rdi, %rax
        mov     %rdx, %rcx
        rep movsb
        mov     $4, %r8d

.Lagain:
        test    %r8d, %r8d
        jz      .Ldone
        call    .Lagain
.Ldone:
        ret
END_FUNC(recursion_without_end)

FUNC(recursion_without_end_ok)
        mov     %rdi, %rax
        mov     %rdx, %rcx
        rep movsb
        mov     $4, %r8d

.Lagain_ok:
        dec     %r8d
        jz      .Ldone_ok
        call    .Lagain_ok
.Ldone_ok:
        ret
END_FUNC(recursion_without_end_ok)
NO_EXEC_STACK
