/* SPDX-License-Identifier: MIT */
/*
 * home_space_written - spills into the home space that only Windows callers provide
 *
 *     void *home_space_written(void *dst, const void *src, size_t n);
 *
 * Contract  dst[0, n) = src[0, n), no overlap, returns dst
 * Fault     stack-smashed: 8(%rsp) is the caller's frame
 * Twin      home_space_written_ok spills into the red zone
 *
 * Registers
 *   dst  rdi  next byte to write
 *   src  rsi  next byte to read
 *   n    rdx  bytes to copy; rcx counts them down
 */
#include "x86/asm.h"

FUNC(home_space_written)
        mov     %rdi, 8(%rsp)
        mov     %rdx, %rcx
        rep movsb
        mov     8(%rsp), %rax
        ret
END_FUNC(home_space_written)

FUNC(home_space_written_ok)
        mov     %rdi, -8(%rsp)
        mov     %rdx, %rcx
        rep movsb
        mov     -8(%rsp), %rax
        ret
END_FUNC(home_space_written_ok)
NO_EXEC_STACK
