/* SPDX-License-Identifier: MIT */
/*
 * set_wide - elements of 16 and 32 bits filled by half, by byte, or by too many bytes
 *
 *     uint16_t *wide32_FAULT(uint16_t *dst, uint16_t c, size_t n);
 *     uint32_t *wide32_FAULT(uint32_t *dst, uint32_t c, size_t n);
 *
 * Contract
 *   dst[0, n) = c, returns dst; cdecl; n counts elements
 * Registers
 *   edi  next element
 *   eax  fill
 *   ecx  elements left
 */
#include "verify/specimens/i386/cdecl.h"

        .macro  WIDE name, store, prepare
FUNC(wide32_\name)
        ENTER
        mov     FILL, %eax
        mov     N, %ecx
        \prepare
        rep \store
        LEAVE_DST
END_FUNC(wide32_\name)
        .endm

WIDE    words, stosw
WIDE    words_low_byte, stosw, "movzbl %al, %eax"
WIDE    words_as_bytes, stosb
WIDE    words_as_longs, stosl
WIDE    longs, stosl
WIDE    longs_low_half, stosl, "movzwl %ax, %eax"
WIDE    longs_as_words, stosw
NO_EXEC_STACK
