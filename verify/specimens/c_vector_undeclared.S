/* SPDX-License-Identifier: MIT */
/*
 * vector_undeclared - is called from inline asm and changes a vector that is not listed
 *
 *     rdi = dst, rcx = n, no C prototype fits: vector_undeclared
 *
 * Contract  dst[0, n) = 0 for n a multiple of 16; only rcx, rdi and xmm0 may change
 * Fault     vector-changed: xmm1 is not in the clobber list
 * Twin      vector_undeclared_ok uses xmm0
 *
 * Registers
 *   dst  rdi  next byte to write
 *   n    rcx  bytes left
 *   zero xmm0, or xmm1 where it should not be
 */
#include "x86/asm.h"

.macro ZERO vector
        pxor    %\vector, %\vector
        test    %rcx, %rcx
        jz      .Ldone\@
.Lblock\@:
        movdqu  %\vector, (%rdi)
        add     $16, %rdi
        sub     $16, %rcx
        jnz     .Lblock\@
.Ldone\@:
        ret
.endm

FUNC(vector_undeclared)
        ZERO    xmm1
END_FUNC(vector_undeclared)

FUNC(vector_undeclared_ok)
        ZERO    xmm0
END_FUNC(vector_undeclared_ok)
NO_EXEC_STACK
