/* SPDX-License-Identifier: MIT */
/*
 * order - copies by weak stores with and without a fence behind the last one
 *
 *     void order_NN_WHAT(void *dst, const void *src, size_t n);
 *
 * Contract
 *   dst[0, n) = src[0, n), no overlap, both at multiples of 64, n too and at least 64;
 *   order_29_* and order_30_* clear dst and have no src
 *   Numbers are those of a table of cases: what orders weak stores and what does not.
 *   What needs another thread (64) or an injected fault (63) is not here.
 * Registers
 *   xdi  next byte to write, xsi next byte to read, xcx bytes left, xdx n
 *   xax  data
 */
#include "verify/specimens/both.h"

/* From here to the end by one kind of store; xcx is at least WORD, and 0 at the end. */
#define LOOP(load, store, step)       \
17:     load;                         \
        store;                        \
        add     $step, XSI;           \
        add     $step, XDI;           \
        sub     $step, XCX;           \
        jnz     17b
#define STREAM LOOP(CODE(mov (XSI), XAX), CODE(movnti XAX, (XDI)), WORD)
#define PLAIN  LOOP(CODE(mov (XSI), XAX), CODE(mov XAX, (XDI)), WORD)
/* All but the last 64 bytes. */
#define STREAM_MOST                   \
        sub     $64, XCX;             \
        jz      18f;                  \
        STREAM;                       \
18:     mov     $64, %ecx

