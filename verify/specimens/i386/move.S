/* SPDX-License-Identifier: MIT */
/*
 * move - memmove that takes the wrong direction, or the right one not to the end
 *
 *     void *move32_FAULT(void *dst, const void *src, size_t n);
 *
 * Contract
 *   dst[0, n) = what src[0, n) held, any overlap, returns dst; cdecl
 * Registers
 *   eax  dst
 *   edi  next byte to write
 *   esi  next byte to read
 *   ecx  bytes or words left
 *   edx  dst - src, then scratch
 */
#include "verify/specimens/i386/cdecl.h"

        /* Is dst inside src?  Unsigned, so that a dst below src is far above it. */
        .macro  CHOOSE fault
        mov     %edi, %edx
        sub     %esi, %edx
        .ifc    \fault, forward_always
        jmp     .Lforward_\fault
        .endif
        .ifc    \fault, backward_always
        jmp     .Lbackward_\fault
        .endif
        .ifc    \fault, signed_distance
        cmp     %ecx, %edx
        jl      .Lbackward_\fault
        .endif
        .ifc    \fault, signed_addresses
        cmp     %esi, %edi
        jg      .Lbackward_\fault
        jmp     .Lforward_\fault
        .endif
        .ifc    \fault, unsigned_addresses
        cmp     %esi, %edi
        ja      .Lbackward_\fault
        jmp     .Lforward_\fault
        .endif
        .ifc    \fault, one_above
        cmp     $1, %edx
        je      .Lforward_\fault
        .endif
        .ifc    \fault, from_600
        cmp     $600, %ecx
        jae     .Lforward_\fault
        .endif
        .ifc    \fault, head_first
        lea     -4(%ecx), %edx
        cmp     $4, %edx
        jbe     .Lboth_\fault
        mov     %edi, %edx
        sub     %esi, %edx
        .endif
        cmp     %ecx, %edx
        jb      .Lbackward_\fault
        .endm

        .macro  BACKWARD fault
        std
        .ifc    \fault, backward_rest
        lea     -4(%esi,%ecx), %esi
        lea     -4(%edi,%ecx), %edi
        shr     $2, %ecx
        rep movsl
        .else
        lea     -1(%esi,%ecx), %esi
        lea     -1(%edi,%ecx), %edi
        rep movsb
        .endif
        .ifnc   \fault, df_left
        cld
        .endif
        .endm

        /* 4 to 8 bytes as two words that may share some. */
        .macro  BOTH_ENDS
        mov     (%esi), %edx
        mov     %edx, (%edi)
        mov     -4(%esi,%ecx), %edx
        mov     %edx, -4(%edi,%ecx)
        .endm

        .macro  MOVE fault
FUNC(move32_\fault)
        ENTER_COPY
        CHOOSE  \fault
.Lforward_\fault:
        rep movsb
        LEAVE
.Lbackward_\fault:
        .cfi_adjust_cfa_offset 8
        BACKWARD \fault
        LEAVE
        .ifc    \fault, head_first
.Lboth_\fault:
        .cfi_adjust_cfa_offset 8
        BOTH_ENDS
        LEAVE
        .endif
END_FUNC(move32_\fault)
        .endm

MOVE    right
MOVE    unsigned_addresses
MOVE    forward_always
MOVE    backward_always
MOVE    signed_distance
MOVE    signed_addresses
MOVE    one_above
MOVE    from_600
MOVE    head_first
MOVE    backward_rest
MOVE    df_left
NO_EXEC_STACK
