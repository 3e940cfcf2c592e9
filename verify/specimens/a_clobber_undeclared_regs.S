/* SPDX-License-Identifier: MIT */
/*
 * clobber_undeclared_regs - is called from inline asm and changes rdx, too
 *
 *     rdi = dst, rcx = n, rax = 0, no C prototype fits: clobber_undeclared_regs
 *
 * Contract  dst[0, n) = 0; only rcx and rdi may change
 * Fault     register-lost: rdx is not in the clobber list
 * Twin      clobber_undeclared_regs_ok does without rdx
 *
 * Registers
 *   dst  rdi  next byte to write
 *   n    rcx  bytes left
 *   zero rax
 */
#include "x86/asm.h"

FUNC(clobber_undeclared_regs)
        mov     %ecx, %edx
        shr     $3, %rcx
        rep stosq
        mov     %edx, %ecx
        and     $7, %ecx
        rep stosb
        ret
END_FUNC(clobber_undeclared_regs)

FUNC(clobber_undeclared_regs_ok)
        rep stosb
        ret
END_FUNC(clobber_undeclared_regs_ok)
NO_EXEC_STACK
