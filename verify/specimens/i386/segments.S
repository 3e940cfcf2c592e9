/* SPDX-License-Identifier: MIT */
/*
 * segments - sound copies that leave other segment registers
 *
 *     void *copy32_FAULT(void *dst, const void *src, size_t n);
 *
 * Contract
 *   dst[0, n) = src[0, n), no overlap, returns dst; cdecl; ds, es, fs, gs survive
 * Registers
 *   eax  dst
 *   ecx  bytes left, then a selector
 */
#include "verify/specimens/i386/cdecl.h"

        .macro  COPY name, seg, faulty
FUNC(copy32_\name)
        ENTER_COPY
        rep movsb
        KEEP    %\seg
        mov     %ss, %ecx
        .ifc    \seg, ds
        xor     %ecx, %ecx
        .endif
        .ifc    \seg, es
        xor     %ecx, %ecx
        .endif
        mov     %ecx, %\seg
        .if     \faulty
        GIVE    %ecx
        .else
        GIVE    %\seg
        .endif
        LEAVE
END_FUNC(copy32_\name)
        .endm

        /* The thread's variables lie around the base of gs; a stack protector reads there. */
        .macro  THREAD name, word
FUNC(copy32_\name)
        ENTER_COPY
        KEEP    %gs:20
        rep movsb
        GIVE    %ecx
        xor     %gs:20, %ecx
        jne     .Lsmashed_\name
        mov     %gs:0, %ecx
        \word
        LEAVE
.Lsmashed_\name:
        ud2
END_FUNC(copy32_\name)
        .endm

THREAD  thread_read, "mov -8(%ecx), %ecx"
THREAD  thread_written, "movl $0, -8(%ecx)"

COPY    ds_lost, ds, 1
COPY    ds_kept, ds, 0
COPY    es_lost, es, 1
COPY    es_kept, es, 0
COPY    fs_lost, fs, 1
COPY    fs_kept, fs, 0
COPY    gs_lost, gs, 1
COPY    gs_kept, gs, 0
NO_EXEC_STACK
