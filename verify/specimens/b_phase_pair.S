/* SPDX-License-Identifier: MIT */
/*
 * phase_pair - the last byte is lost when dst mod 8 = 3, src mod 8 = 6 and n mod 32 = 31
 *
 *     void *phase_pair(void *dst, const void *src, size_t n);
 */
#include "x86/asm.h"

.macro COPY faulty
        mov     %rdi, %rax
        mov     %rdx, %rcx
        .if     \faulty
        mov     %edx, %r8d
        and     $31, %r8d
        cmp     $31, %r8d
        jne     .Lcopy\@
        mov     %edi, %r8d
        and     $7, %r8d
        cmp     $3, %r8d
        jne     .Lcopy\@
        mov     %esi, %r8d
        and     $7, %r8d
        cmp     $6, %r8d
        jne     .Lcopy\@
        dec     %rcx
        .endif
.Lcopy\@:
        rep movsb
        ret
.endm

FUNC(phase_pair)
        COPY    faulty=1
END_FUNC(phase_pair)

FUNC(phase_pair_ok)
        COPY    faulty=0
END_FUNC(phase_pair_ok)
NO_EXEC_STACK
