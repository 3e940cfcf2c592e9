/* SPDX-License-Identifier: MIT */
/*
 * r15_lost_from_1024 - needs one register more for 1024 bytes and up
 *
 *     void *r15_lost_from_1024(void *dst, const void *src, size_t n);
 *
 * Contract  dst[0, n) = src[0, n), no overlap, returns dst
 * Fault     register-lost: r15 is lost on the path for large n
 * Twin      r15_lost_from_1024_ok saves it there
 *
 * Registers
 *   dst  rdi  next byte to write
 *   src  rsi  next byte to read
 *   n    rdx  bytes to copy; rcx counts them down
 */
#include "x86/asm.h"

FUNC(r15_lost_from_1024)
        mov     %rdi, %rax
        cmp     $1024, %rdx
        jae     .Llarge
        mov     %rdx, %rcx
        rep movsb
        ret

.Llarge:
        mov     %rdx, %r15
        mov     %rdx, %rcx
        shr     $3, %rcx
        rep movsq
        mov     %r15d, %ecx
        and     $7, %ecx
        rep movsb
        ret
END_FUNC(r15_lost_from_1024)

FUNC(r15_lost_from_1024_ok)
        mov     %rdi, %rax
        cmp     $1024, %rdx
        jae     .Llarge_ok
        mov     %rdx, %rcx
        rep movsb
        ret

.Llarge_ok:
        push    %r15
        .cfi_adjust_cfa_offset 8
        mov     %rdx, %r15
        mov     %rdx, %rcx
        shr     $3, %rcx
        rep movsq
        mov     %r15d, %ecx
        and     $7, %ecx
        rep movsb
        pop     %r15
        .cfi_adjust_cfa_offset -8
        ret
END_FUNC(r15_lost_from_1024_ok)
NO_EXEC_STACK
