/* SPDX-License-Identifier: MIT */
/*
 * copy_tail - a copy by words and a tail, one of which stops too early
 *
 *     void *copy32_FAULT(void *dst, const void *src, size_t n);
 *
 * Contract
 *   dst[0, n) = src[0, n), no overlap, returns dst; cdecl
 * Registers
 *   edi  next byte to write
 *   esi  next byte to read
 *   ecx  words or bytes left
 *   edx  n
 */
#include "verify/specimens/i386/cdecl.h"

        .macro  COPY fault
FUNC(copy32_\fault)
        ENTER_COPY
        shr     $2, %ecx
        .ifc    \fault, one_word_less
        cmp     $16, %ecx
        jb      .Lwords\@
        dec     %ecx
.Lwords\@:
        .endif
        rep movsl
        mov     %edx, %ecx
        and     $3, %ecx
        .ifc    \fault, no_tail
        xor     %ecx, %ecx
        .endif
        .ifc    \fault, tail_of_1
        and     $2, %ecx
        .endif
        .ifc    \fault, tail_of_2
        and     $1, %ecx
        .endif
        .ifc    \fault, tail_of_3
        cmp     $3, %ecx
        jne     .Ltail\@
        dec     %ecx
.Ltail\@:
        .endif
        rep movsb
        LEAVE
END_FUNC(copy32_\fault)
        .endm

COPY    whole
COPY    one_word_less
COPY    no_tail
COPY    tail_of_1
COPY    tail_of_2
COPY    tail_of_3
NO_EXEC_STACK
