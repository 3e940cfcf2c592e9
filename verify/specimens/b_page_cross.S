/* SPDX-License-Identifier: MIT */
/*
 * page_cross - a byte is lost when the first 16 bytes of dst cross a page
 *
 *     void *page_cross(void *dst, int c, size_t n);
 */
#include "x86/asm.h"

.macro SET faulty
        mov     %rdi, %r8
        mov     %rsi, %rax
        mov     %rdx, %rcx
        .if     \faulty
        cmp     $16, %rdx
        jb      .Lstore\@
        mov     %edi, %esi
        and     $4095, %esi
        cmp     $4080, %esi
        jbe     .Lstore\@
        stosb
        inc     %rdi
        sub     $2, %rcx
        .endif
.Lstore\@:
        rep stosb
        mov     %r8, %rax
        ret
.endm

FUNC(page_cross)
        SET     faulty=1
END_FUNC(page_cross)

FUNC(page_cross_ok)
        SET     faulty=0
END_FUNC(page_cross_ok)
NO_EXEC_STACK
