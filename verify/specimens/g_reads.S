/* SPDX-License-Identifier: MIT */
/*
 * reads - sound copies that look at bytes beside their buffers
 *
 *     void *reads_FAULT(void *dst, const void *src, size_t n);
 *
 * Contract
 *   dst[0, n) = src[0, n), no overlap, returns dst
 *   What is read beside lies in the same page, so that no guard is ever hit
 * Registers
 *   xdi  next byte to write, behind the copy dst + n
 *   xsi  next byte to read, behind the copy src + n
 *   xcx  scratch
 *   xdx  n
 */
#include "verify/specimens/both.h"

#define COPY(name, before, after)     \
        COPY_BEGIN(reads_##name);     \
        before;                       \
        rep movsb;                    \
        after;                        \
        COPY_END(reads_##name)

/* Looks where 128 bytes on both sides of src + n are in one page, if `zero` says so. */
#define WHEN(name, zero, ...)         \
        COPY_BEGIN(reads_##name);     \
        rep movsb;                    \
        test    XDX, XDX;             \
        jz      9f;                   \
        zero;                         \
        jnz     9f;                   \
        IN_PAGE(XSI, 128, 128, 9f);   \
        __VA_ARGS__;                  \
9:      COPY_END(reads_##name)

#define LOOK(name, ...) WHEN(name, CODE(cmp XDX, XDX), __VA_ARGS__)

/* So many bytes, one by one. */
#define BYTES(from) \
1:      testb   $0, from - 1(XSI, XCX); dec %ecx; jnz 1b

#define BEHIND(n) LOOK(behind_##n, mov $n, %ecx; BYTES(0))
#define BEFORE(n) LOOK(before_##n, sub XDX, XSI; IN_PAGE(XSI, 128, 128, 9f); mov $n, %ecx; BYTES(-n))

BEHIND(1)
BEHIND(2)
BEHIND(3)
BEHIND(4)
BEHIND(5)
BEHIND(7)
BEHIND(8)
BEHIND(12)
BEHIND(15)
BEHIND(16)
BEHIND(17)
BEHIND(24)
BEHIND(31)
BEHIND(32)
BEHIND(33)
BEHIND(48)
BEHIND(63)
BEHIND(64)
BEFORE(1)
BEFORE(2)
BEFORE(3)
BEFORE(4)
BEFORE(8)
BEFORE(15)
BEFORE(16)
BEFORE(31)
BEFORE(32)
BEFORE(63)
BEFORE(64)

/* Each kind of load, most of them with bytes of src in it. */
#define SAVE_AL mov XAX, XDX
#define LOAD_AL mov XDX, XAX
#define ONES    vpcmpeqd %xmm1, %xmm1, %xmm1
LOOK(word, movzwl -1(XSI), %ecx)
LOOK(dword, mov -3(XSI), %ecx)
LOOK(quad, movq -4(XSI), %xmm0)
LOOK(vector, movups -1(XSI), %xmm0)
LOOK(last_of_vector, movups -15(XSI), %xmm0)
LOOK(lddqu, lddqu -8(XSI), %xmm0)
LOOK(avx, vmovdqu -8(XSI), %ymm0; vzeroupper)
LOOK(operand, vpaddb -8(XSI), %xmm0, %xmm0)
LOOK(high_half, movhps -4(XSI), %xmm0)
LOOK(low_half, movlps -4(XSI), %xmm0)
LOOK(insert, pinsrb $3, (XSI), %xmm0)
LOOK(widen, pmovzxbw -1(XSI), %xmm0)
LOOK(pushed, KEEP -1(XSI); GIVE XCX)
LOOK(strings, SAVE_AL; mov $5, %ecx; rep lodsb; LOAD_AL)
LOOK(one_string, SAVE_AL; lodsb; LOAD_AL)
LOOK(compared, mov XSI, XDI; mov $9, %ecx; repe cmpsb)
LOOK(scanned, mov XSI, XDI; SAVE_AL; mov (XSI), %al; mov $1, %ecx; repne scasb; LOAD_AL)
LOOK(scanned_down, lea 3(XSI), XDI; mov $1, %ecx; std; repe scasb; cld)
LOOK(bit_string, mov $77, %ecx; bt %ecx, (XSI))
LOOK(bit_string_down, mov $-77, %ecx; bt %ecx, 12(XSI))
LOOK(not_moved, cmp %ecx, %ecx; cmovnz (XSI), XCX)
LOOK(compare_operand, cmpb %cl, (XSI))
LOOK(x87, fldt -2(XSI); fstp %st(0))
LOOK(x87_word, filds (XSI); fstp %st(0))
LOOK(mmx, movq -4(XSI), %mm0; emms)
LOOK(streamed, lea 15(XSI), XCX; and $-16, XCX; movntdqa (XCX), %xmm0)
LOOK(translated, KEEP XBX; SAVE_AL; mov XSI, XBX; mov $3, %al; xlatb; LOAD_AL; GIVE XBX)
LOOK(far_of_end, testb $0, 100(XSI))
LOOK(masked_in, ONES; vpmaskmovd (XSI), %xmm1, %xmm0)
LOOK(masked_last, ONES; vpslldq $12, %xmm1, %xmm1; vpmaskmovd -12(XSI), %xmm1, %xmm0)
LOOK(wide_512, vmovups -32(XSI), %zmm0; vzeroupper)
LOOK(masked_512, mov $2, %ecx; kmovw %ecx, %k1; vmovups -4(XSI), %zmm0{%k1}{z}; vzeroupper)

/* Only there. */
#define ONCE testb $0, (XSI)
WHEN(only_37, CODE(cmp $37, XDX), ONCE)
WHEN(only_1500, CODE(cmp $1500, XDX), ONCE)
WHEN(only_lines, CODE(test $63, %dl), ONCE)
WHEN(only_odd, CODE(lea 1(XDX), XCX; test $1, %cl), ONCE)
WHEN(only_aligned, CODE(mov XSI, XCX; sub XDX, XCX; test $15, %cl), ONCE)
WHEN(only_over_256, CODE(cmp $256, XDX; sbb %ecx, %ecx), ONCE)

COPY_BEGIN(reads_only_deep)
        rep movsb
        IN_PAGE(XSI, 1024, 1024, 1f)
        testb   $0, 63(XSI)
1:
COPY_END(reads_only_deep)

/* Blocks of 16; the load for the next round comes before or behind the end's test. */
#define BLOCKS(name, early, late)     \
        COPY_BEGIN(reads_##name);     \
        sub     $16, XDX;             \
        jb      3f;                   \
        movups  (XSI), %xmm0;         \
1:      movups  %xmm0, (XDI);         \
        add     $16, XSI;             \
        add     $16, XDI;             \
        early;                        \
        sub     $16, XDX;             \
        jb      3f;                   \
        late;                         \
        jmp     1b;                   \
3:      lea     16(XDX), XCX;         \
        rep movsb;                    \
        COPY_END(reads_##name)

BLOCKS(round_ahead, CODE(lea 15(XSI), XCX; xor XSI, XCX; and $-4096, XCX; jnz 4f;
                         movups (XSI), %xmm0; 4:), CODE(movups (XSI), %xmm0))
BLOCKS(round_in_time, , CODE(movups (XSI), %xmm0))

/* ---- sound: nothing is read there, or it was written before */

COPY(right, , )
COPY(prefetched, CODE(prefetcht0 (XSI, XDX)), CODE(prefetchnta 64(XSI); prefetcht2 -256(XSI)))
COPY(address_only, , CODE(lea 8(XSI, XDX), XCX))
COPY(wide_nops, CODE(nopl 64(XSI, XDX)), CODE(nopw 4096(XSI)))
COPY(flushed, , CODE(test XDX, XDX; jz 1f; clflush -1(XSI); clflush -1(XDI); 1:))
COPY(nothing_masked, , CODE(vpxor %xmm1, %xmm1, %xmm1; vpmaskmovd 64(XSI), %xmm1, %xmm0))
COPY(empty_strings, , CODE(xor %ecx, %ecx; repe cmpsb; rep lodsb; repne scasb))
COPY(result_read, , CODE(test XDX, XDX; jz 1f; testb $0, -1(XDI); 1:))
COPY(last_masked, , CODE(cmp $4, XDX; jb 1f; ONES; vpsrldq $12, %xmm1, %xmm1;
                         vpmaskmovd -4(XSI), %xmm1, %xmm0; 1:))
COPY(bits_inside, , CODE(cmp $16, XDX; jb 1f; mov $-77, %ecx; bt %ecx, -4(XSI); 1:))
COPY(stopped_compare, , CODE(test XDX, XDX; jz 1f; dec XSI; dec XDI; notb (XDI); mov $9, %ecx;
                             repe cmpsb; notb -1(XDI); 1:))
COPY(masked_512_none, , CODE(kxorw %k1, %k1, %k1; vmovups 64(XSI), %zmm0{%k1}{z}; vzeroupper))

/* ---- whole blocks of 16 that hold bytes of src, and what goes beyond them */

#define LAST_BLOCK  lea -1(XSI), XCX; and $-16, XCX
#define FIRST_BLOCK sub XDX, XSI; IN_PAGE(XSI, 128, 128, 9f); and $-16, XSI
LOOK(block_last, LAST_BLOCK; movaps (XCX), %xmm0)
LOOK(block_first, FIRST_BLOCK; movaps (XSI), %xmm0)
LOOK(block_next, LAST_BLOCK; movaps 16(XCX), %xmm0)
LOOK(block_seventeenth, LAST_BLOCK; testb $0, 16(XCX))
LOOK(block_unaligned, LAST_BLOCK; movups 1(XCX), %xmm0)
LOOK(block_of_32, lea -1(XSI), XCX; and $-32, XCX; vmovaps (XCX), %ymm0; vzeroupper)
LOOK(block_previous, FIRST_BLOCK; testb $0, -1(XSI))
COPY(block_of_nothing, CODE(test XDX, XDX; jnz 1f; IN_PAGE(XSI, 16, 16, 1f); and $-16, XSI;
                            movaps (XSI), %xmm0; 1: mov XDX, XCX), )
NO_EXEC_STACK
