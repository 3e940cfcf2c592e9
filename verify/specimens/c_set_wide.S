/* SPDX-License-Identifier: MIT */
/*
 * c_set_wide - 32-bit elements: only their low half is filled, all bytes get the low
 * byte, and the address is rounded down to an element
 *
 *     uint32_t *set_wide(uint32_t *dst, uint32_t c, size_t n);
 *
 * `n` counts elements.  Rounding is harmless under the natural alignment that a buffer
 * of elements has by default, and a fault when the contract allows any address.
 */
#include "x86/asm.h"

.macro SET
        mov     %rdi, %r8
        mov     %esi, %eax
        mov     %rdx, %rcx
        rep stosl
        mov     %r8, %rax
        ret
.endm

FUNC(set_wide_low_half)
        mov     %rdi, %rax
.Lelement:
        sub     $1, %rdx
        jb      .Lend
        mov     %si, (%rdi)
        add     $4, %rdi
        jmp     .Lelement
.Lend:
        ret
END_FUNC(set_wide_low_half)

FUNC(set_wide_low_half_ok)
        SET
END_FUNC(set_wide_low_half_ok)

FUNC(set_wide_low_byte)
        movzbl  %sil, %esi
        imul    $0x01010101, %esi, %esi
        SET
END_FUNC(set_wide_low_byte)

FUNC(set_wide_low_byte_ok)
        SET
END_FUNC(set_wide_low_byte_ok)

FUNC(set_wide_rounded)
        and     $-4, %rdi
        SET
END_FUNC(set_wide_rounded)
NO_EXEC_STACK
