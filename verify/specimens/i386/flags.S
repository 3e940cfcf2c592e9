/* SPDX-License-Identifier: MIT */
/*
 * flags - sound copies that leave a flag of their caller's changed
 *
 *     void *flags32_FAULT(void *dst, const void *src, size_t n);
 *
 * Contract
 *   dst[0, n) = src[0, n), no overlap, returns dst; cdecl: DF clear, AC and NT unchanged
 * Registers
 *   eax  dst
 *   edi  next byte to write
 *   esi  next byte to read
 *   ecx  bytes left
 */
#include "verify/specimens/i386/cdecl.h"

        .macro  COPY name, flag, faulty
FUNC(flags32_\name)
        ENTER_COPY
        pushf
        pushf
        orl     $\flag, (%esp)
        popf
        cld
        rep movsb
        .if     \faulty
        add     $4, %esp
        .else
        popf
        .endif
        LEAVE
END_FUNC(flags32_\name)
        .endm

COPY    ac_left, 0x40000, 1
COPY    ac_restored, 0x40000, 0
COPY    nt_left, 0x4000, 1
COPY    nt_restored, 0x4000, 0

        .macro  DIRECTION name, before, after
FUNC(flags32_\name)
        ENTER_COPY
        rep movsb
        \before
        std
        \after
        LEAVE
END_FUNC(flags32_\name)
        .endm

DIRECTION df_left
DIRECTION df_cleared, "", cld
DIRECTION df_left_from_100, "cmp $100, %edx; jb 1f", "1:"
NO_EXEC_STACK
