/* SPDX-License-Identifier: MIT */
/*
 * x87 - copies through MMX registers, and what they leave of the x87 unit
 *
 *     void x87_32_FAULT(void *dst, const void *src);        4096 bytes
 *     void *mmx32_FAULT(void *dst, const void *src, size_t n);
 *
 * Contract
 *   dst = src, no overlap; cdecl; user code leaves x87 empty and its control word alone,
 *   kernel code leaves every bit alone
 * Registers
 *   eax, edi  next byte to write
 *   edx, esi  next byte to read
 *   ecx       words left
 *   mm0       the word in flight
 */
#include "verify/specimens/i386/cdecl.h"

        .macro  PAGE name, before, after
FUNC(x87_32_\name)
        mov     4(%esp), %eax
        mov     8(%esp), %edx
        sub     $108, %esp
        .cfi_adjust_cfa_offset 108
        \before
        mov     $512, %ecx
.Lword_page_\name:
        movq    (%edx), %mm0
        movq    %mm0, (%eax)
        add     $8, %edx
        add     $8, %eax
        dec     %ecx
        jnz     .Lword_page_\name
        \after
        add     $108, %esp
        .cfi_adjust_cfa_offset -108
        ret
END_FUNC(x87_32_\name)
        .endm

PAGE    emms, "", emms
PAGE    restored, "fnsave (%esp)", "frstor (%esp)"
PAGE    restored_wait, "fsave (%esp)", "frstor (%esp)"
/* fsave in place of frstor: the task goes on with an empty unit. */
PAGE    saved_twice, "fsave (%esp)", "fsave (%esp)"
PAGE    saved_never_restored, "fsave (%esp)"
PAGE    environment_only, "fnstenv (%esp)", "fldenv (%esp)"

        .macro  COPY name, before, after
FUNC(mmx32_\name)
        ENTER_COPY
        \before
        shr     $3, %ecx
        jz      .Ltail_\name
.Lword_mmx_\name:
        movq    (%esi), %mm0
        movq    %mm0, (%edi)
        add     $8, %esi
        add     $8, %edi
        dec     %ecx
        jnz     .Lword_mmx_\name
.Ltail_\name:
        mov     %edx, %ecx
        and     $7, %ecx
        rep movsb
        \after
        LEAVE
END_FUNC(mmx32_\name)
        .endm

COPY    emms, "", emms
COPY    no_emms
COPY    no_emms_short, "", "cmp $64, %edx; jb 1f; emms; 1:"
COPY    precision_left, "", "emms; KEEP $0x27f; fldcw (%esp); GIVE %ecx"
COPY    rounding_at_odd, "", "emms; test $1, %dl; jz 1f; KEEP $0xf7f; fldcw (%esp); GIVE %ecx; 1:"
COPY    control_restored, "sub $4, %esp; fnstcw (%esp); KEEP $0x27f; fldcw (%esp); GIVE %ecx; mov %edx, %ecx", "emms; fldcw (%esp); add $4, %esp"
COPY    top_moved, "", "emms; fincstp"
COPY    top_restored, "", "emms; fincstp; fdecstp"
NO_EXEC_STACK
