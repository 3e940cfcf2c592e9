/* SPDX-License-Identifier: MIT */
/*
 * clear_page_avx2_nt - zero one 4096-byte page with non-temporal 32-byte stores
 *
 *     void clear_page_avx2_nt(void *dst);
 *
 * Contract (its machine-readable twin is the section in contracts.ini)
 *   writes    dst[0, 4096), nothing else; every byte exactly once
 *   needs     dst 32-byte aligned
 *   order     every store is globally visible before ret
 *   state     x87/MMX and MXCSR untouched; all upper YMM halves clean at ret
 *   clobbers  eax ecx ymm0, upper halves of ymm1-ymm7, flags
 *   cpu       avx2, sse (sfence)
 *
 * Registers
 *   dst   eax   next byte to write; dst + 4096 at the end
 *   n     ecx   blocks left, 32 down to 0
 *   zero  ymm0
 */
#include "x86/asm.h"

#define dst  eax
#define n    ecx
#define zero ymm0

#define DST 4(%esp)

#define PAGE  4096
#define BLOCK 128

FUNC(clear_page_avx2_nt)
        mov     DST, %dst
        mov     $PAGE / BLOCK, %n
        vpxor   %zero, %zero, %zero

.Lblock:
        vmovntdq %zero,   (%dst)
        vmovntdq %zero, 32(%dst)
        vmovntdq %zero, 64(%dst)
        vmovntdq %zero, 96(%dst)
        add     $BLOCK, %dst
        dec     %n
        jnz     .Lblock

        sfence
        vzeroupper
        ret
END_FUNC(clear_page_avx2_nt)
NO_EXEC_STACK
