/* SPDX-License-Identifier: MIT */
/*
 * old_pages - page routines of the first movntq days, with the faults they had
 *
 *     void old32_FAULT(void *dst, const void *src);          copy of a page
 *     void old32_clear_FAULT(void *dst);                     clear a page
 *     eax = dst, edx = src, ecx = area: old32_area_FAULT     state saved in an operand
 *
 * Contract
 *   dst[0, 4096) = src[0, 4096) or 0, no overlap; x87 empty at return; drained
 * Registers
 *   eax      next byte to write
 *   edx      next byte to read
 *   ecx      blocks left
 *   mm0-mm7  the block in flight; mm0 or xmm0 zero
 */
#include "verify/specimens/i386/cdecl.h"

        .macro  BLOCK_64
        .irp    i, 0, 1, 2, 3, 4, 5, 6, 7
        movq    8 * \i(%edx), %mm\i
        .endr
        .irp    i, 0, 1, 2, 3, 4, 5, 6, 7
        movntq  %mm\i, 8 * \i(%eax)
        .endr
        .endm

        /* dec; jge takes 0 for "one more". */
        .macro  COPY name, jump, blocks, times, end
FUNC(old32_\name)
        mov     4(%esp), %eax
        mov     8(%esp), %edx
        mov     $\blocks, %ecx
.Lblock_\name:
        .rept   \times
        BLOCK_64
        add     $64, %eax
        add     $64, %edx
        .endr
        dec     %ecx
        \jump   .Lblock_\name
        sfence
        \end
        ret
END_FUNC(old32_\name)
        .endm

COPY    right, jnz, 64, 1, emms
COPY    block_65, jge, 64, 1, emms
COPY    right_128, jnz, 32, 2, emms
COPY    block_33, jge, 32, 2, emms
COPY    block_63, jnz, 63, 1, emms
COPY    no_emms, jnz, 64, 1
COPY    femms, jnz, 64, 1, femms

        .macro  CLEAR name, jump, end
FUNC(old32_clear_\name)
        mov     4(%esp), %eax
        mov     $64, %ecx
        pxor    %mm0, %mm0
.Lblock_clear_\name:
        .irp    i, 0, 1, 2, 3, 4, 5, 6, 7
        movntq  %mm0, 8 * \i(%eax)
        .endr
        add     $64, %eax
        dec     %ecx
        \jump   .Lblock_clear_\name
        sfence
        \end
        ret
END_FUNC(old32_clear_\name)
        .endm

CLEAR   right, jnz, emms
CLEAR   block_65, jge, emms
CLEAR   no_emms, jnz

        .macro  CLEAR_128 name, jump
FUNC(old32_clear_\name)
        mov     4(%esp), %eax
        mov     $32, %ecx
        xorps   %xmm0, %xmm0
.Lblock_clear_\name:
        .irp    i, 0, 1, 2, 3, 4, 5, 6, 7
        movntps %xmm0, 16 * \i(%eax)
        .endr
        sub     $-128, %eax
        dec     %ecx
        \jump   .Lblock_clear_\name
        sfence
        ret
END_FUNC(old32_clear_\name)
        .endm

CLEAR_128 right_128, jnz
CLEAR_128 block_33, jge

        /* The area is an input of the asm statement, and fsave writes it. */
        .macro  AREA name, save, restore
FUNC(old32_area_\name)
        KEEP    %ebx
        mov     %ecx, %ebx
        sub     $108, %esp
        .cfi_adjust_cfa_offset 108
        \save
        mov     $64, %ecx
.Lblock_area_\name:
        BLOCK_64
        add     $64, %eax
        add     $64, %edx
        dec     %ecx
        jnz     .Lblock_area_\name
        sfence
        \restore
        add     $108, %esp
        .cfi_adjust_cfa_offset -108
        GIVE    %ebx
        ret
END_FUNC(old32_area_\name)
        .endm

AREA    input, "fsave (%ebx)", "frstor (%ebx)"
AREA    own, "fsave (%esp)", "frstor (%esp)"

        /* What both of them are compared with. */
FUNC(old32_area_reference)
        KEEP    %esi
        KEEP    %edi
        mov     %eax, %edi
        mov     %edx, %esi
        mov     $1024, %ecx
        rep movsl
        GIVE    %edi
        GIVE    %esi
        ret
END_FUNC(old32_area_reference)
NO_EXEC_STACK
