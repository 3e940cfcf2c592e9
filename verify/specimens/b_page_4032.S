/* SPDX-License-Identifier: MIT */
/*
 * page_4032 - the last 64 bytes of the page are not copied
 *
 *     void page_4032(void *dst, const void *src);
 */
#include "x86/asm.h"

.macro COPY faulty
        .if     \faulty
        mov     $4032 / 8, %ecx
        .else
        mov     $4096 / 8, %ecx
        .endif
        rep movsq
        ret
.endm

FUNC(page_4032)
        COPY    faulty=1
END_FUNC(page_4032)

FUNC(page_4032_ok)
        COPY    faulty=0
END_FUNC(page_4032_ok)
NO_EXEC_STACK
