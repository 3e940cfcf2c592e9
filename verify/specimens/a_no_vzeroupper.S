/* SPDX-License-Identifier: MIT */
/*
 * no_vzeroupper - copies with YMM registers and leaves them dirty
 *
 *     void *no_vzeroupper(void *dst, const void *src, size_t n);
 *
 * Contract  dst[0, n) = src[0, n), no overlap, returns dst
 * Fault     upper-dirty: no vzeroupper: every later SSE instruction pays
 * Twin      no_vzeroupper_ok vzeroupper after the loop
 *
 * Registers
 *   dst  rdi  next byte to write
 *   src  rsi  next byte to read
 *   n    rdx  bytes to copy; rcx counts them down
 */
#include "x86/asm.h"

FUNC(no_vzeroupper)
        mov     %rdi, %rax
        mov     %rdx, %rcx
        shr     $5, %rcx
        jz      .Ltail

.Lblock:
        vmovdqu (%rsi), %ymm0
        vmovdqu %ymm0, (%rdi)
        add     $32, %rsi
        add     $32, %rdi
        dec     %rcx
        jnz     .Lblock

.Ltail:
        mov     %edx, %ecx
        and     $31, %ecx
        rep movsb
        ret
END_FUNC(no_vzeroupper)

FUNC(no_vzeroupper_ok)
        mov     %rdi, %rax
        mov     %rdx, %rcx
        shr     $5, %rcx
        jz      .Ltail_ok

.Lblock_ok:
        vmovdqu (%rsi), %ymm0
        vmovdqu %ymm0, (%rdi)
        add     $32, %rsi
        add     $32, %rdi
        dec     %rcx
        jnz     .Lblock_ok
        vzeroupper

.Ltail_ok:
        mov     %edx, %ecx
        and     $31, %ecx
        rep movsb
        ret
END_FUNC(no_vzeroupper_ok)
NO_EXEC_STACK
