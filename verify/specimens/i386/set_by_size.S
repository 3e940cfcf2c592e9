/* SPDX-License-Identifier: MIT */
/*
 * set_by_size - memset that jumps by size for up to 8 bytes, one store per power of two
 *
 *     void *size32_FAULT(void *dst, int c, size_t n);
 *
 * Contract
 *   dst[0, n) = low byte of c, returns dst; cdecl
 * Registers
 *   edi  dst
 *   eax  fill byte four times
 *   ecx  n
 */
#include "verify/specimens/i386/cdecl.h"

        .macro  SIZE fault
FUNC(size32_\fault)
        ENTER_SET
        cmp     $8, %ecx
        ja      .Lmore_\fault
        test    $8, %cl
        jnz     .Leight_\fault
        test    $4, %cl
        jnz     .Lfour_\fault
.Lthree_\fault:
        test    $2, %cl
        jz      .Lone_\fault
        stosw
.Lone_\fault:
        test    $1, %cl
        jz      .Lend_\fault
        .ifnc   \fault, two_for_three
        stosb
        .endif
.Lend_\fault:
        LEAVE_DST
.Lfour_\fault:
        .cfi_adjust_cfa_offset 8
        stosl
        .ifc    \fault, eight_for_four
        mov     %eax, (%edi)
        .endif
        .ifc    \fault, four_for_seven
        cmp     $7, %ecx
        je      .Lend_\fault
        .endif
        jmp     .Lthree_\fault
.Leight_\fault:
        stosl
        .ifnc   \fault, four_for_eight
        stosl
        .endif
        jmp     .Lend_\fault
.Lmore_\fault:
        rep stosb
        jmp     .Lend_\fault
END_FUNC(size32_\fault)
        .endm

SIZE    right
SIZE    two_for_three
SIZE    eight_for_four
SIZE    four_for_seven
SIZE    four_for_eight
NO_EXEC_STACK
