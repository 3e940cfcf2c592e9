/* SPDX-License-Identifier: MIT */
/*
 * calls - sound copies that make a system call
 *
 *     void *calls32_NAME(void *dst, const void *src, size_t n);
 *
 * Contract
 *   dst[0, n) = src[0, n), no overlap, returns dst; cdecl
 * Registers
 *   eax                 number, then dst
 *   ebx, ecx, edx, esi  arguments of the call
 */
#include "verify/specimens/i386/cdecl.h"

        /* Numbers of arch/x86/entry/syscalls/syscall_32.tbl. */
        .macro  COPY name, number, first=0, second=0, third=0, way="int $0x80"
FUNC(calls32_\name)
        ENTER_COPY
        KEEP    %ebx
        KEEP    %ebp
        rep movsb
        mov     $\number, %eax
        mov     $\first, %ebx
        mov     $\second, %ecx
        mov     $\third, %edx
        mov     %esp, %ebp
        \way
        GIVE    %ebp
        GIVE    %ebx
        LEAVE_DST
END_FUNC(calls32_\name)
        .endm

COPY    none, 0, way=nop
COPY    exit, 1
COPY    fork, 2
COPY    read, 3
COPY    write, 4, 1
COPY    close, 6, 1
COPY    execve, 11
COPY    getpid, 20
COPY    kill, 37, 0, 9
COPY    signal, 48, 11
COPY    mmap, 90
COPY    munmap, 91, 0x60000000, 0x10000000
COPY    clone, 120
COPY    mprotect, 125, 0x60000000, 0x1000
COPY    modify_ldt, 123
COPY    rt_sigaction, 174, 11
COPY    rt_sigprocmask, 175
COPY    set_thread_area, 243
COPY    exit_group, 252, 0
COPY    sysenter, 20, way=sysenter
NO_EXEC_STACK
