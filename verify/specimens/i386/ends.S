/* SPDX-License-Identifier: MIT */
/*
 * ends - copies that do not come back, or not in one piece
 *
 *     void *ends32_FAULT(void *dst, const void *src, size_t n);
 *
 * Contract
 *   dst[0, n) = src[0, n), no overlap, returns dst; cdecl
 * Registers
 *   eax  dst
 *   edi  next byte to write
 *   esi  next byte to read
 *   ecx  bytes left, then scratch
 *   edx  n
 */
#include "verify/specimens/i386/cdecl.h"

        .macro  COPY name, then
FUNC(ends32_\name)
        ENTER_COPY
        rep movsb
        \then
        LEAVE
END_FUNC(ends32_\name)
        .endm

COPY    well
COPY    ud2, ud2
COPY    ud2_at_65, "cmp $65, %edx; jne 1f; ud2; 1:"
COPY    lock_register, ".byte 0xf0, 0x90"
COPY    femms, femms
COPY    cmov, "cmovz %edx, %ecx"
COPY    lahf, "mov %eax, %edx; lahf; mov %edx, %eax"
COPY    spins, "jmp ."
COPY    spins_at_777, "cmp $777, %edx; 1: je 1b"
COPY    spins_without_stack, "xor %esp, %esp; jmp ."
COPY    null_read, "mov (%ecx), %ecx"
COPY    null_write, "mov %eax, 16(%ecx)"
COPY    null_call, "call *%ecx"
COPY    jumps_into_dst, "jmp *%eax"
COPY    jumps_into_data, "jmp .Ldata"
COPY    divides, "div %ecx"
COPY    divides_at_300, "cmp $300, %edx; jne 1f; div %ecx; 1:"
COPY    breakpoint, int3
COPY    halts, hlt
COPY    port, "inb $0x80, %al"
COPY    interrupts_off, cli
COPY    int_3, "int $3"
COPY    int_5, "int $5"
COPY    bound, "KEEP $0; KEEP $0; bound %eax, (%esp); GIVE %ecx; GIVE %ecx"
COPY    into, "mov $0x7f, %cl; inc %cl; into"
COPY    code_written, "movb $0x90, ends32_well"
COPY    far_call, "lcall $0x10, $0"

        .data
.Ldata:
        ret

        /* The sum of addresses and lengths that only aligned operands may have. */
        .macro  ALIGNED name, load, store
FUNC(ends32_\name)
        ENTER_COPY
.Lblock_\name:
        sub     $16, %ecx
        jb      .Ltail_\name
        \load   (%esi), %xmm0
        \store  %xmm0, (%edi)
        add     $16, %esi
        add     $16, %edi
        jmp     .Lblock_\name
.Ltail_\name:
        add     $16, %ecx
        rep movsb
        LEAVE
END_FUNC(ends32_\name)
        .endm

ALIGNED movaps_load, movaps, movups
ALIGNED movdqa_store, movdqu, movdqa
ALIGNED movntdq_store, movdqu, movntdq
ALIGNED unaligned, movdqu, movdqu

        /* The ABI aligns the stack to 16 bytes before a call; ENTER breaks it. */
FUNC(ends32_movaps_stack)
        ENTER_COPY
        sub     $16, %esp
        .cfi_adjust_cfa_offset 16
        movaps  %xmm0, (%esp)
        rep movsb
        add     $16, %esp
        .cfi_adjust_cfa_offset -16
        LEAVE
END_FUNC(ends32_movaps_stack)
NO_EXEC_STACK
