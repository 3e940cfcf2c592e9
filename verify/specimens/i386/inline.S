/* SPDX-License-Identifier: MIT */
/*
 * inline - routines called from inline asm, which says which registers may change
 *
 *     edi = dst, ecx = n, eax = 0: zero32_FAULT
 *     edi = dst, esi = src, ecx = n: left32_FAULT, bytes left in ecx
 *
 * Contract
 *   zero32: dst[0, n) = 0; only edi, ecx and eax may change
 *   left32: dst[0, n) = src[0, n); ecx = 0 after it; only esi and edi may change, too
 * Registers
 *   edi  next byte to write
 *   esi  next byte to read
 *   ecx  bytes left
 */
#include "verify/specimens/i386/cdecl.h"

        .macro  ZERO name, before, after
FUNC(zero32_\name)
        \before
        rep stosb
        \after
        ret
END_FUNC(zero32_\name)
        .endm

ZERO    right
ZERO    by_words, "KEEP %edx; mov %ecx, %edx; shr $2, %ecx; rep stosl; mov %edx, %ecx; and $3, %ecx", "GIVE %edx"
ZERO    edx_lost, "mov %ecx, %edx; shr $2, %ecx; rep stosl; mov %edx, %ecx; and $3, %ecx"
ZERO    ebx_lost, "mov %edi, %ebx", ""
ZERO    wrong_tail, "KEEP %ecx; shr $2, %ecx; rep stosl; GIVE %ecx; and $1, %ecx"
ZERO    eax_as_count, "mov %eax, %ecx"
ZERO    eax_lost, "", "mov %edi, %eax"

        .macro  LEFT name, before, after
FUNC(left32_\name)
        \before
        rep movsb
        \after
        ret
END_FUNC(left32_\name)
        .endm

LEFT    right
LEFT    all_left, "KEEP %ecx", "GIVE %ecx"
LEFT    in_eax, "", "xor %eax, %eax; mov $1, %cl"
LEFT    eax_lost, "mov %ecx, %eax"
NO_EXEC_STACK
