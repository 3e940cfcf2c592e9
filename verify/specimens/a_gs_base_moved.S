/* SPDX-License-Identifier: MIT */
/*
 * gs_base_moved - uses the base of gs as a spare register
 *
 *     void *gs_base_moved(void *dst, const void *src, size_t n);
 *
 * Contract  dst[0, n) = src[0, n), no overlap, returns dst
 * Fault     register-lost: the base of gs is not restored
 * Twin      gs_base_moved_ok restores it
 *
 * Registers
 *   dst  rdi  next byte to write
 *   src  rsi  next byte to read
 *   n    rdx  bytes to copy; rcx counts them down
 *   r8        the caller's base
 */
#include "x86/asm.h"

FUNC(gs_base_moved)
        mov     %rdi, %rax
        mov     %rdx, %rcx
        rep movsb
        wrgsbase %rax
        ret
END_FUNC(gs_base_moved)

FUNC(gs_base_moved_ok)
        mov     %rdi, %rax
        mov     %rdx, %rcx
        rep movsb
        rdgsbase %r8
        wrgsbase %rax
        wrgsbase %r8
        ret
END_FUNC(gs_base_moved_ok)
NO_EXEC_STACK
