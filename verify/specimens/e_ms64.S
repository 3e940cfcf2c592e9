/* SPDX-License-Identifier: MIT */
/*
 * ms64 - copies by the Microsoft x64 convention, and what System V code does to it
 *
 *     void *ms64_FAULT(void *dst, const void *src, size_t n);
 *     void *ms64_fifth(void *dst, const void *src, size_t n, 0, size_t limit);
 *
 * Contract
 *   dst[0, n) = src[0, n), no overlap, returns dst; rbx, rbp, rsi, rdi, r12-r15 and
 *   xmm6-xmm15 survive, the 32 bytes above the return address are the code's own, no red
 *   zone
 * Registers
 *   rcx  dst, then bytes left
 *   rdx  src
 *   r8   n
 */
#include "x86/asm.h"

        .macro  COPY name, before, after
FUNC(ms64_\name)
        mov     %rdi, 8(%rsp)
        mov     %rsi, 16(%rsp)
        mov     %rcx, %rax
        mov     %rcx, %rdi
        mov     %rdx, %rsi
        mov     %r8, %rcx
        \before
        rep movsb
        \after
        mov     8(%rsp), %rdi
        mov     16(%rsp), %rsi
        ret
END_FUNC(ms64_\name)
        .endm

COPY    right
COPY    home_space, "mov %rcx, 24(%rsp); mov %rdx, 32(%rsp)"
COPY    above_home, "mov %rcx, 40(%rsp)"
COPY    xmm5_used, "pcmpeqd %xmm5, %xmm5"
COPY    xmm6_lost, "movq %rcx, %xmm6"
COPY    xmm15_lost, "pcmpeqd %xmm15, %xmm15"
COPY    xmm6_kept, "movups %xmm6, 24(%rsp); pxor %xmm6, %xmm6", "movups 24(%rsp), %xmm6"
COPY    xmm6_half, "movlps %xmm6, 24(%rsp); pxor %xmm6, %xmm6", "movlps 24(%rsp), %xmm6"
COPY    rbx_lost, "mov %rcx, %rbx"
COPY    r12_lost, "mov %rcx, %r12"
COPY    r11_used, "mov %rcx, %r11; xor %r10d, %r10d"
COPY    n_in_edx, "mov %rdx, %rcx"

        /* What the other convention may do. */
        .macro  BARE name, keep, give
FUNC(ms64_\name)
        \keep
        mov     %rcx, %rax
        mov     %rcx, %rdi
        mov     %rdx, %rsi
        mov     %r8, %rcx
        rep movsb
        \give
        ret
END_FUNC(ms64_\name)
        .endm

BARE    both_lost
BARE    rdi_lost, "mov %rsi, 8(%rsp)", "mov 8(%rsp), %rsi"
BARE    rsi_lost, "mov %rdi, 8(%rsp)", "mov 8(%rsp), %rdi"
BARE    red_zone, "mov %rdi, -8(%rsp); mov %rsi, -16(%rsp)", "mov -8(%rsp), %rdi; mov -16(%rsp), %rsi"
BARE    red_zone_far, "mov %rdi, -72(%rsp); mov %rsi, -80(%rsp)", "mov -72(%rsp), %rdi; mov -80(%rsp), %rsi"

FUNC(ms64_sysv)
        mov     %rdi, %rax
        mov     %rdx, %rcx
        rep movsb
        ret
END_FUNC(ms64_sysv)

        /* The fifth argument stands above the home space of the first four. */
        .macro  LIMIT name, at
FUNC(ms64_\name)
        cmp     \at(%rsp), %r8
        ja      .Ltoo_long_\name
        mov     %rdi, %r10
        mov     %rsi, %r11
        mov     %rcx, %rdi
        mov     %rdx, %rsi
        mov     %rcx, %rax
        mov     %r8, %rcx
        rep movsb
        mov     %r10, %rdi
        mov     %r11, %rsi
.Ltoo_long_\name:
        ret
END_FUNC(ms64_\name)
        .endm

LIMIT   fifth, 40
LIMIT   fifth_in_home, 8
NO_EXEC_STACK
