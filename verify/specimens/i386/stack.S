/* SPDX-License-Identifier: MIT */
/*
 * stack - sound copies that misuse the stack
 *
 *     void *stack32_FAULT(void *dst, const void *src, size_t n);
 *
 * Contract
 *   dst[0, n) = src[0, n), no overlap, returns dst; cdecl: the caller takes its arguments
 *   from the stack; nothing below esp is the code's own
 * Registers
 *   eax  dst
 *   edi  next byte to write
 *   esi  next byte to read
 *   ecx  bytes left
 *   edx  n, then scratch
 */
#include "verify/specimens/i386/cdecl.h"

        .macro  COPY name, before, after
FUNC(stack32_\name)
        ENTER_COPY
        \before
        rep movsb
        \after
        LEAVE
END_FUNC(stack32_\name)
        .endm

COPY    right
/* Own arguments are the callee's to write; what stands above them is the caller's. */
COPY    arguments_written, "notl 12(%esp); notl 16(%esp); notl 20(%esp)"
COPY    frame_written, "notl 24(%esp)"
COPY    frame_far_written, "notl 104(%esp)"
COPY    frame_byte_at_odd, "mov %ecx, %edx", "and $1, %dl; xor %dl, 27(%esp)"
COPY    push_left, "KEEP %edx"
COPY    push_left_at_long, "cmp $64, %ecx; jb 1f; KEEP %edi; 1:"
COPY    probed_down, "lea -0x4000(%esp), %edx; 1: sub $4096, %edx; notb (%edx); jmp 1b"

        /* esi and edi below esp, where a signal may strike at any time. */
        .macro  BELOW name, depth
FUNC(stack32_\name)
        mov     %esi, -4 - \depth(%esp)
        mov     %edi, -8 - \depth(%esp)
        mov     4(%esp), %edi
        mov     8(%esp), %esi
        mov     12(%esp), %ecx
        mov     %edi, %eax
        rep movsb
        mov     -4 - \depth(%esp), %esi
        mov     -8 - \depth(%esp), %edi
        ret
END_FUNC(stack32_\name)
        .endm

BELOW   below, 0
BELOW   below_far, 200

        .macro  WALK name, step
FUNC(stack32_\name)
        ENTER_COPY
        rep movsb
        mov     $0x40000, %ecx
        lea     ABOVE, %edx
.Lword_\name:
        mov     %ecx, (%edx)
        add     $\step, %edx
        dec     %ecx
        jnz     .Lword_\name
        LEAVE
END_FUNC(stack32_\name)
        .endm

WALK    walked_up, 4

        .macro  END name, last, then
FUNC(stack32_\name)
        ENTER_COPY
        rep movsb
        GIVE    %edi
        GIVE    %esi
        \last
        \then
END_FUNC(stack32_\name)
        .endm

END     callee_pops, "ret $12"
END     callee_pops_one, "ret $4"
END     return_by_jump, "GIVE %ecx", "jmp *%ecx"
END     return_address_kept, "mov (%esp), %ecx", "jmp *%ecx"
END     esp_garbage, "GIVE %ecx; mov $16, %esp", "jmp *%ecx"
END     esp_destroyed, "mov $4096, %esp; KEEP %edx; GIVE %edx", ret
END     return_address_lost, "movl $0x10, (%esp)", ret

        /* Calls itself without end, and calls another one. */
FUNC(stack32_recursion)
        call    stack32_recursion
        ret
END_FUNC(stack32_recursion)

FUNC(stack32_recursion_ends)
        KEEP    12(%esp)
        KEEP    12(%esp)
        KEEP    12(%esp)
        call    stack32_right
        add     $12, %esp
        .cfi_adjust_cfa_offset -12
        ret
END_FUNC(stack32_recursion_ends)
NO_EXEC_STACK
