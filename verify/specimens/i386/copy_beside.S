/* SPDX-License-Identifier: MIT */
/*
 * copy_beside - a copy that also writes or reads beside its buffers, or writes its source
 *
 *     void *copy32_FAULT(void *dst, const void *src, size_t n);
 *
 * Contract
 *   dst[0, n) = src[0, n), no overlap, returns dst; cdecl; reads nothing outside src
 * Registers
 *   eax  dst
 *   edi  next byte to write
 *   esi  next byte to read
 *   ecx  bytes left
 *   edx  n, then scratch
 */
#include "verify/specimens/i386/cdecl.h"

        .macro  COPY fault
FUNC(copy32_\fault)
        ENTER_COPY
        .ifc    \fault, block_of_64
        add     $63, %ecx
        and     $-64, %ecx
        .endif
        .ifc    \fault, under_read
        mov     -4(%esi), %edx
        .endif
        .ifc    \fault, read_at_zero
        mov     (%esi), %dl
        .endif
        .ifc    \fault, over_read
        mov     -1(%esi,%ecx), %edx
        .endif
        .ifc    \fault, read_ahead
        mov     64(%esi,%ecx), %dl
        .endif
        .ifc    \fault, source_toggled
        jecxz   .Lbytes\@
        notb    (%esi)
        notb    (%esi)
        .endif
        .ifc    \fault, source_xchg
        jecxz   .Lbytes\@
        mov     (%esi), %dl
        xchg    %dl, (%esi)
        .endif
.Lbytes\@:
        rep movsb
        .ifc    \fault, one_before
        notb    -1(%eax)
        .endif
        .ifc    \fault, eight_for_four
        cmp     $4, %edx
        jne     .Lend\@
        mov     %edx, (%edi)
        .endif
        .ifc    \fault, one_past
        movb    $0, (%edi)
        .endif
        .ifc    \fault, far_above
        movb    $0x5a, 4096(%edi)
        .endif
        .ifc    \fault, far_below
        movb    $0x5a, -8192(%eax)
        .endif
        .ifc    \fault, source_written
        cmp     $32, %edx
        jb      .Lend\@
        movb    $0x5a, -1(%esi)
        .endif
.Lend\@:
        LEAVE
END_FUNC(copy32_\fault)
        .endm

COPY    inside
COPY    eight_for_four
COPY    block_of_64
COPY    one_before
COPY    one_past
COPY    far_above
COPY    far_below
COPY    under_read
COPY    over_read
COPY    read_ahead
COPY    read_at_zero
COPY    source_written
COPY    source_toggled
COPY    source_xchg
NO_EXEC_STACK
