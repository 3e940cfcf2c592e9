/* SPDX-License-Identifier: MIT */
/*
 * stack_walked_up - clears a table that it believes to have on its stack
 *
 *     void *stack_walked_up(void *dst, const void *src, size_t n);
 *
 * Contract  dst[0, n) = src[0, n), no overlap, returns dst
 * Fault     stack-smashed: writes 1 MiB upward from its caller's frame
 * Twin      stack_walked_up_ok stays within the red zone
 *
 * Registers
 *   dst  rdi  next byte to write
 *   src  rsi  next byte to read
 *   n    rdx  bytes to copy; rcx counts them down
 *   r8        next word of the table
 */
#include "x86/asm.h"

FUNC(stack_walked_up)
        mov     %rdi, %rax
        mov     %rdx, %rcx
        rep movsb
        lea     8(%rsp), %r8
        mov     $131072, %ecx

.Lword:
        mov     %rdx, (%r8)
        add     $8, %r8
        dec     %ecx
        jnz     .Lword
        ret
END_FUNC(stack_walked_up)

FUNC(stack_walked_up_ok)
        mov     %rdi, %rax
        mov     %rdx, %rcx
        rep movsb
        lea     -64(%rsp), %r8
        mov     $8, %ecx

.Lword_ok:
        mov     %rdx, (%r8)
        add     $8, %r8
        dec     %ecx
        jnz     .Lword_ok
        ret
END_FUNC(stack_walked_up_ok)
NO_EXEC_STACK
