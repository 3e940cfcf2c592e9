/* SPDX-License-Identifier: MIT */
/*
 * ftz_left_from_512 - leaves FTZ and DAZ set, for 512 bytes and up
 *
 *     void *ftz_left_from_512(void *dst, const void *src, size_t n);
 *
 * Contract  dst[0, n) = src[0, n), no overlap, returns dst
 * Fault     mxcsr-changed: MXCSR is changed on the path for large n
 * Twin      ftz_left_from_512_ok restores it there
 *
 * Registers
 *   dst  rdi  next byte to write
 *   src  rsi  next byte to read
 *   n    rdx  bytes to copy; rcx counts them down
 *   -4(%rsp) the caller's MXCSR, -8(%rsp) ours
 */
#include "x86/asm.h"

FUNC(ftz_left_from_512)
        mov     %rdi, %rax
        cmp     $512, %rdx
        jb      .Lcopy
        stmxcsr -4(%rsp)
        mov     -4(%rsp), %ecx
        or      $0x8040, %ecx
        mov     %ecx, -8(%rsp)
        ldmxcsr -8(%rsp)

.Lcopy:
        mov     %rdx, %rcx
        rep movsb
        ret
END_FUNC(ftz_left_from_512)

FUNC(ftz_left_from_512_ok)
        mov     %rdi, %rax
        cmp     $512, %rdx
        jb      .Lcopy_ok
        stmxcsr -4(%rsp)
        mov     -4(%rsp), %ecx
        or      $0x8040, %ecx
        mov     %ecx, -8(%rsp)
        ldmxcsr -8(%rsp)
        ldmxcsr -4(%rsp)

.Lcopy_ok:
        mov     %rdx, %rcx
        rep movsb
        ret
END_FUNC(ftz_left_from_512_ok)
NO_EXEC_STACK
