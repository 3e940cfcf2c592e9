/* SPDX-License-Identifier: MIT */
/*
 * no_vzeroupper_on_short - leaves YMM registers dirty on its path for 32 to 64 bytes
 *
 *     void *no_vzeroupper_on_short(void *dst, const void *src, size_t n);
 *
 * Contract  dst[0, n) = src[0, n), no overlap, returns dst
 * Fault     upper-dirty: no vzeroupper on the short path
 * Twin      no_vzeroupper_on_short_ok vzeroupper there, too
 *
 * Registers
 *   dst  rdi  next byte to write
 *   src  rsi  next byte to read
 *   n    rdx  bytes to copy; rcx counts them down
 */
#include "x86/asm.h"

FUNC(no_vzeroupper_on_short)
        mov     %rdi, %rax
        cmp     $32, %rdx
        jb      .Lbytes
        cmp     $64, %rdx
        jbe     .Lshort

.Lbytes:
        mov     %rdx, %rcx
        rep movsb
        ret

.Lshort:
        vmovdqu (%rsi), %ymm0
        vmovdqu -32(%rsi, %rdx), %ymm1
        vmovdqu %ymm0, (%rdi)
        vmovdqu %ymm1, -32(%rdi, %rdx)
        ret
END_FUNC(no_vzeroupper_on_short)

FUNC(no_vzeroupper_on_short_ok)
        mov     %rdi, %rax
        cmp     $32, %rdx
        jb      .Lbytes_ok
        cmp     $64, %rdx
        jbe     .Lshort_ok

.Lbytes_ok:
        mov     %rdx, %rcx
        rep movsb
        ret

.Lshort_ok:
        vmovdqu (%rsi), %ymm0
        vmovdqu -32(%rsi, %rdx), %ymm1
        vmovdqu %ymm0, (%rdi)
        vmovdqu %ymm1, -32(%rdi, %rdx)
        vzeroupper
        ret
END_FUNC(no_vzeroupper_on_short_ok)
NO_EXEC_STACK
