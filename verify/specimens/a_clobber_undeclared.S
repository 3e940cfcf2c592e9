/* SPDX-License-Identifier: MIT */
/*
 * clobber_undeclared - changes one register more than its caller's asm statement says
 *
 *     void clobber_undeclared(void *dst);
 *
 * Contract  dst[0, 4096) = 0
 * Fault     register-lost: rdx is caller-saved, but not in the clobber list
 * Twin      clobber_undeclared_ok does without rdx
 *
 * Registers
 *   dst  rdi  next word to write
 *   n    ecx  words left
 *   zero eax
 */
#include "x86/asm.h"

FUNC(clobber_undeclared)
        mov     $4096 / 8, %edx
        mov     %edx, %ecx
        xor     %eax, %eax
        rep stosq
        ret
END_FUNC(clobber_undeclared)

FUNC(clobber_undeclared_ok)
        mov     $4096 / 8, %ecx
        xor     %eax, %eax
        rep stosq
        ret
END_FUNC(clobber_undeclared_ok)
NO_EXEC_STACK
