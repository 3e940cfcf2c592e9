/* SPDX-License-Identifier: MIT */
/*
 * lossy.S - ways to carry memory through registers, one plain loop each
 *
 *     void WAY(void *dst, const void *src, size_t n);
 *
 * A name begins with the memory operand: m64_ moves elements of 64 bits, n is a multiple
 * of 8; m128a_ needs both buffers aligned.  For both widths; contracts are in lossy.ini.
 */
#include "../../src/x86/asm.h"

/* clang-format off */
#ifdef __i386__
# define D     eax
# define S     edx
# define N     ecx
# define WORD  ebx
# define ENTER mov 4(%esp), %D; mov 8(%esp), %S; mov 12(%esp), %N
# define KEEP  push %ebx
# define GIVE  pop %ebx
#else
# define D     rdi
# define S     rsi
# define N     rdx
# define WORD  eax
# define ENTER
# define KEEP
# define GIVE
#endif

/* A loop whose body moves `len` bytes from (S) to (D); code before it and behind it. */
#define LOOP(name, len, before, behind, ...) \
FUNC(name);             \
        ENTER;          \
        before;         \
.Lnext_##name:          \
        sub $len, %N;   \
        jb .Lend_##name; \
        __VA_ARGS__;    \
        add $len, %S;   \
        add $len, %D;   \
        jmp .Lnext_##name; \
.Lend_##name:           \
        behind;         \
        ret;            \
END_FUNC(name)

#define COPY(name, len, ...)        LOOP(name, len, , , __VA_ARGS__)
#define WITH(before, name, len, ...) LOOP(name, len, before, , __VA_ARGS__)
#define MMX(name, len, ...)         LOOP(name, len, , emms, __VA_ARGS__)
#define AVX(name, len, ...)         LOOP(name, len, , vzeroupper, __VA_ARGS__)

/* Constants in xmm1 or ymm1: all ones, 1.0 as floats or doubles, zero. */
        .macro ONES
        pcmpeqd %xmm1, %xmm1
        .endm
        .macro ONES_YMM
        vpcmpeqd %xmm1, %xmm1, %xmm1
        vinsertf128 $1, %xmm1, %ymm1, %ymm1
        .endm
        .macro ONE
        ONES
        pslld   $25, %xmm1
        psrld   $2, %xmm1
        .endm
        .macro ONE_PD
        ONES
        psllq   $54, %xmm1
        psrlq   $2, %xmm1
        .endm
        .macro ZERO
        pxor    %xmm1, %xmm1
        .endm

/* ---- general registers and strings */

LOOP(m32_mov, 4, KEEP, GIVE, mov (%S), %WORD; mov %WORD, (%D))
LOOP(m32_movnti, 4, KEEP, GIVE; sfence, mov (%S), %WORD; movnti %WORD, (%D))
LOOP(m32_movd_gpr, 4, KEEP, GIVE, mov (%S), %WORD; movd %WORD, %xmm0; movss %xmm0, (%D))
FUNC(m8_rep_movsb)
#ifdef __i386__
        push    %edi
        push    %esi
        mov     12(%esp), %edi
        mov     16(%esp), %esi
        mov     20(%esp), %ecx
        rep movsb
        pop     %esi
        pop     %edi
#else
        mov     %rdx, %rcx
        rep movsb
#endif
        ret
END_FUNC(m8_rep_movsb)
#ifndef __i386__
LOOP(m64_mov, 8, , , mov (%S), %rax; mov %rax, (%D))
LOOP(m64_movq_gpr, 8, , , mov (%S), %rax; movq %rax, %xmm0; movlps %xmm0, (%D))
LOOP(m64_cvtsi2sd, 8, , , cvtsi2sdq (%S), %xmm0; cvtsd2si %xmm0, %rax; mov %rax, (%D))
#endif

/* ---- MMX */

MMX(m32_movd_mmx, 4, movd (%S), %mm0; movd %mm0, (%D))
MMX(m64_movq_mmx, 8, movq (%S), %mm0; movq %mm0, (%D))
LOOP(m64_movntq, 8, , emms; sfence, movq (%S), %mm0; movntq %mm0, (%D))
MMX(m64_movq2dq, 8, movq (%S), %mm0; movq2dq %mm0, %xmm0; movlps %xmm0, (%D))
MMX(m64_movdq2q, 8, movsd (%S), %xmm0; movdq2q %xmm0, %mm0; movq %mm0, (%D))
MMX(m64_cvtpi2ps, 8, movq (%S), %mm0; cvtpi2ps %mm0, %xmm0; cvtps2pi %xmm0, %mm0; movq %mm0, (%D))
MMX(m64_cvtpi2pd, 8, movq (%S), %mm0; cvtpi2pd %mm0, %xmm0; cvtpd2pi %xmm0, %mm0; movq %mm0, (%D))

