/* SPDX-License-Identifier: MIT */
/*
 * both.h - specimens that are one source in both widths
 *
 * The registers have names without a width, and between ENTER and LEAVE they hold the
 * same things: xdi dst, xsi src, xcx and xdx n, xax dst again.  A function of 32-bit code
 * has _i386 behind its name; i386/NAME.S includes NAME.S.
 *
 * Depends on: x86/asm.h, i386/cdecl.h.
 */
#ifndef FNP_SPECIMENS_BOTH_H
#define FNP_SPECIMENS_BOTH_H

/* clang-format off */
#ifdef __i386__
#include "verify/specimens/i386/cdecl.h"
#define XAX %eax
#define XBX %ebx
#define XCX %ecx
#define XDX %edx
#define XSI %esi
#define XDI %edi
#define XSP %esp
#define XBP %ebp
#define WORD 4
#define NAMED(name) name##_i386
#else
#include "x86/asm.h"
#define XAX %rax
#define XBX %rbx
#define XCX %rcx
#define XDX %rdx
#define XSI %rsi
#define XDI %rdi
#define XSP %rsp
#define XBP %rbp
#define WORD 8
#define NAMED(name) name

        .macro  KEEP reg
        push    \reg
        .cfi_adjust_cfa_offset 8
        .endm

        .macro  GIVE reg
        pop     \reg
        .cfi_adjust_cfa_offset -8
        .endm

        .macro  ENTER_COPY
        mov     %rdi, %rax
        mov     %rdx, %rcx
        .endm

        .macro  LEAVE
        ret
        .endm
#endif

/* Code with commas as one argument. */
#define CODE(...) __VA_ARGS__

#define COPY_BEGIN(name) FUNC(NAMED(name)); ENTER_COPY
#define COPY_END(name)   LEAVE; END_FUNC(NAMED(name))

/* Go on where [reg - before, reg + behind] lies in one page, else to `no`. */
#define IN_PAGE(reg, before, behind, no) \
        KEEP    XBX;                     \
        lea     -before(reg), XBX;       \
        lea     behind(reg), XCX;        \
        xor     XBX, XCX;                \
        and     $-4096, XCX;             \
        GIVE    XBX;                     \
        jnz     no
/* clang-format on */

#endif
