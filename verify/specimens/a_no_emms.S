/* SPDX-License-Identifier: MIT */
/*
 * no_emms - copies with MMX and returns in MMX state
 *
 *     void *no_emms(void *dst, const void *src, size_t n);
 *
 * Contract  dst[0, n) = src[0, n), no overlap, returns dst
 * Fault     mmx-dirty: no emms: the caller's next x87 instruction meets a full stack
 * Twin      no_emms_ok emms after the loop
 *
 * Registers
 *   dst  rdi  next byte to write
 *   src  rsi  next byte to read
 *   n    rdx  bytes to copy; rcx counts them down
 */
#include "x86/asm.h"

FUNC(no_emms)
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

.Ltail:
        mov     %edx, %ecx
        and     $7, %ecx
        rep movsb
        ret
END_FUNC(no_emms)

FUNC(no_emms_ok)
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
END_FUNC(no_emms_ok)
NO_EXEC_STACK
