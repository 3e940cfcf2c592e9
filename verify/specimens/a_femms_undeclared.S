/* SPDX-License-Identifier: MIT */
/*
 * femms_undeclared - ends its MMX loop with the 3DNow! form of emms
 *
 *     void *femms_undeclared(void *dst, const void *src, size_t n);
 *
 * Contract  dst[0, n) = src[0, n), no overlap, returns dst
 * Fault     cpu-undeclared: femms is outside the declared mmx; most CPUs refuse it
 * Twin      femms_undeclared_ok emms
 *
 * Registers
 *   dst  rdi  next byte to write
 *   src  rsi  next byte to read
 *   n    rdx  bytes to copy; rcx counts them down
 */
#include "x86/asm.h"

FUNC(femms_undeclared)
        mov     %rdi, %rax
        mov     %rdx, %rcx
        shr     $3, %rcx
        jz      .Ltail

.Lword:
        movq    (%rsi), %mm0
        movq    %mm0, (%rdi)
        add     $8, %rsi
        add     $8, %rdi
        dec     %rcx
        jnz     .Lword
        femms

.Ltail:
        mov     %edx, %ecx
        and     $7, %ecx
        rep movsb
        ret
END_FUNC(femms_undeclared)

FUNC(femms_undeclared_ok)
        mov     %rdi, %rax
        mov     %rdx, %rcx
        shr     $3, %rcx
        jz      .Ltail_ok

.Lword_ok:
        movq    (%rsi), %mm0
        movq    %mm0, (%rdi)
        add     $8, %rsi
        add     $8, %rdi
        dec     %rcx
        jnz     .Lword_ok
        emms

.Ltail_ok:
        mov     %edx, %ecx
        and     $7, %ecx
        rep movsb
        ret
END_FUNC(femms_undeclared_ok)
NO_EXEC_STACK
