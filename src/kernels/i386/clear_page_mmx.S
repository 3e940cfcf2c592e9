/* SPDX-License-Identifier: MIT */
/*
 * clear_page_mmx - zero one 4096-byte page with non-temporal MMX stores
 *
 *     void clear_page_mmx(void *dst);
 *
 * Contract (its machine-readable twin is the section in contracts.ini)
 *   writes    dst[0, 4096), nothing else; every byte exactly once
 *   needs     nothing; no alignment
 *   order     every store is globally visible before ret
 *   state     the interrupted task's x87/MMX state survives bit for bit, pending
 *             exceptions included; MXCSR and vector registers untouched
 *   stack     108 bytes, none below esp
 *   clobbers  eax ecx flags
 *   cpu       mmx sse (movntq, sfence)
 *
 * Registers
 *   dst   eax  next byte to write; dst + 4096 at the end
 *   n     ecx  blocks left, 64 down to 0
 *   zero  mm0
 */
#include "x86/asm.h"

#define dst  eax
#define n    ecx
#define zero mm0

#define DST 4(%esp)

#define PAGE  4096
#define BLOCK 64

/* What fnsave writes; it asks for no alignment. */
#define FRAME 108

FUNC(clear_page_mmx)
        mov     DST, %dst
        sub     $FRAME, %esp
        .cfi_adjust_cfa_offset FRAME

        /* The form without fwait: a pending unmasked exception belongs to the
         * task that is being saved and must not be raised here. */
        fnsave  (%esp)

        mov     $PAGE / BLOCK, %n
        pxor    %zero, %zero

.Lblock:
        movntq  %zero,   (%dst)
        movntq  %zero,  8(%dst)
        movntq  %zero, 16(%dst)
        movntq  %zero, 24(%dst)
        movntq  %zero, 32(%dst)
        movntq  %zero, 40(%dst)
        movntq  %zero, 48(%dst)
        movntq  %zero, 56(%dst)
        add     $BLOCK, %dst

        /* n hits 0 after the last block; jge would take 0 for "one more". */
        dec     %n
        jnz     .Lblock

        sfence

        /* Replaces registers, tags and control word, so no emms is needed. */
        frstor  (%esp)
        add     $FRAME, %esp
        .cfi_adjust_cfa_offset -FRAME
        ret
END_FUNC(clear_page_mmx)
NO_EXEC_STACK
