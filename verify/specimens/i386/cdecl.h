/* SPDX-License-Identifier: MIT */
/*
 * cdecl.h - how i386 specimens of the plain ABI begin and end
 *
 * All arguments stand on the caller's stack, and the code may write them (psABI i386,
 * 2.2.3).  Between ENTER and LEAVE they are called DST, SRC or FILL, and N; eax is
 * the result.
 *
 * Depends on: x86/asm.h.
 */
#ifndef FNP_SPECIMENS_CDECL_H
#define FNP_SPECIMENS_CDECL_H

#include "x86/asm.h"

/* clang-format off */
#define DST   12(%esp)
#define SRC   16(%esp)
#define FILL  16(%esp)
#define N     20(%esp)
#define ABOVE 24(%esp) /* the caller's own, behind three arguments */

        .macro  KEEP reg
        push    \reg
        .cfi_adjust_cfa_offset 4
        .endm

        .macro  GIVE reg
        pop     \reg
        .cfi_adjust_cfa_offset -4
        .endm

        .macro  ENTER
        KEEP    %esi
        KEEP    %edi
        mov     DST, %edi
        mov     %edi, %eax
        .endm

        .macro  LEAVE
        GIVE    %edi
        GIVE    %esi
        ret
        .endm

        /* edi = dst, esi = src, ecx = edx = n */
        .macro  ENTER_COPY
        ENTER
        mov     SRC, %esi
        mov     N, %ecx
        mov     %ecx, %edx
        .endm

        /* edi = dst, eax = fill byte four times, ecx = edx = n */
        .macro  ENTER_SET
        ENTER
        movzbl  FILL, %eax
        imul    $0x01010101, %eax, %eax
        mov     N, %ecx
        mov     %ecx, %edx
        .endm

        .macro  LEAVE_DST
        mov     DST, %eax
        LEAVE
        .endm
/* clang-format on */

#endif
