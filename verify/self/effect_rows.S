/* SPDX-License-Identifier: MIT */
/*
 * effect_rows.S - the rows of effect_rows.def as code and a table, in both widths
 */
#include "verify/self/effect_layout.h"

#define TEXT_(...) #__VA_ARGS__
#define TEXT(...)  TEXT_(__VA_ARGS__)
#define BARE(...)  __VA_ARGS__

/* struct effect_row: setup, insn, its end, text, width, alignment, flags */
#define ROW(align, flags, setup, ...)                                                   \
        .pushsection .rodata.effect_code, "a";                                          \
        771: BARE setup; 772: __VA_ARGS__; 773:                                         \
        .popsection;                                                                    \
        .pushsection .rodata.effect_text, "aMS", @progbits, 1;                          \
        774: .asciz TEXT(__VA_ARGS__);                                                  \
        .popsection;                                                                    \
        .pushsection .data.rel.ro.effect, "aw";                                         \
        .quad 771b, 772b, 773b, 774b;                                                   \
        .long BITS, align, flags, 0;                                                    \
        .popsection;

        .section .data.rel.ro.effect, "aw"
        .globl  effect_rows, effect_rows_end
        .balign 8
effect_rows:

#define BITS 64
#define AX   %rax
#define CX   %rcx
#define DX   %rdx
#define BX   %rbx
#define SP   %rsp
#define BP   %rbp
#define SI   %rsi
#define DI   %rdi
        .code64
#include "verify/self/effect_rows.def"
#undef BITS
#undef AX
#undef CX
#undef DX
#undef BX
#undef SP
#undef BP
#undef SI
#undef DI

#define BITS 32
#define AX   %eax
#define CX   %ecx
#define DX   %edx
#define BX   %ebx
#define SP   %esp
#define BP   %ebp
#define SI   %esi
#define DI   %edi
        .code32
#include "verify/self/effect_rows.def"
        .code64

        .section .data.rel.ro.effect, "aw"
effect_rows_end:

        .section .note.GNU-stack, "", @progbits
