/* SPDX-License-Identifier: MIT */
/*
 * return_address_lost - stores its count where the return address stands
 *
 *     void *return_address_lost(void *dst, const void *src, size_t n);
 *
 * Contract  dst[0, n) = src[0, n), no overlap, returns dst
 * Fault     crash: (%rsp) is overwritten, ret goes to 4096
 * Twin      return_address_lost_ok stores below it
 *
 * Registers
 *   dst  rdi  next byte to write
 *   src  rsi  next byte to read
 *   n    rdx  bytes to copy; rcx counts them down
 */
#include "x86/asm.h"

FUNC(return_address_lost)
        mov     %rdi, %rax
        mov     %rdx, %rcx
        rep movsb
        movq    $4096, (%rsp)
        ret
END_FUNC(return_address_lost)

FUNC(return_address_lost_ok)
        mov     %rdi, %rax
        mov     %rdx, %rcx
        rep movsb
        movq    $4096, -8(%rsp)
        ret
END_FUNC(return_address_lost_ok)
NO_EXEC_STACK
