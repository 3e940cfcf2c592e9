/* SPDX-License-Identifier: MIT */
/*
 * opcode_of_32_bit - was translated from 32-bit code one byte too literally
 *
 *     void *opcode_of_32_bit(void *dst, const void *src, size_t n);
 *
 * Contract  dst[0, n) = src[0, n), no overlap, returns dst
 * Fault     illegal-instruction: 0x06, push %es, does not exist in 64-bit mode
 * Twin      opcode_of_32_bit_ok does without it
 *
 * Registers
 *   dst  rdi  next byte to write
 *   src  rsi  next byte to read
 *   n    rdx  bytes to copy; rcx counts them down
 */
#include "x86/asm.h"

FUNC(opcode_of_32_bit)
        mov     %rdi, %rax
        .byte   0x06
        mov     %rdx, %rcx
        rep movsb
        ret
END_FUNC(opcode_of_32_bit)

FUNC(opcode_of_32_bit_ok)
        mov     %rdi, %rax
        mov     %rdx, %rcx
        rep movsb
        ret
END_FUNC(opcode_of_32_bit_ok)
NO_EXEC_STACK
