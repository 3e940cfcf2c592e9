/* SPDX-License-Identifier: MIT */
/*
 * head_last_byte - the last head byte is skipped when n >= 4096, dst is not 64-byte aligned
 * and whole blocks follow the head
 *
 *     void *head_last_byte(void *dst, const void *src, size_t n);
 */
#include "x86/asm.h"

.macro COPY faulty
        mov     %rdi, %rax
        cmp     $4096, %rdx
        jb      .Lrest\@
        mov     %edi, %ecx
        neg     %ecx
        and     $63, %ecx
        jz      .Lrest\@
        sub     %rcx, %rdx
        .if     \faulty
        test    $63, %dl
        jnz     .Lhead\@
        dec     %ecx
        rep movsb
        inc     %rsi
        inc     %rdi
        jmp     .Lrest\@
        .endif
.Lhead\@:
        rep movsb
.Lrest\@:
        mov     %rdx, %rcx
        rep movsb
        ret
.endm

FUNC(head_last_byte)
        COPY    faulty=1
END_FUNC(head_last_byte)

FUNC(head_last_byte_ok)
        COPY    faulty=0
END_FUNC(head_last_byte_ok)
NO_EXEC_STACK
