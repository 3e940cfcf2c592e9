/* SPDX-License-Identifier: MIT */
/*
 * set - memset with a wrong fill or a wrong end
 *
 *     void *set32_FAULT(void *dst, int c, size_t n);
 *
 * Contract
 *   dst[0, n) = low byte of c, returns dst; cdecl
 * Registers
 *   edi  next byte to write
 *   eax  fill byte four times
 *   ecx  words or bytes left
 *   edx  n
 */
#include "verify/specimens/i386/cdecl.h"

        .macro  FILL_WORD fault
        .ifc    \fault, upper_bits
        imul    $0x01010101, FILL, %eax
        .endif
        .ifc    \fault, saturated
        cmpl    $255, FILL
        jbe     .Lfill_\fault
        mov     $-1, %eax
.Lfill_\fault:
        .endif
        .ifc    \fault, negative_as_zero
        testb   $0x80, FILL
        jz      .Lfill_\fault
        xor     %eax, %eax
.Lfill_\fault:
        .endif
        .ifc    \fault, fe_for_ff
        cmp     $-1, %eax
        jne     .Lfill_\fault
        mov     $0xfefefefe, %eax
.Lfill_\fault:
        .endif
        .ifc    \fault, half_words
        movzwl  %ax, %eax
        .endif
        .endm

        .macro  TAIL fault
        .ifc    \fault, tail_halved
        shr     $1, %ecx
        .endif
        .ifc    \fault, even_tail
        inc     %ecx
        and     $-2, %ecx
        .endif
        .ifc    \fault, once_at_least
        cmp     $1, %edx
        adc     $0, %ecx
        .endif
        .endm

        .macro  SET fault
FUNC(set32_\fault)
        ENTER_SET
        FILL_WORD \fault
        .ifc    \fault, from_word
        and     $-4, %edi
        .endif
        .ifc    \fault, words_rounded
        add     $3, %ecx
        mov     $0, %edx
        .endif
        .ifc    \fault, words_only
        mov     $0, %edx
        .endif
        shr     $2, %ecx
        rep stosl
        mov     %edx, %ecx
        and     $3, %ecx
        TAIL    \fault
        rep stosb
        .ifc    \fault, past_by_16
        cmp     $256, %edx
        jb      .Lend_\fault
        mov     $4, %ecx
        rep stosl
.Lend_\fault:
        .endif
        LEAVE_DST
END_FUNC(set32_\fault)
        .endm

SET     right
SET     upper_bits
SET     saturated
SET     negative_as_zero
SET     fe_for_ff
SET     half_words
SET     tail_halved
SET     even_tail
SET     once_at_least
SET     from_word
SET     words_rounded
SET     words_only
SET     past_by_16

        /* Counts before it looks: no bytes are four thousand million. */
FUNC(set32_counts_to_zero)
        ENTER_SET
.Lbyte:
        stosb
        dec     %ecx
        jnz     .Lbyte
        LEAVE_DST
END_FUNC(set32_counts_to_zero)
NO_EXEC_STACK
