/* SPDX-License-Identifier: MIT */
/*
 * patch_code.S - code with fences for patch_test, in both widths
 *
 * edi points to memory.  Each piece runs to its end, where nops follow.  The letters are
 * what becomes of its fences, in the order of their addresses: n a nop, u unlocked, k kept;
 * ? stands for an indirect jump.
 */
#include "verify/self/effect_layout.h"

/* struct piece: code, its end, letters, width */
#define PIECE(letters, ...)                                                             \
        .pushsection .rodata.patch_code, "a";                                           \
        771: __VA_ARGS__; 772: nop;                                                     \
        .popsection;                                                                    \
        .pushsection .rodata.patch_text, "aMS", @progbits, 1;                           \
        773: .asciz letters;                                                            \
        .popsection;                                                                    \
        .pushsection .data.rel.ro.patch, "aw";                                          \
        .quad 771b, 772b, 773b, BITS;                                                   \
        .popsection;

#define PIECES                                                                          \
        PIECE("", mov %eax, (%edi); lfence; rep stosb)                                  \
        PIECE("n", movnti %eax, (%edi); sfence)                                         \
        PIECE("n", movnti %eax, (%edi); mfence; mov %edx, 4(%edi))                      \
        PIECE("nn", sfence; movnti %eax, (%edi); .byte 0x0f, 0xae, 0xff)                \
        PIECE("n", .byte 0x2e, 0x3e, 0x2e, 0x0f, 0xae, 0xf0)                            \
        PIECE("u", movnti %eax, (%edi); lock addl $5, 8(%edi))                          \
        PIECE("u", lock xadd %edx, (%edi); pushf; pop (%edi))                           \
        PIECE("u", mov (%edi), %eax; lock cmpxchg %edx, (%edi); sete 9(%edi))           \
        PIECE("u", lock cmpxchg8b (%edi))                                               \
        PIECE("u", .byte 0x66, 0xf0, 0x83, 0x47, 0x08, 0x05; setc (%edi))               \
        PIECE("u", mov $-70, %edx; lock bts %edx, (%edi); setc (%edi))                  \
        PIECE("k", movnti %eax, (%edi); xchg %edx, 4(%edi))                             \
        PIECE("k", xchg %dl, 4(%edi))                                                   \
        PIECE("k", mov $4, %eax; xor %ecx, %ecx; cpuid; xor %ebx, %ebx)                 \
        PIECE("nkun", sfence; xchg %edx, (%edi); lock incl (%edi); mfence)              \
        PIECE("nn", test %al, %al; js 1f; sfence; 1: mfence)                            \
        PIECE("nn", call 1f; jmp 2f; 1: mfence; ret; 2: sfence)                         \
        PIECE("un", test %al, %al; js 1f; lock; 1: addl $1, (%edi); sfence)             \
        PIECE("", jmp 1f; .byte 0x0f, 0xae, 0xf8; 1: mov $0x00f8ae0f, %eax)             \
        PIECE("n?", sfence; mov $EXIT, %eax; jmp *TARGET)

        .section .data.rel.ro.patch, "aw"
        .globl  patch_pieces, patch_pieces_end
        .balign 8
patch_pieces:
        .code64
#define BITS   64
#define TARGET %rax
        PIECES
#undef BITS
#undef TARGET
        .code32
#define BITS   32
#define TARGET %eax
        PIECES
        .code64
        .section .data.rel.ro.patch, "aw"
patch_pieces_end:

        .section .note.GNU-stack, "", @progbits
