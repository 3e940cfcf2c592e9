/* SPDX-License-Identifier: MIT */
/*
 * state.S - what becomes of an interrupted task's FPU state: ways to clear 64 bytes
 *
 *     void WAY(void *dst);
 *
 * Those whose names end in _kept hand back every bit, the others lose what their line
 * says.  For both widths; contracts are in state.ini.
 */
#include "../../src/x86/asm.h"

/* clang-format off */
#ifdef __i386__
# define D     edx
# define SP    esp
# define ENTER mov 4(%esp), %edx
#else
# define D     rdi
# define SP    rsp
# define ENTER
#endif

#define WAY(name, ...) \
FUNC(name);            \
        ENTER;         \
        __VA_ARGS__;   \
        ret;           \
END_FUNC(name)

#define CLEAR_GPR  xor %eax, %eax; CLEAR4(0); CLEAR4(16); CLEAR4(32); CLEAR4(48)
#define CLEAR4(at) mov %eax, at(%D); mov %eax, at + 4(%D); mov %eax, at + 8(%D); mov %eax, at + 12(%D)
#define CLEAR_MMX  pxor %mm0, %mm0; movq %mm0, (%D); movq %mm0, 8(%D); movq %mm0, 16(%D); \
        movq %mm0, 24(%D); movq %mm0, 32(%D); movq %mm0, 40(%D); movq %mm0, 48(%D); movq %mm0, 56(%D)
#define CLEAR_SSE  xorps %xmm0, %xmm0; movups %xmm0, (%D); movups %xmm0, 16(%D); \
        movups %xmm0, 32(%D); movups %xmm0, 48(%D)
#define CLEAR_AVX  vxorps %xmm0, %xmm0, %xmm0; vmovups %ymm0, (%D); vmovups %ymm0, 32(%D)

/* Nothing of the FPU is touched. */
WAY(gpr_kept, CLEAR_GPR)

/* xmm0; not the sticky flags, for nothing is computed */
WAY(sse_unsaved, CLEAR_SSE)
WAY(sse_kept, sub $32, %SP; movups %xmm0, (%SP); CLEAR_SSE; movups (%SP), %xmm0; add $32, %SP)
/* the sticky flags of MXCSR: a register is saved and restored, the flags are not */
WAY(sse_computes, sub $32, %SP; movups %xmm0, (%SP); CLEAR_SSE; divps %xmm0, %xmm0; \
        movups (%SP), %xmm0; add $32, %SP)
WAY(sse_computes_kept, sub $32, %SP; movups %xmm0, (%SP); stmxcsr 16(%SP); movl $0x1f80, 20(%SP); \
        ldmxcsr 20(%SP); CLEAR_SSE; divps %xmm0, %xmm0; ldmxcsr 16(%SP); movups (%SP), %xmm0; \
        add $32, %SP)

/* mm0, all tags, TOP */
WAY(mmx_bare, CLEAR_MMX)
/* the same, and then the tags say that nothing was there */
WAY(mmx_emms, CLEAR_MMX; emms)
/* mm0 survives, tags and TOP do not: no MMX instruction gives them back */
WAY(mmx_mm0_saved, sub $8, %SP; movq %mm0, (%SP); CLEAR_MMX; movq (%SP), %mm0; add $8, %SP)
/* all of it: fnsave also initialises the unit */
WAY(mmx_fnsave_only, sub $112, %SP; fnsave (%SP); CLEAR_MMX; emms; add $112, %SP)
/* tags, TOP and control word come back with the environment, the registers do not */
WAY(mmx_fnstenv, sub $112, %SP; fnstenv (%SP); CLEAR_MMX; fldenv (%SP); add $112, %SP)
WAY(mmx_fnsave_kept, sub $112, %SP; fnsave (%SP); CLEAR_MMX; frstor (%SP); add $112, %SP)
/* right but for one thing: fsave waits first, so a pending exception is raised here */
WAY(mmx_fsave, sub $112, %SP; fsave (%SP); CLEAR_MMX; frstor (%SP); add $112, %SP)
/* fxsave leaves a pending exception in the unit, so the next instruction raises it */
#ifdef __i386__
# define FRAME push %ebp; mov %esp, %ebp; sub $512, %esp; and $-16, %esp; fxsave (%esp)
# define UNFRAME fxrstor (%esp); mov %ebp, %esp; pop %ebp
#else
# define FRAME push %rbp; mov %rsp, %rbp; sub $512, %rsp; and $-16, %rsp; fxsave64 (%rsp)
# define UNFRAME fxrstor64 (%rsp); mov %rbp, %rsp; pop %rbp
#endif
WAY(mmx_fxsave, FRAME; CLEAR_MMX; CLEAR_SSE; UNFRAME)
WAY(mmx_fxsave_kept, FRAME; fninit; CLEAR_MMX; CLEAR_SSE; UNFRAME)

/* st7; when all eight are in use there is no room, and that is an invalid operation */
WAY(x87_push, fildl (%D); fistpl (%D); CLEAR_GPR)
/* the control word */
WAY(x87_control, sub $8, %SP; movl $0x27f, (%SP); fldcw (%SP); add $8, %SP; CLEAR_GPR)
WAY(x87_fninit, fninit; CLEAR_GPR)

/* ymm0, both halves */
WAY(avx_unsaved, CLEAR_AVX)
/* the upper halves of all registers */
WAY(avx_vzeroupper, sub $32, %SP; vmovups %ymm0, (%SP); CLEAR_AVX; vmovups (%SP), %ymm0; \
        vzeroupper; add $32, %SP)
/* the upper half of ymm0: a VEX load of xmm0 zeroes it */
WAY(avx_xmm_saved, sub $16, %SP; vmovups %xmm0, (%SP); CLEAR_AVX; vmovups (%SP), %xmm0; add $16, %SP)
WAY(avx_kept, sub $32, %SP; vmovups %ymm0, (%SP); CLEAR_AVX; vmovups (%SP), %ymm0; add $32, %SP)
NO_EXEC_STACK
