/* SPDX-License-Identifier: MIT */
/*
 * df_left_backward - moves backward and stays that way
 *
 *     void *df_left_backward(void *dst, const void *src, size_t n);
 *
 * Contract  dst[0, n) = src[0, n), any overlap, returns dst
 * Fault     df-set: std without cld on the backward path
 * Twin      df_left_backward_ok cld
 *
 * Registers
 *   dst  rdi  next byte to write
 *   src  rsi  next byte to read
 *   n    rdx  bytes to copy; rcx counts them down
 */
#include "x86/asm.h"

FUNC(df_left_backward)
        mov     %rdi, %rax
        mov     %rdi, %rcx
        sub     %rsi, %rcx
        cmp     %rdx, %rcx
        mov     %rdx, %rcx
        jb      .Lbackward
        rep movsb
        ret

.Lbackward:
        lea     -1(%rdi, %rdx), %rdi
        lea     -1(%rsi, %rdx), %rsi
        std
        rep movsb
        ret
END_FUNC(df_left_backward)

FUNC(df_left_backward_ok)
        mov     %rdi, %rax
        mov     %rdi, %rcx
        sub     %rsi, %rcx
        cmp     %rdx, %rcx
        mov     %rdx, %rcx
        jb      .Lbackward_ok
        rep movsb
        ret

.Lbackward_ok:
        lea     -1(%rdi, %rdx), %rdi
        lea     -1(%rsi, %rdx), %rsi
        std
        rep movsb
        cld
        ret
END_FUNC(df_left_backward_ok)
NO_EXEC_STACK
