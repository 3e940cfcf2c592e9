/* SPDX-License-Identifier: MIT */
/*
 * source_written - the source is cleared behind the copy
 *
 *     void *source_written(void *dst, const void *src, size_t n);
 */
#include "x86/asm.h"

.macro COPY faulty
        mov     %rdi, %rax
        mov     %rdx, %rcx
        shr     $3, %rcx
        jz      .Ltail\@
.Lword\@:
        mov     (%rsi), %r8
        mov     %r8, (%rdi)
        .if     \faulty
        movq    $0, (%rsi)
        .endif
        add     $8, %rsi
        add     $8, %rdi
        dec     %rcx
        jnz     .Lword\@
.Ltail\@:
        mov     %edx, %ecx
        and     $7, %ecx
        rep movsb
        ret
.endm

FUNC(source_written)
        COPY    faulty=1
END_FUNC(source_written)

FUNC(source_written_ok)
        COPY    faulty=0
END_FUNC(source_written_ok)
NO_EXEC_STACK
