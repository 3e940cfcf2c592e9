/* SPDX-License-Identifier: MIT */
/*
 * rsp_not_canonical - pushes to an address that no x86-64 has
 *
 *     void *rsp_not_canonical(void *dst, const void *src, size_t n);
 *
 * Contract  dst[0, n) = src[0, n), no overlap, returns dst
 * Fault     crash: rsp is 2^63 when it pushes: a stack fault, not a page fault
 * Twin      rsp_not_canonical_ok puts rsp back first
 *
 * Registers
 *   dst  rdi  next byte to write
 *   src  rsi  next byte to read
 *   n    rdx  bytes to copy; rcx counts them down
 *   r8        the caller's rsp
 */
#include "x86/asm.h"

FUNC(rsp_not_canonical)
        mov     %rdi, %rax
        mov     %rdx, %rcx
        rep movsb
        mov     %rsp, %r8
        movabs  $0x8000000000000000, %rsp
        push    %rdx
        mov     %r8, %rsp
        ret
END_FUNC(rsp_not_canonical)

FUNC(rsp_not_canonical_ok)
        mov     %rdi, %rax
        mov     %rdx, %rcx
        rep movsb
        mov     %rsp, %r8
        movabs  $0x8000000000000000, %rsp
        mov     %r8, %rsp
        ret
END_FUNC(rsp_not_canonical_ok)
NO_EXEC_STACK
