/* SPDX-License-Identifier: MIT */
/*
 * r12_lost_on_tail - counts the last n mod 8 bytes in r12
 *
 *     void *r12_lost_on_tail(void *dst, const void *src, size_t n);
 *
 * Contract  dst[0, n) = src[0, n), no overlap, returns dst
 * Fault     register-lost: r12 is lost where n is no multiple of 8
 * Twin      r12_lost_on_tail_ok uses r8
 *
 * Registers
 *   dst  rdi  next byte to write
 *   src  rsi  next byte to read
 *   n    rdx  bytes to copy; rcx counts them down
 */
#include "x86/asm.h"

FUNC(r12_lost_on_tail)
        mov     %rdi, %rax
        mov     %rdx, %rcx
        shr     $3, %rcx
        rep movsq
        and     $7, %edx
        jz      .Ldone
        mov     %edx, %r12d
        mov     %r12d, %ecx
        rep movsb
.Ldone:
        ret
END_FUNC(r12_lost_on_tail)

FUNC(r12_lost_on_tail_ok)
        mov     %rdi, %rax
        mov     %rdx, %rcx
        shr     $3, %rcx
        rep movsq
        and     $7, %edx
        jz      .Ldone_ok
        mov     %edx, %r8d
        mov     %r8d, %ecx
        rep movsb
.Ldone_ok:
        ret
END_FUNC(r12_lost_on_tail_ok)
NO_EXEC_STACK
