/* SPDX-License-Identifier: MIT */
/*
 * fs_base_moved - moves the thread pointer
 *
 *     void *fs_base_moved(void *dst, const void *src, size_t n);
 *
 * Contract  dst[0, n) = src[0, n), no overlap, returns dst
 * Fault     register-lost: the base of fs is not restored
 * Twin      fs_base_moved_ok restores it
 *
 * Registers
 *   dst  rdi  next byte to write
 *   src  rsi  next byte to read
 *   n    rdx  bytes to copy; rcx counts them down
 *   r8        the caller's base
 */
#include "x86/asm.h"

FUNC(fs_base_moved)
        mov     %rdi, %rax
        mov     %rdx, %rcx
        rep movsb
        wrfsbase %rax
        ret
END_FUNC(fs_base_moved)

FUNC(fs_base_moved_ok)
        mov     %rdi, %rax
        mov     %rdx, %rcx
        rep movsb
        rdfsbase %r8
        wrfsbase %rax
        wrfsbase %r8
        ret
END_FUNC(fs_base_moved_ok)
NO_EXEC_STACK
