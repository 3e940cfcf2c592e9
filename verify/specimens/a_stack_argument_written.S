/* SPDX-License-Identifier: MIT */
/*
 * stack_argument_written - uses its stack argument as a variable
 *
 *     void *stack_argument_written(void *dst, const void *src, size_t n, 0, 0, 0, 7);
 *
 * Contract  dst[0, n) = src[0, n), no overlap, returns dst; the 7 is on the stack
 * Fault     stack-smashed: 8(%rsp) is counted down in place
 * Twin      stack_argument_written_ok counts in a register
 *
 * Registers
 *   dst  rdi  next byte to write
 *   src  rsi  next byte to read
 *   n    rdx  bytes to copy; rcx counts them down
 *   step 8(%rsp), the 7
 */
#include "x86/asm.h"

FUNC(stack_argument_written)
        mov     %rdi, %rax
        mov     %rdx, %rcx
        rep movsb
.Lstep:
        decq    8(%rsp)
        jnz     .Lstep
        ret
END_FUNC(stack_argument_written)

FUNC(stack_argument_written_ok)
        mov     %rdi, %rax
        mov     %rdx, %rcx
        rep movsb
        mov     8(%rsp), %rcx
.Lstep_ok:
        dec     %rcx
        jnz     .Lstep_ok
        ret
END_FUNC(stack_argument_written_ok)
NO_EXEC_STACK