#define ORDER(name, ...)              \
        COPY_BEGIN(order_##name);     \
        __VA_ARGS__;                  \
        COPY_END(order_##name)

#define ON_STACK(...) KEEP XAX; __VA_ARGS__; GIVE XAX

ORDER(01_plain, PLAIN)
ORDER(02_sfence, STREAM; sfence)
ORDER(03_nothing, STREAM)
ORDER(04_mfence, STREAM; mfence)
ORDER(05_lfence, STREAM; lfence)
ORDER(06_locked_add, STREAM; lock addl $0, (XSP))
ORDER(07_xchg_memory, STREAM; ON_STACK(xchg XAX, (XSP)))
ORDER(08_xchg_registers, STREAM; xchg XAX, XCX)
ORDER(09_locked_cmpxchg, STREAM; ON_STACK(lock cmpxchg XCX, (XSP)))
ORDER(10_cmpxchg, STREAM; ON_STACK(cmpxchg XCX, (XSP)))
ORDER(11_sfence_first, sfence; STREAM)
ORDER(12_sfence_before_last, STREAM_MOST; sfence; STREAM)
ORDER(13_plain_behind_sfence, STREAM_MOST; sfence; PLAIN)
ORDER(14_plain_before_sfence, STREAM_MOST; PLAIN; sfence)
ORDER(15_short_without, cmp $128, XDX; jb 1f; STREAM; sfence; jmp 2f; 1: STREAM; 2:)
ORDER(16_short_plain, cmp $128, XDX; jb 1f; STREAM; sfence; jmp 2f; 1: PLAIN; 2:)
ORDER(17_loop_of_both, LOOP(CODE(mov (XSI), XAX), CODE(movnti XAX, (XDI); sfence), WORD))
ORDER(18_loop_fence_first, LOOP(CODE(mov (XSI), XAX; sfence), CODE(movnti XAX, (XDI)), WORD))
ORDER(19_strings, rep movsb)
ORDER(20_strings_behind, STREAM_MOST; rep movsb)
ORDER(20_strings_and_sfence, STREAM_MOST; rep movsb; sfence)
ORDER(21_empty_string, PLAIN; rep movsb)
ORDER(22_weak_load, LOOP(CODE(movntdqa (XSI), %xmm0), CODE(movaps %xmm0, (XDI)), 16))
ORDER(23_weak_load_and_store, LOOP(CODE(movntdqa (XSI), %xmm0), CODE(movntdq %xmm0, (XDI)), 16))

#define FULL_MASK  pcmpeqd %xmm1, %xmm1
#define EMPTY_MASK pxor %xmm1, %xmm1
#define MASKED     LOOP(CODE(movups (XSI), %xmm0), CODE(maskmovdqu %xmm1, %xmm0), 16)
#define MASKED_MMX LOOP(CODE(movq (XSI), %mm0), CODE(maskmovq %mm1, %mm0), 8)
ORDER(24_mask_of_nothing, PLAIN; EMPTY_MASK; sub $16, XDI; maskmovdqu %xmm1, %xmm0)
ORDER(25_mask_of_all, FULL_MASK; MASKED)
ORDER(26_mask_and_sfence, FULL_MASK; MASKED; sfence)
ORDER(27_mask_of_mmx, pcmpeqd %mm1, %mm1; MASKED_MMX; emms)
ORDER(27_mask_of_mmx_fenced, pcmpeqd %mm1, %mm1; MASKED_MMX; sfence; emms)
ORDER(28_movntq_sfence, LOOP(CODE(movq (XSI), %mm0), CODE(movntq %mm0, (XDI)), 8); sfence; emms)
ORDER(28_movntq_emms, LOOP(CODE(movq (XSI), %mm0), CODE(movntq %mm0, (XDI)), 8); emms)

/* The last four bytes only, by a mask with one element. */
#define LAST_BY_MASK                  \
        rep movsb;                    \
        movups  -16(XSI), %xmm0;      \
        pcmpeqd %xmm1, %xmm1;         \
        pslldq  $12, %xmm1;           \
        sub     $16, XDI;             \
        maskmovdqu %xmm1, %xmm0
ORDER(25_mask_of_tail, LAST_BY_MASK)
ORDER(26_mask_of_tail_fenced, LAST_BY_MASK; sfence)

#ifdef __i386__
#define CLEAR_BEGIN(name) FUNC(NAMED(name)); KEEP XDI; mov 8(XSP), XAX; mov 12(XSP), XCX
#define CLEAR_END(name)   GIVE XDI; ret; END_FUNC(NAMED(name))
#else
#define CLEAR_BEGIN(name) FUNC(NAMED(name)); mov %rdi, %rax; mov %rsi, %rcx
#define CLEAR_END(name)   ret; END_FUNC(NAMED(name))
#endif
#define CLEAR(name, ...)              \
        CLEAR_BEGIN(order_##name);    \
1:      clzero;                       \
        add     $64, XAX;             \
        sub     $64, XCX;             \
        jnz     1b;                   \
        __VA_ARGS__;                  \
        CLEAR_END(order_##name)
CLEAR(29_clzero, )
CLEAR(30_clzero_sfence, sfence)

ORDER(31_clwb, STREAM; clwb -1(XDI))
ORDER(32_clflush, STREAM; clflush -1(XDI))
ORDER(32_clflushopt, STREAM; clflushopt -1(XDI))
ORDER(33_plain_clwb, PLAIN; clwb -1(XDI))
ORDER(34_read_back, STREAM; mov -WORD(XDI), XAX)
ORDER(35_cpuid, STREAM; KEEP XBX; xor %eax, %eax; cpuid; GIVE XBX)
ORDER(36_fence_in_callee, STREAM; call NAMED(order_fence))
ORDER(36_empty_callee, STREAM; call NAMED(order_empty))

FUNC(NAMED(order_fence))
        sfence
        ret
END_FUNC(NAMED(order_fence))

FUNC(NAMED(order_empty))
        ret
END_FUNC(NAMED(order_empty))

/* The last thing is a jump to another function. */
#ifdef __i386__
#define TAIL(to) GIVE %edi; GIVE %esi; jmp NAMED(to)
#else
#define TAIL(to) jmp to
#endif
COPY_BEGIN(order_37_tail_call)
        STREAM
        TAIL(order_fence)
END_FUNC(NAMED(order_37_tail_call))

COPY_BEGIN(order_37_tail_call_to_nothing)
        STREAM
        TAIL(order_empty)
END_FUNC(NAMED(order_37_tail_call_to_nothing))

ORDER(38_weak_in_callee, call NAMED(order_stream))
ORDER(38_weak_in_callee_fenced, call NAMED(order_stream); sfence)
ORDER(38_weak_two_down, call NAMED(order_outer))

FUNC(NAMED(order_stream))
        STREAM
        ret
END_FUNC(NAMED(order_stream))

FUNC(NAMED(order_outer))
        sfence
        call    NAMED(order_stream)
        ret
END_FUNC(NAMED(order_outer))

ORDER(39_jump_over_sfence, STREAM; jmp 1f; sfence; 1:)
ORDER(40_other_encoding, STREAM; .byte 0x0f, 0xae, 0xff)
ORDER(41_locked_or_of_dst, STREAM; lock orb $0, -1(XDI))
ORDER(42_pause, STREAM; pause; prefetcht0 -1(XDI))
ORDER(43_avx_sfence, LOOP(CODE(vmovdqa (XSI), %ymm0), CODE(vmovntdq %ymm0, (XDI)), 32); sfence;
      vzeroupper)
ORDER(44_avx_vzeroupper, LOOP(CODE(vmovdqa (XSI), %ymm0), CODE(vmovntdq %ymm0, (XDI)), 32);
      vzeroupper)
ORDER(44_avx512, LOOP(CODE(vmovdqa64 (XSI), %zmm0), CODE(vmovntdq %zmm0, (XDI)), 64); vzeroupper)
ORDER(43_avx512_sfence, LOOP(CODE(vmovdqa64 (XSI), %zmm0), CODE(vmovntps %zmm0, (XDI)), 64);
      sfence; vzeroupper)
ORDER(44_movntps, LOOP(CODE(movaps (XSI), %xmm0), CODE(movntps %xmm0, (XDI)), 16))
ORDER(44_movntpd, LOOP(CODE(movapd (XSI), %xmm0), CODE(movntpd %xmm0, (XDI)), 16))
ORDER(45_own_stack, sub $16, XSP; .cfi_adjust_cfa_offset 16; movnti XDX, (XSP);
      add $16, XSP; .cfi_adjust_cfa_offset -16; PLAIN)
ORDER(45_own_stack_fenced, sub $16, XSP; .cfi_adjust_cfa_offset 16; movnti XDX, (XSP);
      add $16, XSP; .cfi_adjust_cfa_offset -16; PLAIN; sfence)
ORDER(46_fence_at_join, cmp $128, XDX; jb 1f; STREAM; jmp 2f; 1: PLAIN; 2: sfence)
ORDER(46_fence_on_other_branch, cmp $128, XDX; jb 1f; STREAM; jmp 2f; 1: PLAIN; sfence; 2:)
ORDER(47_movntss, LOOP(CODE(movss (XSI), %xmm0), CODE(movntss %xmm0, (XDI)), 4))
ORDER(48_movntsd_sfence, LOOP(CODE(movsd (XSI), %xmm0), CODE(movntsd %xmm0, (XDI)), 8); sfence)
#ifdef __i386__
#define ASK int $0x80
#else
#define ASK syscall
#endif
/* The system call itself is the worse fault. */
ORDER(49_system_call, STREAM; mov $39, %eax; ASK)
ORDER(50_masked_plain, vpcmpeqd %ymm1, %ymm1, %ymm1;
      LOOP(CODE(vmovdqa (XSI), %ymm0), CODE(vpmaskmovd %ymm0, %ymm1, (XDI)), 32); vzeroupper)
#ifdef __x86_64__
ORDER(51_iret, STREAM; mov %rsp, %rdx; mov %ss, %eax; push %rax; push %rdx; pushf; mov %cs, %eax;
      push %rax; lea 1f(%rip), %rax; push %rax; iretq; 1:)
#endif
ORDER(52_overwritten, KEEP XSI; KEEP XDI; STREAM; GIVE XDI; GIVE XSI; mov XDX, XCX; PLAIN)
ORDER(52_overwritten_fenced, KEEP XSI; KEEP XDI; STREAM; GIVE XDI; GIVE XSI; mov XDX, XCX; PLAIN;
      sfence)
ORDER(52_last_line_overwritten, KEEP XDI; KEEP XSI; STREAM; GIVE XCX; GIVE XCX; mov -WORD(XSI), XAX;
      mov XAX, -WORD(XDI))
#ifdef __x86_64__
ORDER(53_rdtscp, STREAM; mov %rdx, %r8; rdtscp)
#else
ORDER(53_rdtscp, STREAM; rdtscp)
#endif
ORDER(54_locked_xadd, STREAM; ON_STACK(lock xadd XCX, (XSP)))
ORDER(55_eight_and_sfence, movnti XAX, (XDI); movnti XAX, WORD(XDI); movnti XAX, 2*WORD(XDI);
      movnti XAX, 3*WORD(XDI); sfence; STREAM; sfence)
ORDER(56_weak, STREAM)
ORDER(57_weak_and_sfence, STREAM; sfence)
ORDER(58_weak_then_drain, call NAMED(order_stream); call NAMED(order_fence))
ORDER(59_sfence_then_tail, STREAM_MOST; sfence; rep movsb)
ORDER(60_plain_tail, STREAM_MOST; rep movsb)
ORDER(61_fence_on_error, test XDX, XDX; jz 1f; STREAM; jmp 2f; 1: sfence; 2:)
/* A fence that is chosen at run time: the chosen one does nothing. */
ORDER(62_empty_by_pointer, STREAM; call *NAMED(order_chosen))
ORDER(62_fence_by_pointer, STREAM; call *NAMED(order_chosen) + WORD)
        .section .data.rel.ro, "aw"
        .balign 8
#ifdef __i386__
order_chosen_i386:
        .long   order_empty_i386, order_fence_i386
#else
order_chosen:
        .quad   order_empty, order_fence
#endif
        .text

ORDER(65_movdiri, LOOP(CODE(mov (XSI), XAX), CODE(movdiri XAX, (XDI)), WORD))
ORDER(65_movdiri_sfence, LOOP(CODE(mov (XSI), XAX), CODE(movdiri XAX, (XDI)), WORD); sfence)
ORDER(65_movdir64b, LOOP(, CODE(movdir64b (XSI), XDI), 64))
ORDER(65_movdir64b_sfence, LOOP(, CODE(movdir64b (XSI), XDI), 64); sfence)
ORDER(65_serialize, STREAM; serialize)
NO_EXEC_STACK
