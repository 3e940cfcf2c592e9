/* SPDX-License-Identifier: MIT */
/*
 * moves_fs_by_call - moves the thread pointer through the system
 *
 *     void *moves_fs_by_call(void *dst, const void *src, size_t n);
 *
 * Contract  dst[0, n) = src[0, n), no overlap, returns dst
 * Fault     system-call: arch_prctl(ARCH_SET_FS)
 * Twin      moves_fs_by_call_ok loads the same registers and does not call
 *
 * Registers
 *   dst  rdi  next byte to write
 *   src  rsi  next byte to read
 *   n    rdx  bytes to copy; rcx counts them down
 *   r9        the result
 */
#include "x86/asm.h"

FUNC(moves_fs_by_call)
        mov     %rdi, %r9
        mov     %rdx, %rcx
        rep movsb
        mov     %r9, %rsi
        mov     $0x1002, %edi
        mov     $158, %eax
        syscall
        mov     %r9, %rax
        ret
END_FUNC(moves_fs_by_call)

FUNC(moves_fs_by_call_ok)
        mov     %rdi, %r9
        mov     %rdx, %rcx
        rep movsb
        mov     %r9, %rsi
        mov     $0x1002, %edi
        mov     $158, %eax
        mov     %r9, %rax
        ret
END_FUNC(moves_fs_by_call_ok)
NO_EXEC_STACK
