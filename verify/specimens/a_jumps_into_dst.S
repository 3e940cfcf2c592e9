/* SPDX-License-Identifier: MIT */
/*
 * jumps_into_dst - executes what it has just copied
 *
 *     void *jumps_into_dst(void *dst, const void *src, size_t n);
 *
 * Contract  dst[0, n) = src[0, n), no overlap, returns dst
 * Fault     crash: jumps to dst, which holds data
 * Twin      jumps_into_dst_ok jumps to its own end
 *
 * Registers
 *   dst  rdi  next byte to write
 *   src  rsi  next byte to read
 *   n    rdx  bytes to copy; rcx counts them down
 */
#include "x86/asm.h"

FUNC(jumps_into_dst)
        mov     %rdi, %rax
        mov     %rdx, %rcx
        rep movsb
        jmp     *%rax
END_FUNC(jumps_into_dst)

FUNC(jumps_into_dst_ok)
        mov     %rdi, %rax
        mov     %rdx, %rcx
        rep movsb
        jmp     .Lend_ok
.Lend_ok:
        ret
END_FUNC(jumps_into_dst_ok)
NO_EXEC_STACK
