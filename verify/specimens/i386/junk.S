/* SPDX-License-Identifier: MIT */
/*
 * junk - memset that depends on what nobody promised: registers, flags, old memory
 *
 *     void *junk32_FAULT(void *dst, int c, size_t n);
 *
 * Contract
 *   dst[0, n) = low byte of c, returns dst; cdecl
 * Registers
 *   edi  next byte to write
 *   eax  fill byte four times
 *   ecx  bytes or words left
 *   edx  n, where it is loaded
 */
#include "verify/specimens/i386/cdecl.h"

        .macro  SET_WORDS name
        shr     $2, %ecx
        rep stosl
        mov     %edx, %ecx
        and     $3, %ecx
        rep stosb
        LEAVE_DST
END_FUNC(junk32_\name)
        .endm

        .macro  SET_BYTES name
        rep stosb
        LEAVE_DST
END_FUNC(junk32_\name)
        .endm

        .macro  START name
FUNC(junk32_\name)
        ENTER_SET
        .endm

        START   none
        SET_WORDS none

        /* A byte load leaves the upper 24 bits of eax. */
FUNC(junk32_eax_fill)
        KEEP    %esi
        KEEP    %edi
        mov     DST, %edi
        mov     FILL, %al
        mov     N, %ecx
        mov     %ecx, %edx
        SET_WORDS eax_fill

        /* The tail is counted from a register that holds n in one build only. */
FUNC(junk32_edx_tail)
        ENTER
        movzbl  FILL, %eax
        imul    $0x01010101, %eax, %eax
        mov     N, %ecx
        SET_WORDS edx_tail

        /* A short length is loaded into half of ecx. */
FUNC(junk32_ecx_upper)
        KEEP    %esi
        KEEP    %edi
        mov     DST, %edi
        mov     FILL, %al
        cmpl    $256, N
        jae     .Llong
        mov     N, %cl
        SET_BYTES ecx_upper
.Llong:
        .cfi_startproc
        mov     N, %ecx
        rep stosb
        LEAVE_DST
        .cfi_endproc

        /* The empty case is decided by flags that nobody set. */
FUNC(junk32_zero_flag)
        mov     4(%esp), %edx
        mov     8(%esp), %al
        mov     12(%esp), %ecx
        jz      .Lflag_end
        xchg    %edx, %edi
        rep stosb
        mov     %edx, %edi
.Lflag_end:
        mov     4(%esp), %eax
        ret
END_FUNC(junk32_zero_flag)

        /* adc where add was meant. */
FUNC(junk32_carry)
        mov     4(%esp), %edx
        mov     12(%esp), %ecx
        mov     8(%esp), %eax
        jecxz   .Lcarry_end
        adc     $0, %al
.Lcarry_byte:
        mov     %al, (%edx)
        inc     %edx
        dec     %ecx
        jnz     .Lcarry_byte
.Lcarry_end:
        mov     4(%esp), %eax
        ret
END_FUNC(junk32_carry)

        /* A fifth word of the caller's frame, which is no argument. */
        START   above_arguments
        add     ABOVE, %al
        SET_BYTES above_arguments

        /* A local variable that was never set. */
        START   below_stack
        mov     -16(%esp), %al
        SET_BYTES below_stack

        /* Ors into what dst held. */
        START   old_bytes
        jecxz   .Lold_end
.Lold_byte:
        or      %al, (%edi)
        inc     %edi
        dec     %ecx
        jnz     .Lold_byte
.Lold_end:
        SET_BYTES old_bytes

        /* Blocks come from a vector register that nobody filled. */
        START   xmm3
.Lblock:
        sub     $16, %ecx
        jb      .Ltail
        movups  %xmm3, (%edi)
        add     $16, %edi
        jmp     .Lblock
.Ltail:
        add     $16, %ecx
        SET_BYTES xmm3
NO_EXEC_STACK
