/* SPDX-License-Identifier: MIT */
/*
 * asm.h - macros for every .S of the project
 *
 * Depends on: nothing.
 */
#ifndef FNP_X86_ASM_H
#define FNP_X86_ASM_H

/* clang-format off */
#define FUNC(name)                 \
        .text;                     \
        .balign 16;                \
        .globl  name;              \
        .type   name, @function;   \
name:                              \
        .cfi_startproc

#define END_FUNC(name)             \
        .cfi_endproc;              \
        .size   name, . - name

/* A register of the caller's, 4 bytes, kept on the stack and given back. */
#define SAVE32(reg)                \
        push    reg;               \
        .cfi_adjust_cfa_offset 4;  \
        .cfi_rel_offset reg, 0

#define RESTORE32(reg)             \
        pop     reg;               \
        .cfi_adjust_cfa_offset -4; \
        .cfi_restore reg

#define NO_EXEC_STACK              \
        .section .note.GNU-stack, "", @progbits
/* clang-format on */

#endif
