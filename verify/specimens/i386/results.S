/* SPDX-License-Identifier: MIT */
/*
 * results - sound copies that return the wrong thing
 *
 *     void *copy32_FAULT(void *dst, const void *src, size_t n);
 *
 * Contract
 *   dst[0, n) = src[0, n), no overlap, cdecl; returns dst, dst + n, n or zero
 * Registers
 *   eax  result
 *   edi  next byte to write
 *   esi  next byte to read
 *   ecx  bytes left
 *   edx  n
 */
#include "verify/specimens/i386/cdecl.h"

        .macro  COPY name, result, also
FUNC(copy32_\name)
        ENTER_COPY
        rep movsb
        \result
        \also
        LEAVE
END_FUNC(copy32_\name)
        .endm

COPY    returns_dst
COPY    returns_src, "mov 16(%esp), %eax"
COPY    returns_end, "mov %edi, %eax"
COPY    returns_last, "lea -1(%edi), %eax"
COPY    returns_rounded, "mov %edi, %eax", "and $-4, %eax"
COPY    returns_n, "mov %edx, %eax"
COPY    returns_zero, "xor %eax, %eax"
COPY    returns_carry, "cmp $1000, %edx", "sbb %eax, %eax"
COPY    returns_null_at_zero, "cmp $1, %edx", "cmc; sbb %ecx, %ecx; and %ecx, %eax"
NO_EXEC_STACK
