/* SPDX-License-Identifier: MIT */
/*
 * writes - copies that store what is not theirs and put it back, or look at their output
 *
 *     void *writes_FAULT(void *dst, const void *src, size_t n);
 *
 * Contract
 *   dst[0, n) = src[0, n), no overlap, returns dst
 *   What is written beside lies in the same page and is as it was at the end
 * Registers
 *   xdi  next byte to write, behind the copy dst + n
 *   xsi  next byte to read, behind the copy src + n
 *   xcx  scratch
 *   xdx  n, then scratch
 */
#include "verify/specimens/both.h"

#define COPY(name, before, after)     \
        COPY_BEGIN(writes_##name);    \
        before;                       \
        rep movsb;                    \
        after;                        \
9:      COPY_END(writes_##name)

/* 128 bytes on both sides of dst + n are in one page and dst is not empty, else on at 9. */
#define IF_INSIDE                     \
        test    XDX, XDX;             \
        jz      9f;                   \
        IN_PAGE(XDI, 128, 128, 9f)

#define BEHIND(name, ...) COPY(name, , CODE(IF_INSIDE; __VA_ARGS__))
#define BEFORE(name, ...) \
        COPY(name, , CODE(IF_INSIDE; sub XDX, XDI; IN_PAGE(XDI, 128, 128, 9f); __VA_ARGS__))

/* ---- changed and put back */

BEHIND(byte_behind, mov (XDI), %cl; movb $0x5a, (XDI); mov %cl, (XDI))
BEHIND(byte_far_behind, mov 63(XDI), %cl; movb $0x5a, 63(XDI); mov %cl, 63(XDI))
BEHIND(word_behind, mov (XDI), XCX; notb (XDI); mov XCX, (XDI))
BEHIND(vector_behind, movups (XDI), %xmm0; movups %xmm1, (XDI); movups %xmm0, (XDI))
BEHIND(vector_across, movups -5(XDI), %xmm0; movups %xmm1, -5(XDI); movups %xmm0, -5(XDI))
BEHIND(avx_across, vmovdqu -5(XDI), %ymm0; vmovdqu %ymm1, -5(XDI); vmovdqu %ymm0, -5(XDI);
                   vzeroupper)
BEHIND(inverted_twice, notb (XDI); notb (XDI))
BEHIND(added_twice, lock addb $3, 2(XDI); lock subb $3, 2(XDI))
BEHIND(exchanged_twice, mov $7, %cl; xchg %cl, (XDI); xchg %cl, (XDI))
BEHIND(bit_string, mov $77, %ecx; btc %ecx, (XDI); btc %ecx, (XDI))
BEHIND(filled, movups (XDI), %xmm0; mov XAX, XDX; mov XDI, XSI; mov $16, %ecx; rep stosb;
               movups %xmm0, (XSI); mov XDX, XAX)
BEHIND(popped, KEEP (XDI); movb $1, (XDI); GIVE (XDI))
BEHIND(x87, fldt -6(XDI); fstpt -6(XDI))
BEHIND(masked, vpcmpeqd %xmm1, %xmm1, %xmm1; vmovdqu (XDI), %xmm0;
               vpmaskmovd %xmm1, %xmm1, (XDI); vpmaskmovd %xmm0, %xmm1, (XDI))
BEFORE(byte_before, mov -1(XDI), %cl; notb -1(XDI); mov %cl, -1(XDI))
BEFORE(vector_before, movups -16(XDI), %xmm0; movups %xmm1, -16(XDI); movups %xmm0, -16(XDI))
COPY(byte_only_at_71, , CODE(cmp $71, XDX; jne 9f; IF_INSIDE; notb (XDI); notb (XDI)))
COPY(byte_only_deep, , CODE(IF_INSIDE; IN_PAGE(XDI, 1024, 1024, 9f); notb 64(XDI); notb 64(XDI)))

/* ---- rewritten with its own value: a word read, changed in part and written */

BEHIND(own_byte, mov (XDI), %cl; mov %cl, (XDI))
BEHIND(own_byte_ored, orb $0, (XDI))
BEHIND(own_vector, movups 1(XDI), %xmm0; movups %xmm0, 1(XDI))
BEHIND(own_quad, movq (XDI), %xmm0; movq %xmm0, (XDI))
BEHIND(not_exchanged, mov XAX, XDX; mov (XDI), %al; not %al; lock cmpxchg %cl, (XDI); mov XDX, XAX)
BEFORE(own_before, movb -1(XDI), %cl; movb %cl, -1(XDI))

/* The last n modulo WORD bytes as part of a word: seven neighbours, or three. */
#define REST(name, load, store)       \
        COPY_BEGIN(writes_##name);    \
        and     $-WORD, XCX;          \
        rep movsb;                    \
        and     $WORD - 1, XDX;       \
        mov     XDX, XCX;             \
        jz      9f;                   \
        IN_PAGE(XDI, 0, WORD - 1, 8f); \
        mov     XDX, XCX;             \
        KEEP    XBX;                  \
        load;                         \
7:      mov     (XSI), %bl;           \
        ror     $8, XBX;              \
        inc     XSI;                  \
        dec     XDX;                  \
        jnz     7b;                   \
        mov     XCX, XDX;             \
        shl     $3, %ecx;             \
        rol     %cl, XBX;             \
        store;                        \
        GIVE    XBX;                  \
        jmp     9f;                   \
8:      mov     XDX, XCX;             \
        rep movsb;                    \
9:      COPY_END(writes_##name)

REST(word_for_rest, CODE(mov (XDI), XBX), CODE(mov XBX, (XDI)))
REST(bytes_for_rest, CODE(xor %ebx, %ebx),
     CODE(7: mov %bl, (XDI); ror $8, XBX; inc XDI; dec XDX; jnz 7b))

/* ---- the output is read before it is written: allowed with `inout`, else a warning */

#define IF_ANY(n) cmp $n, XDX; jb 8f
COPY(looks_first, CODE(IF_ANY(1); testb $0, (XDI); 8:), )
COPY(looks_at_last, CODE(IF_ANY(1); testb $0, -1(XDI, XDX); 8:), )
COPY(looks_at_vector, CODE(IF_ANY(16); movups (XDI), %xmm0; 8:), )
COPY(looks_far_in, CODE(IF_ANY(1000); cmpb $1, 999(XDI); 8:), )
COPY(cleared_by_and, CODE(IF_ANY(1); andb $0, (XDI); 8:), )
COPY(looks_behind_write, CODE(IF_ANY(2); movb (XSI), %cl; movb %cl, (XDI); movzwl (XDI), %ecx;
                              mov XDX, XCX; 8:), )

/* The warning must not hide what is worse. */
COPY(looks_and_runs_ahead, CODE(IF_ANY(1); testb $0, (XDI); 8:),
     CODE(test XDX, XDX; jz 9f; IN_PAGE(XSI, 128, 128, 9f); testb $0, (XSI)))

#define BYTE_BY_BYTE(name, ...)       \
        COPY_BEGIN(writes_##name);    \
        test    XDX, XDX;             \
        jz      9f;                   \
7:      mov     (XSI), %cl;           \
        __VA_ARGS__;                  \
        inc     XSI;                  \
        inc     XDI;                  \
        dec     XDX;                  \
        jnz     7b;                   \
9:      COPY_END(writes_##name)

BYTE_BY_BYTE(exchanged, xchg %cl, (XDI))
BYTE_BY_BYTE(stored, mov %cl, (XDI))

/* ---- not written where it was right already */

BYTE_BY_BYTE(skips_equal, cmp %cl, (XDI); je 8f; mov %cl, (XDI); 8:)

/* ---- sound */

COPY(right, , )
COPY(own_stack, , CODE(KEEP XDX; notb (XSP); notb (XSP); GIVE XDX))
COPY(zeroed_first, CODE(KEEP XAX; KEEP XDI; xor %eax, %eax; rep stosb; GIVE XDI; GIVE XAX;
                        mov XDX, XCX), )
COPY(changed_inside, , CODE(test XDX, XDX; jz 9f; notb -1(XDI); notb -1(XDI)))
COPY(prefetched, CODE(prefetchw (XDI)), CODE(prefetchw 64(XDI)))
COPY(masked_away, , CODE(vpxor %xmm1, %xmm1, %xmm1; vpmaskmovd %xmm0, %xmm1, (XDI)))
COPY(masked_inside, , CODE(cmp $16, XDX; jb 9f; vpcmpeqd %xmm1, %xmm1, %xmm1;
                           vpsrldq $12, %xmm1, %xmm1; vmovdqu -16(XDI), %xmm0;
                           vpsrldq $12, %xmm0, %xmm0; vpmaskmovd %xmm0, %xmm1, -4(XDI)))
COPY(no_strings, , CODE(xor %ecx, %ecx; rep stosb; std; rep movsb; cld))
NO_EXEC_STACK
