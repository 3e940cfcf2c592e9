/* SPDX-License-Identifier: MIT */
/*
 * lossy_flds - copies floats through the x87 stack, which quiets signalling NaNs
 *
 *     void *lossy_flds(void *dst, const void *src, size_t n);
 */
#include "x86/asm.h"

.macro COPY faulty
        mov     %rdi, %rax
        mov     %rdx, %rcx
        shr     $2, %rcx
        jz      .Ltail\@
.Lword\@:
        .if     \faulty
        flds    (%rsi)
        fstps   (%rdi)
        .else
        fildl   (%rsi)
        fistpl  (%rdi)
        .endif
        add     $4, %rsi
        add     $4, %rdi
        dec     %rcx
        jnz     .Lword\@
.Ltail\@:
        mov     %edx, %ecx
        and     $3, %ecx
        rep movsb
        ret
.endm

FUNC(lossy_flds)
        COPY    faulty=1
END_FUNC(lossy_flds)

FUNC(lossy_flds_ok)
        COPY    faulty=0
END_FUNC(lossy_flds_ok)
NO_EXEC_STACK
