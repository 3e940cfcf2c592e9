/* SPDX-License-Identifier: MIT */
/*
 * stack_guard_written - overwrites the stack protector's secret
 *
 *     void *stack_guard_written(void *dst, const void *src, size_t n);
 *
 * Contract  dst[0, n) = src[0, n), no overlap, returns dst
 * Fault     stray-write: writes %fs:0x28
 * Twin      stack_guard_written_ok reads it
 *
 * Registers
 *   dst  rdi  next byte to write
 *   src  rsi  next byte to read
 *   n    rdx  bytes to copy; rcx counts them down
 */
#include "x86/asm.h"

FUNC(stack_guard_written)
        mov     %rdi, %rax
        mov     %rdx, %rcx
        rep movsb
        movq    $0, %fs:0x28
        ret
END_FUNC(stack_guard_written)

FUNC(stack_guard_written_ok)
        mov     %rdi, %rax
        mov     %rdx, %rcx
        rep movsb
        mov     %fs:0x28, %rcx
        ret
END_FUNC(stack_guard_written_ok)
NO_EXEC_STACK
