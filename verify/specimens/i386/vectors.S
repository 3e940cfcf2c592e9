/* SPDX-License-Identifier: MIT */
/*
 * vectors - page copies in kernel code that lose vector registers
 *
 *     void page32_FAULT(void *dst, const void *src);
 *
 * Contract
 *   dst[0, 4096) = src[0, 4096), no overlap; cdecl; every vector bit survives
 * Registers
 *   eax   next byte to write
 *   edx   next byte to read
 *   ecx   blocks left
 *   xmm0  the block in flight
 */
#include "verify/specimens/i386/cdecl.h"

        .macro  PAGE name, reg=xmm0, save, restore
FUNC(page32_\name)
        KEEP    %ebp
        mov     %esp, %ebp
        .cfi_def_cfa_register ebp
        mov     8(%ebp), %eax
        mov     12(%ebp), %edx
        sub     $48, %esp
        and     $-32, %esp
        \save
        mov     $256, %ecx
.Lblock_\name:
        movups  (%edx), %\reg
        movups  %\reg, (%eax)
        add     $16, %edx
        add     $16, %eax
        dec     %ecx
        jnz     .Lblock_\name
        \restore
        mov     %ebp, %esp
        .cfi_def_cfa_register esp
        GIVE    %ebp
        ret
END_FUNC(page32_\name)
        .endm

PAGE    xmm0_lost
PAGE    xmm0_kept, xmm0, "movaps %xmm0, (%esp)", "movaps (%esp), %xmm0"
PAGE    xmm0_half, xmm0, "movlps %xmm0, (%esp)", "movlps (%esp), %xmm0"
PAGE    xmm7_lost, xmm7
PAGE    ymm0_lost, xmm0, "movaps %xmm0, (%esp)", "vmovaps (%esp), %xmm0"
PAGE    ymm0_kept, xmm0, "vmovaps %ymm0, (%esp)", "vmovaps (%esp), %ymm0"

        /* User code with 256-bit registers; legacy code after it pays for dirty ones. */
        .macro  WIDE name, clean
FUNC(page32_\name)
        mov     4(%esp), %eax
        mov     8(%esp), %edx
        mov     $128, %ecx
.Lblock_\name:
        vmovdqu (%edx), %ymm1
        vmovdqu %ymm1, (%eax)
        add     $32, %edx
        add     $32, %eax
        dec     %ecx
        jnz     .Lblock_\name
        \clean
        ret
END_FUNC(page32_\name)
        .endm

WIDE    upper_left
WIDE    upper_clean, vzeroupper

        /* The fifth call and all after it also lose the last byte. */
FUNC(page32_fifth_call)
        mov     4(%esp), %eax
        mov     8(%esp), %edx
        mov     $128, %ecx
.Lblock_fifth_call:
        vmovdqu (%edx), %ymm1
        vmovdqu %ymm1, (%eax)
        add     $32, %edx
        add     $32, %eax
        dec     %ecx
        jnz     .Lblock_fifth_call
        incl    .Lcalls
        cmpl    $5, .Lcalls
        jb      .Lend
        notb    -1(%eax)
.Lend:
        ret
END_FUNC(page32_fifth_call)
        .local  .Lcalls
        .comm   .Lcalls, 4, 4
NO_EXEC_STACK
