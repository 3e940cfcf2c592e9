/* SPDX-License-Identifier: MIT */
/*
 * stack_probed_down - touches 16 MiB below rsp
 *
 *     void *stack_probed_down(void *dst, const void *src, size_t n);
 *
 * Contract  dst[0, n) = src[0, n), no overlap, returns dst
 * Fault     below-stack: runs through the end of the stack
 * Twin      stack_probed_down_ok takes 512 bytes and moves rsp for them
 *
 * Registers
 *   dst  rdi  next byte to write
 *   src  rsi  next byte to read
 *   n    rdx  bytes to copy; rcx counts them down
 */
#include "x86/asm.h"

FUNC(stack_probed_down)
        mov     %rdi, %rax
        mov     %rdx, %rcx
        rep movsb
        mov     %rsp, %r8
        mov     $4096, %ecx

.Lprobe:
        sub     $4096, %r8
        movb    $0, (%r8)
        dec     %ecx
        jnz     .Lprobe
        ret
END_FUNC(stack_probed_down)

FUNC(stack_probed_down_ok)
        mov     %rdi, %rax
        mov     %rdx, %rcx
        rep movsb
        sub     $512, %rsp
        .cfi_adjust_cfa_offset 512
        mov     $512 / 8, %ecx

.Lword_ok:
        movq    $0, -8(%rsp, %rcx, 8)
        dec     %ecx
        jnz     .Lword_ok
        add     $512, %rsp
        .cfi_adjust_cfa_offset -512
        ret
END_FUNC(stack_probed_down_ok)
NO_EXEC_STACK
