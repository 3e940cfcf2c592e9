/* SPDX-License-Identifier: MIT */
/*
 * jumps_nowhere - continues at an address where nothing is
 *
 *     void *jumps_nowhere(void *dst, const void *src, size_t n);
 *
 * Contract  dst[0, n) = src[0, n), no overlap, returns dst
 * Fault     crash: jumps through a wild pointer
 * Twin      jumps_nowhere_ok jumps to its own end
 *
 * Registers
 *   dst  rdi  next byte to write
 *   src  rsi  next byte to read
 *   n    rdx  bytes to copy; rcx counts them down
 */
#include "x86/asm.h"

FUNC(jumps_nowhere)
        mov     %rdi, %rax
        mov     %rdx, %rcx
        rep movsb
        movabs  $0x5a5a5a5a5000, %rcx
        jmp     *%rcx
END_FUNC(jumps_nowhere)

FUNC(jumps_nowhere_ok)
        mov     %rdi, %rax
        mov     %rdx, %rcx
        rep movsb
        lea     .Lend_ok(%rip), %rcx
        jmp     *%rcx
.Lend_ok:
        ret
END_FUNC(jumps_nowhere_ok)
NO_EXEC_STACK
