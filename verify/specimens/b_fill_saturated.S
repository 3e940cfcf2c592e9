/* SPDX-License-Identifier: MIT */
/*
 * fill_saturated - the fill value is packed with saturation: -1 becomes 0 and 300 becomes 255
 *
 *     void *fill_saturated(void *dst, int c, size_t n);
 */
#include "x86/asm.h"

.macro SET faulty
        mov     %rdi, %r8
        .if     \faulty
        .else
        movzbl  %sil, %esi
        .endif
        movd    %esi, %xmm0
        pshufd  $0, %xmm0, %xmm0
        packssdw %xmm0, %xmm0
        packuswb %xmm0, %xmm0
.Lblock\@:
        sub     $16, %rdx
        jb      .Ltail\@
        movups  %xmm0, (%rdi)
        add     $16, %rdi
        jmp     .Lblock\@
.Ltail\@:
        lea     16(%rdx), %rcx
        movd    %xmm0, %eax
        rep stosb
        mov     %r8, %rax
        ret
.endm

FUNC(fill_saturated)
        SET     faulty=1
END_FUNC(fill_saturated)

FUNC(fill_saturated_ok)
        SET     faulty=0
END_FUNC(fill_saturated_ok)
NO_EXEC_STACK
