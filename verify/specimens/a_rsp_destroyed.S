/* SPDX-License-Identifier: MIT */
/*
 * rsp_destroyed - pushes on a stack that it has lost
 *
 *     void *rsp_destroyed(void *dst, const void *src, size_t n);
 *
 * Contract  dst[0, n) = src[0, n), no overlap, returns dst
 * Fault     crash: rsp is 4096 when it pushes
 * Twin      rsp_destroyed_ok keeps rsp
 *
 * Registers
 *   dst  rdi  next byte to write
 *   src  rsi  next byte to read
 *   n    rdx  bytes to copy; rcx counts them down
 */
#include "x86/asm.h"

FUNC(rsp_destroyed)
        mov     %rdi, %rax
        mov     %rdx, %rcx
        rep movsb
        mov     $4096, %esp
        push    %rdx
        pop     %rdx
        ret
END_FUNC(rsp_destroyed)

FUNC(rsp_destroyed_ok)
        mov     %rdi, %rax
        mov     %rdx, %rcx
        rep movsb
        push    %rdx
        .cfi_adjust_cfa_offset 8
        pop     %rdx
        .cfi_adjust_cfa_offset -8
        ret
END_FUNC(rsp_destroyed_ok)
NO_EXEC_STACK
