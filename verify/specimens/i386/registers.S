/* SPDX-License-Identifier: MIT */
/*
 * registers - sound copies that lose a register their caller keeps values in
 *
 *     void *copy32_FAULT(void *dst, const void *src, size_t n);
 *
 * Contract
 *   dst[0, n) = src[0, n), no overlap, returns dst; cdecl: ebx, esi, edi and ebp survive
 * Registers
 *   eax  dst
 *   edi  next byte to write
 *   esi  next byte to read
 *   ecx  bytes left
 *   edx  n
 */
#include "verify/specimens/i386/cdecl.h"

        .macro  COPY name, before, after
FUNC(copy32_\name)
        ENTER_COPY
        \before
        rep movsb
        \after
        LEAVE
END_FUNC(copy32_\name)
        .endm

COPY    ebx_lost, "mov %ecx, %ebx"
COPY    ebx_kept, "KEEP %ebx; mov %ecx, %ebx", "GIVE %ebx"
COPY    ebp_lost, "lea (%edi,%ecx), %ebp"
COPY    ebp_kept, "KEEP %ebp; lea (%edi,%ecx), %ebp", "GIVE %ebp"
COPY    ebx_low_byte_lost, "mov %cl, %bl"
COPY    ebx_low_byte_kept, "KEEP %ebx; mov %cl, %bl", "GIVE %ebx"
COPY    ebx_ebp_swapped, "KEEP %ebx; KEEP %ebp", "GIVE %ebx; GIVE %ebp"
COPY    ebx_ebp_kept, "KEEP %ebx; KEEP %ebp", "GIVE %ebp; GIVE %ebx"
COPY    ebp_lost_from_1024, "cmp $1024, %ecx; jb 1f; mov %ecx, %ebp; 1:"

        .macro  BARE name, lost
FUNC(copy32_\name)
        .ifnc   \lost, esi
        KEEP    %esi
        mov     8(%esp), %edx
        mov     12(%esp), %esi
        mov     16(%esp), %ecx
        mov     %edx, %edi
        .else
        mov     4(%esp), %eax
        mov     8(%esp), %esi
        mov     12(%esp), %ecx
        mov     %edi, %edx
        mov     %eax, %edi
        .endif
        rep movsb
        .ifnc   \lost, esi
        mov     %edx, %eax
        GIVE    %esi
        .else
        mov     %edx, %edi
        .endif
        ret
END_FUNC(copy32_\name)
        .endm

BARE    edi_lost, edi
BARE    esi_lost, esi

        /* The short way out forgets what the long one restores. */
        .macro  SHORT name, faulty
FUNC(copy32_\name)
        KEEP    %ebx
        mov     8(%esp), %eax
        mov     16(%esp), %ebx
        test    %ebx, %ebx
        jz      .Lnothing_\name
        KEEP    %esi
        KEEP    %edi
        mov     %eax, %edi
        mov     20(%esp), %esi
        mov     %ebx, %ecx
        rep movsb
        GIVE    %edi
        GIVE    %esi
.Lnothing_\name:
        .if     \faulty
        cmp     $1, %ebx
        jae     .Lrestore_\name
        add     $4, %esp
        ret
.Lrestore_\name:
        .endif
        GIVE    %ebx
        ret
END_FUNC(copy32_\name)
        .endm

SHORT   ebx_lost_at_zero, 1
SHORT   ebx_kept_at_zero, 0
NO_EXEC_STACK
