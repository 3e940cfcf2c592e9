/* SPDX-License-Identifier: MIT */
/*
 * df_left_early - returns early from a backward move, past the cld
 *
 *     void *df_left_early(void *dst, const void *src, size_t n);
 *
 * Contract  dst[0, n) = src[0, n), any overlap, returns dst
 * Fault     df-set: DF stays set where fewer than 8 bytes are moved backward
 * Twin      df_left_early_ok has one way out
 *
 * Registers
 *   dst  rdi  next byte to write
 *   src  rsi  next byte to read
 *   n    rdx  bytes to copy; rcx counts them down
 */
#include "x86/asm.h"

FUNC(df_left_early)
        mov     %rdi, %rax
        mov     %rdi, %rcx
        sub     %rsi, %rcx
        cmp     %rdx, %rcx
        jb      .Lbackward
        mov     %rdx, %rcx
        rep movsb
        ret

.Lbackward:
        lea     -1(%rdi, %rdx), %rdi
        lea     -1(%rsi, %rdx), %rsi
        std
        mov     %edx, %ecx
        and     $7, %ecx
        rep movsb
        mov     %rdx, %rcx
        shr     $3, %rcx
        jz      .Ldone
        sub     $7, %rdi
        sub     $7, %rsi
        rep movsq
        cld
.Ldone:
        ret
END_FUNC(df_left_early)

FUNC(df_left_early_ok)
        mov     %rdi, %rax
        mov     %rdi, %rcx
        sub     %rsi, %rcx
        cmp     %rdx, %rcx
        jb      .Lbackward_ok
        mov     %rdx, %rcx
        rep movsb
        ret

.Lbackward_ok:
        lea     -1(%rdi, %rdx), %rdi
        lea     -1(%rsi, %rdx), %rsi
        std
        mov     %edx, %ecx
        and     $7, %ecx
        rep movsb
        mov     %rdx, %rcx
        shr     $3, %rcx
        jz      .Ldone_ok
        sub     $7, %rdi
        sub     $7, %rsi
        rep movsq
.Ldone_ok:
        cld
        ret
END_FUNC(df_left_early_ok)
NO_EXEC_STACK
