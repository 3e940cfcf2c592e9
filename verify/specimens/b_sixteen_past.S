/* SPDX-License-Identifier: MIT */
/*
 * sixteen_past - the last 16-byte store runs up to 15 bytes past the end
 *
 *     void *sixteen_past(void *dst, int c, size_t n);
 */
#include "x86/asm.h"

.macro SET faulty
        mov     %rdi, %rax
        movd    %esi, %xmm0
        punpcklbw %xmm0, %xmm0
        punpcklwd %xmm0, %xmm0
        pshufd  $0, %xmm0, %xmm0
.Lblock\@:
        .if     \faulty
        test    %rdx, %rdx
        jz      .Ldone\@
        .else
        cmp     $16, %rdx
        jb      .Ltail\@
        .endif
        movups  %xmm0, (%rdi)
        add     $16, %rdi
        sub     $16, %rdx
        ja      .Lblock\@
        ret
.Ltail\@:
        test    %rdx, %rdx
        jz      .Ldone\@
        mov     %sil, (%rdi)
        inc     %rdi
        dec     %rdx
        jmp     .Ltail\@
.Ldone\@:
        ret
.endm

FUNC(sixteen_past)
        SET     faulty=1
END_FUNC(sixteen_past)

FUNC(sixteen_past_ok)
        SET     faulty=0
END_FUNC(sixteen_past_ok)
NO_EXEC_STACK
