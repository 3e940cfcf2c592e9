/* SPDX-License-Identifier: MIT */
/*
 * template.S - the text of the program that replay --emit-c writes, from emit
 *
 *     extern const char fnp_replay_template[], fnp_replay_template_end[];
 */
#include "x86/asm.h"

        .section .rodata
        .globl  fnp_replay_template, fnp_replay_template_end
        .type   fnp_replay_template, @object
        .type   fnp_replay_template_end, @object
fnp_replay_template:
        .incbin "src/cli/emit/replay_template.c"
        .ascii  "\n"
        .incbin "src/cli/emit/replay_judging.c"
fnp_replay_template_end:
        .byte   0
        .size   fnp_replay_template, . - fnp_replay_template

NO_EXEC_STACK
