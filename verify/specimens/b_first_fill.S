/* SPDX-License-Identifier: MIT */
/*
 * first_fill - the fill byte of the first call is kept for all later ones
 *
 *     void *first_fill(void *dst, int c, size_t n);
 */
#include "x86/asm.h"

.macro SET faulty
        mov     %rdi, %r8
        .if     \faulty
        cmpb    $0, .Lready(%rip)
        jne     .Lkept\@
        .endif
        mov     %sil, .Lfill(%rip)
        movb    $1, .Lready(%rip)
.Lkept\@:
        mov     .Lfill(%rip), %al
        mov     %rdx, %rcx
        rep stosb
        mov     %r8, %rax
        ret
.endm

FUNC(first_fill)
        SET     faulty=1
END_FUNC(first_fill)

FUNC(first_fill_ok)
        SET     faulty=0
END_FUNC(first_fill_ok)

        .bss
.Lready:
        .zero   1
.Lfill:
        .zero   1
NO_EXEC_STACK
