/* SPDX-License-Identifier: MIT */
/*
 * sizes - lengths compared as signed numbers, so that 2 GiB and more copy nothing
 *
 *     void *sizes32_FAULT(void *dst, const void *src, size_t n);
 *
 * Contract
 *   dst[0, n) = src[0, n), no overlap, returns dst; cdecl
 * Registers
 *   eax  dst
 *   edi  next byte to write
 *   esi  next byte to read
 *   ecx  bytes left
 */
#include "verify/specimens/i386/cdecl.h"

        /* Ends at once: jle after a test, js after a subtraction. */
        .macro  EARLY name, jump
FUNC(sizes32_\name)
        ENTER_COPY
        test    %ecx, %ecx
        \jump   .Lend_\name
        rep movsb
.Lend_\name:
        LEAVE
END_FUNC(sizes32_\name)
        .endm

        /* A loop over blocks of 16 bytes that stops on the sign or on the borrow. */
        .macro  BLOCKS name, jump
FUNC(sizes32_\name)
        ENTER_COPY
.Lblock_\name:
        cmp     $16, %edx
        \jump   .Ltail_\name
        mov     $4, %ecx
        rep movsl
        sub     $16, %edx
        jmp     .Lblock_\name
.Ltail_\name:
        mov     %edx, %ecx
        and     $15, %ecx
        rep movsb
        LEAVE
END_FUNC(sizes32_\name)
        .endm

EARLY   jle, jle
EARLY   js, js
EARLY   jz, jz
BLOCKS  jl, jl
BLOCKS  jb, jb
NO_EXEC_STACK
