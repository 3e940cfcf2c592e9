/* SPDX-License-Identifier: MIT */
/*
 * page.S - what page kernels may assume: stores, loads, and looking past the page
 *
 *     void store_INSN(void *dst);                     clears a page
 *     void load_INSN(void *dst, const void *src);     copies a page, stores anywhere
 *     void past_WHAT(void *dst, const void *src);     the same, and looks ahead
 *
 * For both widths; contracts are in page.ini.
 */
#include "../../src/x86/asm.h"

/* clang-format off */
#ifdef __i386__
# define D     edx
# define S     ecx
# define N     eax
# define AX    eax
# define ENTER mov 4(%esp), %edx
# define BOTH  mov 8(%esp), %ecx
#else
# define D     rdi
# define S     rsi
# define N     ecx
# define AX    rax
# define ENTER
# define BOTH
#endif
#define PAGE 4096

/* `count` turns of a body; code before it and behind it. */
#define LOOP(name, count, before, behind, ...) \
FUNC(name);                \
        ENTER;             \
        before;            \
        mov $count, %N;    \
.Lnext_##name:             \
        __VA_ARGS__;       \
        dec %N;            \
        jnz .Lnext_##name; \
        behind;            \
        ret;               \
END_FUNC(name)

#define STORE(name, len, before, behind, ...) \
        LOOP(name, PAGE / len, before, behind, __VA_ARGS__; add $len, %D)
#define LOAD(name, len, behind, ...) \
        LOOP(name, PAGE / len, BOTH, behind, __VA_ARGS__; add $len, %S; add $len, %D)

        .macro ZERO_MMX
        pxor    %mm0, %mm0
        .endm
        .macro ZERO_XMM
        pxor    %xmm0, %xmm0
        .endm
        .macro ZERO_YMM
        vpxor   %xmm0, %xmm0, %xmm0
        .endm

/* ---- stores */

STORE(store_mov, 4, , , movl $0, (%D))
STORE(store_movq, 8, ZERO_MMX, emms, movq %mm0, (%D))
STORE(store_movntq, 8, ZERO_MMX, emms; sfence, movntq %mm0, (%D))
STORE(store_movups, 16, ZERO_XMM, , movups %xmm0, (%D))
STORE(store_movaps, 16, ZERO_XMM, , movaps %xmm0, (%D))
STORE(store_movdqa, 16, ZERO_XMM, , movdqa %xmm0, (%D))
STORE(store_movntps, 16, ZERO_XMM, sfence, movntps %xmm0, (%D))
STORE(store_movntdq, 16, ZERO_XMM, sfence, movntdq %xmm0, (%D))
STORE(store_vmovdqu, 32, ZERO_YMM, vzeroupper, vmovdqu %ymm0, (%D))
STORE(store_vmovdqa, 32, ZERO_YMM, vzeroupper, vmovdqa %ymm0, (%D))
STORE(store_vmovntdq, 32, ZERO_YMM, vzeroupper; sfence, vmovntdq %ymm0, (%D))
STORE(store_vmovdqa64, 64, ZERO_YMM, vzeroupper, vmovdqa64 %zmm0, (%D))
FUNC(store_movnti)
        ENTER
        xor     %eax, %eax
#ifdef __i386__
        lea     PAGE(%edx), %ecx
.Lnext_store_movnti:
        movnti  %eax, (%edx)
        add     $4, %edx
        cmp     %ecx, %edx
#else
        lea     PAGE(%rdi), %rcx
.Lnext_store_movnti:
        movnti  %rax, (%rdi)
        add     $8, %rdi
        cmp     %rcx, %rdi
#endif
        jne     .Lnext_store_movnti
        sfence
        ret
END_FUNC(store_movnti)
FUNC(store_rep_stos)
        ENTER
#ifdef __i386__
        push    %edi
        mov     %edx, %edi
#endif
        xor     %eax, %eax
        mov     $PAGE / 4, %ecx
        rep stosl
#ifdef __i386__
        pop     %edi
#endif
        ret
END_FUNC(store_rep_stos)
FUNC(store_clzero)
        ENTER
        mov     $PAGE / 64, %ecx
        mov     %D, %AX
.Lnext_store_clzero:
        clzero
        add     $64, %AX
        dec     %ecx
        jnz     .Lnext_store_clzero
        sfence
        ret
END_FUNC(store_clzero)

/* ---- loads */

LOAD(load_movq, 8, emms, movq (%S), %mm0; movq %mm0, (%D))
LOAD(load_movups, 16, , movups (%S), %xmm0; movups %xmm0, (%D))
LOAD(load_lddqu, 16, , lddqu (%S), %xmm0; movups %xmm0, (%D))
LOAD(load_movaps, 16, , movaps (%S), %xmm0; movups %xmm0, (%D))
LOAD(load_movntdqa, 16, , movntdqa (%S), %xmm0; movups %xmm0, (%D))
LOAD(load_por, 16, , pxor %xmm0, %xmm0; por (%S), %xmm0; movups %xmm0, (%D))
LOAD(load_vmovdqu, 32, vzeroupper, vmovdqu (%S), %ymm0; vmovdqu %ymm0, (%D))
LOAD(load_vmovdqa, 32, vzeroupper, vmovdqa (%S), %ymm0; vmovdqu %ymm0, (%D))
LOAD(load_vpor, 32, vzeroupper, vpxor %xmm0, %xmm0, %xmm0; vpor (%S), %ymm0, %ymm0; \
        vmovdqu %ymm0, (%D))

/* ---- beyond the page */

LOAD(past_prefetch_320, 16, , prefetchnta 320(%S); movups (%S), %xmm0; movups %xmm0, (%D))
LOAD(past_prefetcht0_4096, 16, , prefetcht0 PAGE(%S); movups (%S), %xmm0; movups %xmm0, (%D))
LOAD(past_load_ahead, 16, , movups (%S), %xmm0; movups 16(%S), %xmm1; movups %xmm0, (%D))
LOAD(past_aligned_load, 16, , movups (%S), %xmm0; movaps 64(%S), %xmm1; movups %xmm0, (%D))
LOAD(past_load_before, 16, , movups -16(%S), %xmm1; movups (%S), %xmm0; movups %xmm0, (%D))
NO_EXEC_STACK
