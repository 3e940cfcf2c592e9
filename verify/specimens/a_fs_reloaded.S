/* SPDX-License-Identifier: MIT */
/*
 * fs_reloaded - loads a data segment into fs
 *
 *     void *fs_reloaded(void *dst, const void *src, size_t n);
 *
 * Contract  dst[0, n) = src[0, n), no overlap, returns dst
 * Fault     register-lost: fs and its base are lost
 * Twin      fs_reloaded_ok reads the selector
 *
 * Registers
 *   dst  rdi  next byte to write
 *   src  rsi  next byte to read
 *   n    rdx  bytes to copy; rcx counts them down
 */
#include "x86/asm.h"

FUNC(fs_reloaded)
        mov     %rdi, %rax
        mov     %rdx, %rcx
        rep movsb
        mov     $0x2b, %ecx
        mov     %ecx, %fs
        ret
END_FUNC(fs_reloaded)

FUNC(fs_reloaded_ok)
        mov     %rdi, %rax
        mov     %rdx, %rcx
        rep movsb
        mov     %fs, %ecx
        ret
END_FUNC(fs_reloaded_ok)
NO_EXEC_STACK
