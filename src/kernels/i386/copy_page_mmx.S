/* SPDX-License-Identifier: MIT */
/*
 * copy_page_mmx - copy one 4096-byte page with non-temporal MMX stores
 *
 *     void copy_page_mmx(void *dst, const void *src);
 *
 * Contract (its machine-readable twin is the section in contracts.ini)
 *   reads     src[0, 4096), nothing else
 *   writes    dst[0, 4096), nothing else; every byte exactly once
 *   needs     the pages must not overlap; no alignment
 *   order     every store is globally visible before ret
 *   state     the interrupted task's x87/MMX state survives bit for bit, pending
 *             exceptions included; MXCSR and vector registers untouched
 *   stack     108 bytes, none below esp
 *   clobbers  eax ecx edx flags
 *   cpu       mmx sse (movntq, sfence)
 *
 * Registers
 *   dst  eax  next byte to write; dst + 4096 at the end
 *   src  edx  next byte to read;  src + 4096 at the end
 *   n    ecx  blocks left, 64 down to 0
 *   mm0-mm7   the block in flight, 8 bytes each; no bit pattern is changed by the way
 */
#include "x86/asm.h"

#define dst eax
#define src edx
#define n   ecx

#define DST 4(%esp)
#define SRC 8(%esp)

#define PAGE  4096
#define BLOCK 64

/* What fnsave writes; it asks for no alignment. */
#define FRAME 108

FUNC(copy_page_mmx)
        mov     DST, %dst
        mov     SRC, %src
        sub     $FRAME, %esp
        .cfi_adjust_cfa_offset FRAME

        /* The form without fwait: a pending unmasked exception belongs to the
         * task that is being saved and must not be raised here. */
        fnsave  (%esp)

        mov     $PAGE / BLOCK, %n

.Lblock:
        movq      (%src), %mm0
        movq     8(%src), %mm1
        movq    16(%src), %mm2
        movq    24(%src), %mm3
        movq    32(%src), %mm4
        movq    40(%src), %mm5
        movq    48(%src), %mm6
        movq    56(%src), %mm7
        movntq  %mm0,   (%dst)
        movntq  %mm1,  8(%dst)
        movntq  %mm2, 16(%dst)
        movntq  %mm3, 24(%dst)
        movntq  %mm4, 32(%dst)
        movntq  %mm5, 40(%dst)
        movntq  %mm6, 48(%dst)
        movntq  %mm7, 56(%dst)
        add     $BLOCK, %src
        add     $BLOCK, %dst

        /* n hits 0 after the last block; jge would take 0 for "one more". */
        dec     %n
        jnz     .Lblock

        sfence

        /* Replaces registers, tags and control word, so no emms is needed.  A
         * second fnsave here would look alike and lose the task's state. */
        frstor  (%esp)
        add     $FRAME, %esp
        .cfi_adjust_cfa_offset -FRAME
        ret
END_FUNC(copy_page_mmx)
NO_EXEC_STACK
