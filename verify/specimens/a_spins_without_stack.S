/* SPDX-License-Identifier: MIT */
/*
 * spins_without_stack - waits for ever with a stack pointer that points nowhere
 *
 *     void *spins_without_stack(void *dst, const void *src, size_t n);
 *
 * Contract  dst[0, n) = src[0, n), no overlap, returns dst
 * Fault     hang: never leaves, and whoever interrupts it finds no stack
 * Twin      spins_without_stack_ok puts the stack back and leaves
 *
 * Registers
 *   dst  rdi  next byte to write
 *   src  rsi  next byte to read
 *   n    rdx  bytes to copy; rcx counts them down
 *   r8        the caller's rsp
 */
#include "x86/asm.h"

FUNC(spins_without_stack)
        mov     %rdi, %rax
        mov     %rdx, %rcx
        rep movsb
        mov     %rsp, %r8
        xor     %esp, %esp
.Lwait:
        jmp     .Lwait
END_FUNC(spins_without_stack)

FUNC(spins_without_stack_ok)
        mov     %rdi, %rax
        mov     %rdx, %rcx
        rep movsb
        mov     %rsp, %r8
        xor     %esp, %esp
        mov     %r8, %rsp
        ret
END_FUNC(spins_without_stack_ok)
NO_EXEC_STACK
