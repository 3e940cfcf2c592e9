/* SPDX-License-Identifier: MIT */
/*
 * regparm - arguments in eax, edx and ecx, as in 32-bit kernel code
 *
 *     void *regparm_FAULT(void *dst, const void *src, size_t n);
 *     void *regparm_limit(void *dst, const void *src, size_t n, size_t limit);
 *
 * Contract
 *   dst[0, n) = src[0, n), no overlap, returns dst; regparm(3); ebx, esi, edi, ebp survive
 * Registers
 *   eax  dst
 *   edx  src
 *   ecx  n, then bytes left
 */
#include "verify/specimens/i386/cdecl.h"

        .macro  COPY name, before, after
FUNC(regparm_\name)
        KEEP    %esi
        KEEP    %edi
        \before
        mov     %eax, %edi
        mov     %edx, %esi
        rep movsb
        \after
        GIVE    %edi
        GIVE    %esi
        ret
END_FUNC(regparm_\name)
        .endm

COPY    right
COPY    saves_all, "KEEP %ecx; KEEP %edx; KEEP %ebx", "GIVE %ebx; GIVE %edx; GIVE %ecx"
COPY    cdecl, "mov 12(%esp), %eax; mov 16(%esp), %edx; mov 20(%esp), %ecx"
COPY    n_on_stack, "mov 12(%esp), %ecx"
COPY    swapped, "xchg %eax, %edx"
COPY    src_in_ecx, "xchg %edx, %ecx"
COPY    returns_end, "", "mov %edi, %eax"
COPY    ebx_lost, "mov %ecx, %ebx"
COPY    tail_lost, "and $-4, %ecx"
COPY    callee_pops, "", "GIVE %edi; GIVE %esi; ret $4"

        /* Gives up when n exceeds the fourth argument, which stands on the stack. */
        .macro  LIMIT name, limit
FUNC(regparm_\name)
        cmp     \limit, %ecx
        ja      .Ltoo_long_\name
        KEEP    %esi
        KEEP    %edi
        mov     %eax, %edi
        mov     %edx, %esi
        rep movsb
        GIVE    %edi
        GIVE    %esi
.Ltoo_long_\name:
        ret
END_FUNC(regparm_\name)
        .endm

LIMIT   limit, 4(%esp)
LIMIT   limit_in_ebx, %ebx
LIMIT   limit_too_high, 8(%esp)

        /* esi is used without being saved. */
FUNC(regparm_esi_lost)
        KEEP    %edi
        mov     %eax, %edi
        mov     %edx, %esi
        rep movsb
        GIVE    %edi
        ret
END_FUNC(regparm_esi_lost)
NO_EXEC_STACK
