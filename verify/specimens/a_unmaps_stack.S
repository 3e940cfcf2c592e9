/* SPDX-License-Identifier: MIT */
/*
 * unmaps_stack - unmaps the stack it stands on
 *
 *     void *unmaps_stack(void *dst, const void *src, size_t n);
 *
 * Contract  dst[0, n) = src[0, n), no overlap, returns dst
 * Fault     system-call: munmap of the page under rsp
 * Twin      unmaps_stack_ok loads the same registers and does not call
 *
 * Registers
 *   dst  rdi  next byte to write
 *   src  rsi  next byte to read
 *   n    rdx  bytes to copy; rcx counts them down
 *   r9        the result
 */
#include "x86/asm.h"

FUNC(unmaps_stack)
        mov     %rdi, %r9
        mov     %rdx, %rcx
        rep movsb
        mov     %rsp, %rdi
        and     $-4096, %rdi
        mov     $4096, %esi
        mov     $11, %eax
        syscall
        mov     %r9, %rax
        ret
END_FUNC(unmaps_stack)

FUNC(unmaps_stack_ok)
        mov     %rdi, %r9
        mov     %rdx, %rcx
        rep movsb
        mov     %rsp, %rdi
        and     $-4096, %rdi
        mov     $4096, %esi
        mov     $11, %eax
        mov     %r9, %rax
        ret
END_FUNC(unmaps_stack_ok)
NO_EXEC_STACK
