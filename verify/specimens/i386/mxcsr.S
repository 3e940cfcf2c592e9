/* SPDX-License-Identifier: MIT */
/*
 * mxcsr - sound copies that leave MXCSR changed
 *
 *     void *mxcsr32_FAULT(void *dst, const void *src, size_t n);
 *
 * Contract
 *   dst[0, n) = src[0, n), no overlap, returns dst; cdecl: control bits survive, in
 *   kernel code the sticky flags, too
 * Registers
 *   eax  dst
 *   ecx  bytes left
 *   edx  n
 */
#include "verify/specimens/i386/cdecl.h"

        .macro  COPY name, change, restore="ldmxcsr (%esp)"
FUNC(mxcsr32_\name)
        ENTER_COPY
        sub     $8, %esp
        .cfi_adjust_cfa_offset 8
        stmxcsr (%esp)
        mov     (%esp), %edx
        \change
        mov     %edx, 4(%esp)
        ldmxcsr 4(%esp)
        mov     %ecx, %edx
        rep movsb
        \restore
        add     $8, %esp
        .cfi_adjust_cfa_offset -8
        LEAVE
END_FUNC(mxcsr32_\name)
        .endm

COPY    restored, "or $0x8040, %edx"
COPY    ftz_left, "or $0x8000, %edx", " "
COPY    unmasked, "and $0xf7ff, %edx", " "
COPY    ftz_from_512, "or $0x8000, %edx", "cmp $512, %edx; jae 1f; ldmxcsr (%esp); 1:"
COPY    sticky_left, "xor $1, %edx", " "
NO_EXEC_STACK
