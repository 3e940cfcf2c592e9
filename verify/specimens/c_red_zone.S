/* SPDX-License-Identifier: MIT */
/*
 * beyond_red_zone - keeps rbx 136 to 144 bytes below rsp, where a signal may strike
 *
 *     void *beyond_red_zone(void *dst, const void *src, size_t n);
 *
 * Contract
 *   rsp never moves; only the 128 bytes below it are the code's own
 * Registers
 *   rbx  saved below the stack pointer and used for dst meanwhile
 */
#include "x86/asm.h"

.macro KEEP at
        mov     %rbx, -\at(%rsp)
        mov     %rdi, %rbx
        mov     %rdx, %rcx
        rep movsb
        mov     %rbx, %rax
        mov     -\at(%rsp), %rbx
        ret
.endm

FUNC(beyond_red_zone)
        KEEP    144
END_FUNC(beyond_red_zone)

FUNC(beyond_red_zone_ok)
        KEEP    128
END_FUNC(beyond_red_zone_ok)

/* The same code where there is no red zone at all, as in kernel code, and with its own. */
FUNC(red_zone_of_user_code)
        KEEP    64
END_FUNC(red_zone_of_user_code)

FUNC(red_zone_of_user_code_ok)
        push    %rbx
        .cfi_adjust_cfa_offset 8
        mov     %rdi, %rbx
        mov     %rdx, %rcx
        rep movsb
        mov     %rbx, %rax
        pop     %rbx
        .cfi_adjust_cfa_offset -8
        ret
END_FUNC(red_zone_of_user_code_ok)

/* So near below rsp that alignment leaves room above the guard. */
FUNC(spill_below_kernel_stack)
        KEEP    8
END_FUNC(spill_below_kernel_stack)
NO_EXEC_STACK
