/* SPDX-License-Identifier: MIT */
/*
 * no_emms_on_short - returns in MMX state from its path for 8 to 16 bytes
 *
 *     void *no_emms_on_short(void *dst, const void *src, size_t n);
 *
 * Contract  dst[0, n) = src[0, n), no overlap, returns dst
 * Fault     mmx-dirty: no emms on the short path
 * Twin      no_emms_on_short_ok emms there, too
 *
 * Registers
 *   dst  rdi  next byte to write
 *   src  rsi  next byte to read
 *   n    rdx  bytes to copy; rcx counts them down
 */
#include "x86/asm.h"

FUNC(no_emms_on_short)
        mov     %rdi, %rax
        cmp     $8, %rdx
        jb      .Lbytes
        cmp     $16, %rdx
        jbe     .Lshort

.Lbytes:
        mov     %rdx, %rcx
        rep movsb
        ret

.Lshort:
        movq    (%rsi), %mm0
        movq    -8(%rsi, %rdx), %mm1
        movq    %mm0, (%rdi)
        movq    %mm1, -8(%rdi, %rdx)
        ret
END_FUNC(no_emms_on_short)

FUNC(no_emms_on_short_ok)
        mov     %rdi, %rax
        cmp     $8, %rdx
        jb      .Lbytes_ok
        cmp     $16, %rdx
        jbe     .Lshort_ok

.Lbytes_ok:
        mov     %rdx, %rcx
        rep movsb
        ret

.Lshort_ok:
        movq    (%rsi), %mm0
        movq    -8(%rsi, %rdx), %mm1
        movq    %mm0, (%rdi)
        movq    %mm1, -8(%rdi, %rdx)
        emms
        ret
END_FUNC(no_emms_on_short_ok)
NO_EXEC_STACK
