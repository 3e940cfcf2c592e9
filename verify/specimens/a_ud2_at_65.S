/* SPDX-License-Identifier: MIT */
/*
 * ud2_at_65 - holds one size to be impossible
 *
 *     void *ud2_at_65(void *dst, const void *src, size_t n);
 *
 * Contract  dst[0, n) = src[0, n), no overlap, returns dst
 * Fault     illegal-instruction: n = 65 reaches ud2
 * Twin      ud2_at_65_ok copies 65 bytes like any other number
 *
 * Registers
 *   dst  rdi  next byte to write
 *   src  rsi  next byte to read
 *   n    rdx  bytes to copy; rcx counts them down
 */
#include "x86/asm.h"

FUNC(ud2_at_65)
        mov     %rdi, %rax
        cmp     $65, %rdx
        je      .Ltrap
        mov     %rdx, %rcx
        rep movsb
        ret
.Ltrap:
        ud2
END_FUNC(ud2_at_65)

FUNC(ud2_at_65_ok)
        mov     %rdi, %rax
        mov     %rdx, %rcx
        rep movsb
        ret
END_FUNC(ud2_at_65_ok)
NO_EXEC_STACK