/* ---- SSE: loads and stores */

COPY(m128_movups, 16, movups (%S), %xmm0; movups %xmm0, (%D))
COPY(m128_movupd, 16, movupd (%S), %xmm0; movupd %xmm0, (%D))
COPY(m128_movdqu, 16, movdqu (%S), %xmm0; movdqu %xmm0, (%D))
COPY(m128_lddqu, 16, lddqu (%S), %xmm0; movdqu %xmm0, (%D))
COPY(m128a_movaps, 16, movaps (%S), %xmm0; movaps %xmm0, (%D))
COPY(m128a_movdqa, 16, movdqa (%S), %xmm0; movdqa %xmm0, (%D))
LOOP(m128a_movntps, 16, , sfence, movaps (%S), %xmm0; movntps %xmm0, (%D))
LOOP(m128a_movntdq, 16, , sfence, movdqa (%S), %xmm0; movntdq %xmm0, (%D))
COPY(m32_movss, 4, movss (%S), %xmm0; movss %xmm0, (%D))
COPY(m64_movsd, 8, movsd (%S), %xmm0; movsd %xmm0, (%D))
COPY(m64_movq_sse, 8, movq (%S), %xmm0; movq %xmm0, (%D))
COPY(m128_movlps_movhps, 16, movlps (%S), %xmm0; movhps 8(%S), %xmm0; \
        movlps %xmm0, (%D); movhps %xmm0, 8(%D))

/* ---- SSE: between the floating-point and the integer side */

COPY(m128_movups_movdqu, 16, movups (%S), %xmm0; movdqu %xmm0, (%D))
COPY(m128_movdqu_movups, 16, movdqu (%S), %xmm0; movups %xmm0, (%D))
COPY(m128_movaps_reg, 16, movdqu (%S), %xmm0; movaps %xmm0, %xmm1; movdqa %xmm1, %xmm2; \
        movupd %xmm2, (%D))
COPY(m128_movhlps, 16, movups (%S), %xmm0; movhlps %xmm0, %xmm1; movlps %xmm0, (%D); \
        movlps %xmm1, 8(%D))
COPY(m128_shufps, 16, movups (%S), %xmm0; shufps $0xe4, %xmm0, %xmm0; movups %xmm0, (%D))
COPY(m128_unpcklpd, 16, movups (%S), %xmm0; movaps %xmm0, %xmm1; unpckhpd %xmm1, %xmm1; \
        unpcklpd %xmm1, %xmm0; movups %xmm0, (%D))
COPY(m128_unpcklps, 16, movups (%S), %xmm0; movaps %xmm0, %xmm1; unpcklps %xmm0, %xmm0; \
        unpckhps %xmm1, %xmm1; shufps $0x88, %xmm1, %xmm0; movups %xmm0, (%D))
COPY(m128_blendps, 16, movups (%S), %xmm0; pxor %xmm1, %xmm1; blendps $15, %xmm0, %xmm1; \
        movups %xmm1, (%D))
WITH(ONES, m128_andps, 16, movups (%S), %xmm0; andps %xmm1, %xmm0; movups %xmm0, (%D))
WITH(ZERO, m128_orps, 16, movups (%S), %xmm0; orps %xmm1, %xmm0; movups %xmm0, (%D))
WITH(ONES, m128_xorps_twice, 16, movups (%S), %xmm0; xorps %xmm1, %xmm0; \
        xorps %xmm1, %xmm0; movups %xmm0, (%D))

/* ---- SSE: arithmetic that looks like a copy */

