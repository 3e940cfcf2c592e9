/* SPDX-License-Identifier: MIT */
/*
 * lossy - copies through floating-point registers
 *
 *     void *lossy32_WAY(void *dst, const void *src, size_t n);
 *
 * Contract
 *   dst[0, n) = src[0, n) whatever the bytes mean, no overlap, returns dst; cdecl
 * Registers
 *   eax  dst
 *   edi  next byte to write
 *   esi  next byte to read
 *   ecx  bytes left
 *
 * fldl and flds quiet signalling NaNs.  fildll is exact: any 64-bit integer fits the
 * mantissa, and neither rounding nor precision control touches it.
 */
#include "verify/specimens/i386/cdecl.h"

        .macro  LOSSY name, load, store, len, between
FUNC(lossy32_\name)
        ENTER_COPY
.Lblock_\name:
        sub     $\len, %ecx
        jb      .Ltail_\name
        \load
        \between
        \store
        add     $\len, %esi
        add     $\len, %edi
        jmp     .Lblock_\name
.Ltail_\name:
        add     $\len, %ecx
        rep movsb
        LEAVE
END_FUNC(lossy32_\name)
        .endm

LOSSY   fldl, "fldl (%esi)", "fstpl (%edi)", 8
LOSSY   flds, "flds (%esi)", "fstps (%edi)", 4
LOSSY   fildll, "fildll (%esi)", "fistpll (%edi)", 8
LOSSY   cvt, "cvtps2pd (%esi), %xmm0", "movlps %xmm0, (%edi)", 8, "cvtpd2ps %xmm0, %xmm0"
LOSSY   minps, "movups (%esi), %xmm0", "movups %xmm0, (%edi)", 16, "minps %xmm0, %xmm0"
LOSSY   subss, "movss (%esi), %xmm0", "movss %xmm0, (%edi)", 4, "pxor %xmm1, %xmm1; subss %xmm1, %xmm0"
LOSSY   movups, "movups (%esi), %xmm0", "movups %xmm0, (%edi)", 16
LOSSY   movq, "movq (%esi), %xmm0", "movq %xmm0, (%edi)", 8
NO_EXEC_STACK
