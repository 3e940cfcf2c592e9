/* SPDX-License-Identifier: MIT */
/*
 * clear_page_clzero - zero one 4096-byte page a cache line at a time (AMD)
 *
 *     void clear_page_clzero(void *dst);
 *
 * Contract (its machine-readable twin is the section in contracts.ini)
 *   writes    dst[0, 4096), nothing else; every byte exactly once
 *   needs     dst 64-byte aligned: clzero clears the line that the address is in, so
 *             other addresses would reach bytes before dst and miss the last ones;
 *             lines of 64 bytes, as on every CPU that has clzero
 *   order     every store is globally visible before ret
 *   state     x87/MMX, MXCSR and all vector registers untouched
 *   clobbers  rax rcx flags
 *   cpu       clzero, sse (sfence)
 *
 * Registers
 *   line  rax  next line to clear, where clzero looks for it; dst + 4096 at the end
 *   n     ecx  lines left, 64 down to 0
 */
#include "x86/asm.h"

#define dst  rdi
#define line rax
#define n    ecx

#define PAGE 4096
#define LINE 64

FUNC(clear_page_clzero)
        mov     %dst, %line
        mov     $PAGE / LINE, %n

.Lline:
        clzero
        add     $LINE, %line
        dec     %n
        jnz     .Lline

        /* Ordered as weakly as a non-temporal store (APM vol. 3, CLZERO). */
        sfence
        ret
END_FUNC(clear_page_clzero)
NO_EXEC_STACK