WITH(ONE, m128_mulps_one, 16, movups (%S), %xmm0; mulps %xmm1, %xmm0; movups %xmm0, (%D))
WITH(ONE_PD, m128_mulpd_one, 16, movups (%S), %xmm0; mulpd %xmm1, %xmm0; movups %xmm0, (%D))
WITH(ONE, m128_divps_one, 16, movups (%S), %xmm0; divps %xmm1, %xmm0; movups %xmm0, (%D))
WITH(ZERO, m128_addps_zero, 16, movups (%S), %xmm0; addps %xmm1, %xmm0; movups %xmm0, (%D))
WITH(ZERO, m128_subps_zero, 16, movups (%S), %xmm0; subps %xmm1, %xmm0; movups %xmm0, (%D))
COPY(m128_maxps_self, 16, movups (%S), %xmm0; maxps %xmm0, %xmm0; movups %xmm0, (%D))
COPY(m128_minps_self, 16, movups (%S), %xmm0; minps %xmm0, %xmm0; movups %xmm0, (%D))
COPY(m32_cvtss2sd, 4, cvtss2sd (%S), %xmm0; cvtsd2ss %xmm0, %xmm0; movss %xmm0, (%D))
COPY(m64_cvtps2pd, 8, cvtps2pd (%S), %xmm0; cvtpd2ps %xmm0, %xmm0; movlps %xmm0, (%D))
COPY(m64_cvtsd2ss, 8, cvtsd2ss (%S), %xmm0; cvtss2sd %xmm0, %xmm0; movsd %xmm0, (%D))
COPY(m128_cvtdq2ps, 16, movdqu (%S), %xmm0; cvtdq2ps %xmm0, %xmm0; cvtps2dq %xmm0, %xmm0; \
        movdqu %xmm0, (%D))
COPY(m64_cvtdq2pd, 8, cvtdq2pd (%S), %xmm0; cvtpd2dq %xmm0, %xmm0; movlps %xmm0, (%D))

/* ---- AVX */

AVX(m256_vmovups, 32, vmovups (%S), %ymm0; vmovups %ymm0, (%D))
AVX(m256_vmovdqu, 32, vmovdqu (%S), %ymm0; vmovdqu %ymm0, (%D))
AVX(m256a_vmovaps, 32, vmovaps (%S), %ymm0; vmovaps %ymm0, (%D))
LOOP(m256a_vmovntps, 32, , sfence; vzeroupper, vmovaps (%S), %ymm0; vmovntps %ymm0, (%D))
AVX(m256_vinsertf128, 32, vmovups (%S), %xmm0; vinsertf128 $1, 16(%S), %ymm0, %ymm0; \
        vmovups %xmm0, (%D); vextractf128 $1, %ymm0, 16(%D))
LOOP(m256_vmaskmovps, 32, ONES_YMM, vzeroupper, vmaskmovps (%S), %ymm1, %ymm0; \
        vmaskmovps %ymm0, %ymm1, (%D))
AVX(m256_vblendps, 32, vmovups (%S), %ymm0; vxorps %ymm1, %ymm1, %ymm1; \
        vblendps $255, %ymm0, %ymm1, %ymm0; vmovups %ymm0, (%D))
AVX(m256_vmaxps_self, 32, vmovups (%S), %ymm0; vmaxps %ymm0, %ymm0, %ymm0; vmovups %ymm0, (%D))
AVX(m256_vpor_zero, 32, vmovdqu (%S), %ymm0; vpxor %ymm1, %ymm1, %ymm1; \
        vpor %ymm1, %ymm0, %ymm0; vmovdqu %ymm0, (%D))
AVX(m512_vmovups, 64, vmovups (%S), %zmm0; vmovups %zmm0, (%D))
AVX(m512_vmovdqu64, 64, vmovdqu64 (%S), %zmm0; vmovdqu64 %zmm0, (%D))

/* ---- x87 */

COPY(m32_fld_fstp, 4, flds (%S); fstps (%D))
COPY(m64_fld_fstp, 8, fldl (%S); fstpl (%D))
COPY(m80_fld_fstp, 10, fldt (%S); fstpt (%D))
COPY(m16_fild_fistp, 2, filds (%S); fistps (%D))
COPY(m32_fild_fistp, 4, fildl (%S); fistpl (%D))
COPY(m64_fild_fistp, 8, fildll (%S); fistpll (%D))
COPY(m32_fild_fisttp, 4, fildl (%S); fisttpl (%D))
COPY(m64_fild_fisttp, 8, fildll (%S); fisttpll (%D))
COPY(m80_fbld_fbstp, 10, fbld (%S); fbstp (%D))
LOOP(m64_fmul_one, 8, fld1, fstp %st(0), fldl (%S); fmul %st(1), %st; fstpl (%D))
LOOP(m80_fmul_one, 10, fld1, fstp %st(0), fldt (%S); fmul %st(1), %st; fstpt (%D))
LOOP(m80_fadd_zero, 10, fldz, fstp %st(0), fldt (%S); fadd %st(1), %st; fstpt (%D))
COPY(m80_fchs_twice, 10, fldt (%S); fchs; fchs; fstpt (%D))
COPY(m80_frndint, 10, fldt (%S); frndint; fstpt (%D))
NO_EXEC_STACK
