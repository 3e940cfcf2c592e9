/* SPDX-License-Identifier: MIT */
/*
 * copy_spot - a copy whose last byte is wrong at few sizes or addresses only
 *
 *     void *copy32_FAULT(void *dst, const void *src, size_t n);
 *
 * Contract
 *   dst[0, n) = src[0, n), no overlap, returns dst; cdecl
 * Registers
 *   edi  end of dst after the copy
 *   esi  end of src, then scratch
 *   ecx  bytes left, then scratch
 *   edx  n
 */
#include "verify/specimens/i386/cdecl.h"

        .macro  COPY fault
FUNC(copy32_\fault)
        ENTER_COPY
        rep movsb
        test    %edx, %edx
        jz      .Lend\@
        .ifc    \fault, last_of_15
        cmp     $15, %edx
        jne     .Lend\@
        .endif
        .ifc    \fault, at_4093
        cmp     $4093, %edx
        jne     .Lend\@
        .endif
        .ifc    \fault, gap_512
        lea     -512(%edx), %ecx
        cmp     $4, %ecx
        jae     .Lend\@
        .endif
        .ifc    \fault, from_3000
        cmp     $3000, %edx
        jbe     .Lend\@
        .endif
        .ifc    \fault, src_phase
        mov     SRC, %ecx
        and     $63, %ecx
        cmp     $17, %ecx
        jne     .Lend\@
        .endif
        .ifc    \fault, phase_pair
        mov     SRC, %ecx
        shl     $4, %ecx
        xor     DST, %ecx
        and     $0xff, %ecx
        cmp     $0x31, %ecx
        jne     .Lend\@
        .endif
        .ifc    \fault, alias_4096
        mov     DST, %ecx
        sub     SRC, %ecx
        test    $4095, %ecx
        jnz     .Lend\@
        .endif
        .ifc    \fault, page_cross
        mov     DST, %ecx
        lea     -1(%edi), %esi
        xor     %ecx, %esi
        test    $-4096, %esi
        jz      .Lend\@
        .endif
        .ifnc   \fault, everywhere
        notb    -1(%edi)
        .endif
.Lend\@:
        LEAVE
END_FUNC(copy32_\fault)
        .endm

COPY    everywhere
COPY    last_of_15
COPY    at_4093
COPY    gap_512
COPY    from_3000
COPY    src_phase
COPY    phase_pair
COPY    alias_4096
COPY    page_cross
NO_EXEC_STACK
